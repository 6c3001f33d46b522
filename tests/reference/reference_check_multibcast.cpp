// Area B: s-to-p broadcasting. Source positions, ideal placements, holders round by round, schedule metrics, the first
// dimension of Br_xy_source, round-synchronous costs and simulated makespans.
#include <cmath>
#include <set>

#include "algorithm/multibcast/shared/multibcast.hpp"
#include "quadrille/price.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/sources.hpp"
#include "quadrille/verify.hpp"
#include "reference_check.hpp"

namespace quadrille::reference {

namespace {

Rectangle mesh_of(const Json& in) { return {in.at("rows"), in.at("cols")}; }

/// The distribution of an entry: s sources, or every i-th rank, or a block's sides and corner.
Distribution distribution_of(const Json& in) {
  const std::string name = in.at("distribution");
  if (in.contains("every")) return parse_distribution(fmt::format("{}(every={})", name, in.at("every").dump()));
  std::string inside = in.contains("s") ? in.at("s").dump() : "";
  if (in.contains("height") && in.contains("width")) inside = in.at("height").dump() + "x" + in.at("width").dump();
  if (in.contains("top") || in.contains("left"))
    inside += fmt::format("@{},{}", in.value("top", Rank{0}), in.value("left", Rank{0}));
  const bool balanced = in.value("balanced", false) || in.value("option", "") == "balanced";
  return parse_distribution(fmt::format("{}({}{})", name, inside, balanced ? ",balanced" : ""));
}

Spec sized_spec_of(const Json& in, Bytes bytes) {
  const Rectangle mesh = mesh_of(in);
  std::vector<std::pair<Rank, Bytes>> sources;
  if (in.contains("sources")) {
    for (const Json& r : in.at("sources"))
      sources.emplace_back(r.is_array() ? r[0].get<Rank>() * mesh.cols + r[1].get<Rank>() : r.get<Rank>(), bytes);
  } else {
    for (const Rank r : places(distribution_of(in), mesh)) sources.emplace_back(r, bytes);
  }
  return checked({.collective = Collective::multibcast,
                  .topology = parse_topology(fmt::format("mesh:{}x{}", mesh.rows, mesh.cols)),
                  .sources = make_sources(std::move(sources))});
}

/// The paper's name with the entry's options as our choice; what the conventions leave out is snake, odd = neighbour.
Choice choice_of(const Json& in) {
  std::string name = in.value("algorithm", "Br_Lin");
  const auto named = [&](const std::string& option) { return name.find(option) != std::string::npos; };
  const bool by_rows = in.value("indexing", "snake") == "row_major" || named("row_major");
  const bool last = in.value("odd", "neighbour") == "last", literal = in.value("literal", false) || named("literal");
  name = name.substr(0, name.find_first_of(" (,["));
  const std::string odd = fmt::format(":odd_last={:d}", last), line = fmt::format(":row_major={:d}", by_rows) + odd;
  const std::map<std::string, std::string> names{
      {"Br_Lin", "multibcast_lin" + line},
      {"Br_xy_source", "multibcast_xy_source" + odd},
      {"Br_xy_dim", fmt::format("multibcast_xy_dim:literal={:d}", literal) + odd},
      {"Xor", "multibcast_xor"},
      {"2-Step", "multibcast_twostep" + line},
      {"Repos", "multibcast_repos" + odd},
      {"Repos_xy_source", "multibcast_repos" + odd},
      {"Repos_Lin", "multibcast_repos_lin" + line},
      {"Repos_xy_dim", "multibcast_repos_xy_dim" + odd},
      {"Part_Lin", "multibcast_part_lin" + line},
      {"Part_xy_source", "multibcast_part_xy_source" + odd}};
  const auto found = names.find(name);
  if (found == names.end()) throw NotBuilt{"algorithm " + name};
  return parse_choice(found->second);
}

/// One port a direction, links in both directions at once, messages that cross ranks on their way.
Machine paragon(Seconds alpha, double beta) {
  Machine machine = load_machine("paragon-h95");
  machine.alpha = alpha, machine.beta = beta;
  return machine;
}

/// Holders before the first round and after every one, by a plain re-execution.
Json holders(const Spec& spec, const Schedule& schedule) {
  std::vector<bool> holds(static_cast<std::size_t>(spec.ranks()), false);
  for (const Rank r : spec.sources->ranks) holds[static_cast<std::size_t>(r)] = true;
  Json counts = Json::array({std::count(holds.begin(), holds.end(), true)});
  Summary step;
  for (Round t = 0; t < schedule.shape().rounds; ++t) {
    bool any = false;
    for (Rank r = 0; r < spec.ranks(); ++r)
      for (const Summary::Message& m : step.of(schedule, t, r))
        if (m.kind == Kind::recv) any = true, holds[static_cast<std::size_t>(r)] = true;
    if (any) counts.push_back(std::count(holds.begin(), holds.end(), true));
  }
  return counts;
}

std::string check_positions(const Json& in, const Json& expected) {
  Json found = Json::array();
  const Rectangle mesh = mesh_of(in);
  for (const Rank r : places(distribution_of(in), mesh)) found.push_back({r / mesh.cols, r % mesh.cols});
  Comparison compare;
  compare.equal("positions", expected, found);
  return compare.complaints();
}

std::string check_ideal(const Json& in, const Json& expected) {
  const Rank n = in.at("n");
  const std::vector<Rank> positions = algorithm::pattern::ideal_positions(n, in.at("i"));
  Comparison compare;
  compare.equal("positions", expected.at("positions"), positions);
  std::string text;
  for (const Rank r : positions) text += fmt::format("{}{}", text.empty() ? "" : ",", r);
  const TopologyPtr line = parse_topology(fmt::format("mesh:1x{}", n));
  const Spec spec =
      checked({.collective = Collective::multibcast, .topology = line, .sources = parse_sources(text, *line, 1)});
  Json found = holders(spec, *build(spec, paragon(1, 1), choice_of(in)).schedule);
  found.erase(found.begin());
  compare.equal("holders", expected.at("holders"), found);
  return compare.complaints();
}

std::string check_metrics(const Json& in, const Json& expected) {
  const Spec spec = sized_spec_of(in, 1);  // bytes are blocks
  const Machine machine = paragon(1, 1);
  const Built built = build(spec, machine, choice_of(in));
  const Proof proof = verify(spec, machine, *built.schedule, built.claims);
  if (!proof.holds) return "refused: " + proof.counterexample->text;
  std::vector<RoundTraffic> rounds;
  const Traffic traffic = count(spec, machine, *built.schedule, &rounds);
  if (!(traffic.cost == built.formula)) return "the formula is not what is counted";
  Json contention = Json::array(), busiest = Json::array();
  for (const RoundTraffic& r : rounds) contention.push_back(r.contention), busiest.push_back(r.busiest);
  Comparison compare;
  const std::map<std::string, Json> found{{"rounds", traffic.cost.startups},  {"messages", traffic.messages},
                                          {"blocks_moved", proof.deliveries}, {"hops", traffic.message_hops},
                                          {"S_per_round", contention},        {"X_blocks_per_round", busiest}};
  for (const auto& [key, value] : expected.items()) compare.equal(key, value, found.at(key));
  return compare.complaints();
}

std::string check_first(const Json& in, const Json& expected) {
  const algorithm::multibcast::Crowding most =
      algorithm::multibcast::crowding(algorithm::pattern::whole(mesh_of(in)), sized_spec_of(in, 1).sources->ranks);
  Comparison compare;
  compare.equal("max_r", expected.at("max_r"), most.row);
  compare.equal("max_c", expected.at("max_c"), most.column);
  compare.equal("first", expected.at("first"), most.first() == algorithm::multibcast::First::rows ? "rows" : "columns");
  return compare.complaints();
}

/// The number after "name=" in the entry's words, in the unit it is given in there.
double stated(const std::string& words, const std::string& name, double otherwise) {
  const auto at = words.find(name + "=");
  return at == std::string::npos ? otherwise : std::stod(words.substr(at + name.size() + 1));
}

std::string check_time(const Json& check) {
  const Json& in = check.at("inputs");
  const std::string what = check.at("what");
  const double expected = check.at("expected");
  const std::string words = check.at("tolerance");
  const double number = std::stod(words.substr(words.find(' ')));
  const double tolerance = words.starts_with("rel") ? number * expected : number;
  const Spec spec = sized_spec_of(in, in.at("L_bytes"));
  Comparison compare;
  if (what.find("makespan") != std::string::npos) {
    const Machine machine = paragon(in.value("alpha_ms", stated(what, "alpha", 0.17)) * 1e-3,
                                    in.value("beta_ms_per_byte", stated(what, "beta", 0.000025)) * 1e-3);
    const Built built = build(spec, machine, choice_of(in));
    compare.near("makespan", expected,
                 simulate(spec, machine, *built.schedule, {.network = Network::wormhole}).makespan * 1e3, tolerance);
    return compare.complaints();
  }
  const Machine machine = paragon(in.value("t_s_us", stated(what, "t_s", 311)) * 1e-6,
                                  in.value("t_w_us_per_byte", stated(what, "t_w", 0.02226)) * 1e-6);
  const Built built = build(spec, machine, choice_of(in));
  compare.near("formula", expected, seconds(built.formula, machine, *spec.topology) * 1e6, tolerance);
  compare.near("counted", expected, seconds(count(spec, machine, *built.schedule).cost, machine, *spec.topology) * 1e6,
               tolerance);
  return compare.complaints();
}

}  // namespace

std::string check_multibcast(const Json& check) {
  const Json &in = check.at("inputs"), &expected = check.at("expected");
  if (expected.is_number()) return check_time(check);
  if (in.contains("n")) return check_ideal(in, expected);
  if (expected.is_object()) return expected.contains("first") ? check_first(in, expected) : check_metrics(in, expected);
  if (!expected.empty() && expected[0].is_array()) return check_positions(in, expected);
  const Spec spec = sized_spec_of(in, 1);
  Comparison compare;
  compare.equal("holders", expected, holders(spec, *build(spec, paragon(1, 1), choice_of(in)).schedule));
  return compare.complaints();
}

}  // namespace quadrille::reference
