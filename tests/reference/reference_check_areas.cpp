// Entries of the areas format: A multiphase complete exchange, B s-to-p broadcasting, C networks and contention.
#include <cmath>
#include <set>
#include <unordered_map>

#include "base/integer.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/multiphase.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "reference_check.hpp"

namespace quadrille::reference {

namespace {

constexpr double us = 1e-6;

Spec cube_exchange(int d, Bytes bytes) {
  return checked(
      {.collective = Collective::alltoall, .topology = parse_topology(fmt::format("hypercube:{}", d)), .bytes = bytes});
}

Choice multiphase(const Json& partition, bool charge_identity = false) {
  return {&find_algorithm("alltoall_mce"),
          Params{{"phases", partition.get<Partition>()}, {"charge_identity", {charge_identity ? 1 : 0}}}};
}

int dimension_of(const Json& partition) {
  std::int64_t d = 0;
  for (const auto n : partition.get<Partition>()) d += n;
  return static_cast<int>(d);
}

/// Most messages that share a directed link, and other sums over a set of messages.
struct Loads {
  std::int64_t link = 0, wire = 0, links_used = 0, hops = 0;
};
Loads loads_of(const Topology& topology, const std::vector<std::pair<Rank, Rank>>& messages) {
  std::unordered_map<Link, std::int64_t> load;
  std::vector<Link> path;
  Loads result;
  for (const auto& [from, to] : messages) {
    path.clear();
    topology.route(from, to, path);
    for (const Link l : path) ++load[l];
    result.hops += static_cast<std::int64_t>(path.size());
  }
  for (const auto& [l, n] : load) {
    const auto back = load.find(topology.reverse(l));
    result.link = std::max(result.link, n);
    result.wire = std::max(result.wire, n + (back == load.end() || back->first == l ? 0 : back->second));
  }
  result.links_used = static_cast<std::int64_t>(load.size());
  return result;
}

/// What all ranks hold while a schedule runs: a plain re-execution, apart from the verifier.
class Lists {
 public:
  Lists(const Spec& spec, const Schedule& schedule) : spec_(spec), schedule_(schedule) {
    for (Rank r = 0; r < spec.ranks(); ++r)
      for (const Buffer b : {Buffer::in, Buffer::out, Buffer::tmp})
        for (Slot s = 0; s < schedule.shape().slots(b); ++s)
          held_[key(r, b)].push_back(b == Buffer::tmp ? no_block : held_before(spec, b, r, s));
  }
  void run(Round rounds) {
    for (Round t = 0; t < rounds; ++t) {
      const auto before = held_;
      for (Rank r = 0; r < spec_.ranks(); ++r) {
        std::set<Rank> peers;
        for (const Transfer& x : step_.all(schedule_, t, r))
          if (x.kind == Kind::recv) peers.insert(x.peer);
        for (const Rank peer : peers) {
          std::vector<Slot> symbols;
          for (const Transfer& x : step_.one(schedule_, t, peer, Kind::send, r))
            for_each_slot(x.slots, [&](Slot s) {
              symbols.push_back(before.at(key(peer, x.buffer))[static_cast<std::size_t>(s)]);
            });
          std::size_t i = 0;
          for (const Transfer& x : step_.one(schedule_, t, r, Kind::recv, peer))
            for_each_slot(x.slots,
                          [&](Slot s) { held_[key(r, x.buffer)][static_cast<std::size_t>(s)] = symbols.at(i++); });
        }
      }
    }
  }
  Json pair(Rank r, Buffer b, Slot s) const {
    const Slot block = held_.at(key(r, b)).at(static_cast<std::size_t>(s));
    return Json::array({block / spec_.ranks(), block % spec_.ranks()});
  }

 private:
  static std::int64_t key(Rank r, Buffer b) { return 3 * r + static_cast<int>(b); }
  const Spec& spec_;
  const Schedule& schedule_;
  Collected step_;
  std::unordered_map<std::int64_t, std::vector<Slot>> held_;
};

/// Rounds of the first `phases` phases, each with its local permutation.
Round rounds_of(const Partition& partition, std::int64_t phases) {
  Round rounds = 0;
  for (std::int64_t i = 0; i < phases; ++i)
    rounds += base::bit(static_cast<int>(partition[static_cast<std::size_t>(i)])) - (partition.size() > 1 ? 0 : 1);
  return rounds;
}

std::string check_structure(const Json& in, const Json& expected) {
  Comparison compare;
  const Machine machine = load_machine("ipsc860");
  if (in.contains("src")) {
    const Spec spec = cube_exchange(in.at("d"), 1);
    std::vector<Link> path;
    std::vector<Rank> nodes{in.at("src").get<Rank>()};
    spec.topology->route(nodes[0], in.at("dst"), path);
    for (const Link l : path) nodes.push_back(spec.topology->head(l));
    compare.equal("route", expected, nodes);
    return compare.complaints();
  }
  if (in.contains("k")) {
    const Spec spec = cube_exchange(in.at("d"), 1);
    std::vector<std::pair<Rank, Rank>> messages;
    for (Rank r = 0; r < spec.ranks(); ++r) messages.emplace_back(r, r ^ in.at("k").get<Rank>());
    const Loads loads = loads_of(*spec.topology, messages);
    compare.equal("directed", expected.at("max_messages_per_directed_link"), loads.link);
    compare.equal("undirected", expected.at("max_messages_per_undirected_link"), loads.wire);
    compare.equal("links used", expected.at("directed_links_used"), loads.links_used);
    compare.equal("hops", expected.at("hops_total"), loads.hops);
    return compare.complaints();
  }
  const auto partition = in.at("partition").get<Partition>();
  const Spec spec = cube_exchange(dimension_of(partition), 1);
  const Built built = build(spec, machine, multiphase(partition));
  if (in.contains("phases_done") || in.contains("step_j")) {
    Lists lists(spec, *built.schedule);
    const Rank rank = in.at("rank");
    if (in.contains("phases_done")) {
      const std::int64_t done = in.at("phases_done"), left = static_cast<std::int64_t>(partition.size()) - done;
      lists.run(rounds_of(partition, done));
      Json found = Json::array();
      for (Slot s = 0; s < spec.ranks(); ++s)
        found.push_back(done == 0       ? lists.pair(rank, Buffer::in, s)
                        : left % 2 == 0 ? lists.pair(rank, Buffer::out, s)
                                        : lists.pair(rank, Buffer::tmp, spec.ranks() + s));
      compare.equal("list", expected, found);
      return compare.complaints();
    }
    const Round round = rounds_of(partition, in.at("phase").get<std::int64_t>() - 1) + in.at("step_j").get<Round>() - 1;
    lists.run(round);
    Collected step;
    std::set<Json> blocks;
    for (const Transfer& x : step.all(*built.schedule, round, rank)) {
      if (x.kind != Kind::send) continue;
      compare.equal("partner", expected.at("partner"), x.peer);
      for_each_slot(x.slots, [&](Slot s) { blocks.insert(lists.pair(rank, x.buffer, s)); });
    }
    compare.equal("blocks", Json(expected.at("blocks").get<std::set<Json>>()), Json(blocks));
    return compare.complaints();
  }
  const Proof proof = verify(spec, machine, *built.schedule, built.claims);
  if (!proof.holds) return "refused: " + proof.counterexample->text;
  const Traffic traffic = count(spec, machine, *built.schedule);
  Json identity = Json::array();
  for (const auto n : partition) identity.push_back(n == dimension_of(partition));
  compare.equal("rounds", expected.at("rounds"), traffic.cost.startups);
  compare.equal("blocks sent", expected.at("blocks_sent_per_rank"), traffic.busiest_out_port);
  compare.equal("phases", expected.at("phases"), traffic.cost.barriers);
  compare.equal("hops", expected.at("total_hops_all_ranks"), traffic.message_hops);
  compare.equal("identity", expected.at("permutation_is_identity"), identity);
  return compare.complaints();
}

std::string check_integer_machine(const Json& in, const Json& expected, const Json& check) {
  Comparison compare;
  MultiphaseModel model{.dimension = in.at("d"),
                        .lambda = in.at("lambda"),
                        .tau = in.at("tau"),
                        .delta = in.at("delta"),
                        .rho = in.at("rho"),
                        .barrier = in.at("Q"),
                        .charge_identity = true};
  const Bytes m = in.at("m");
  if (expected.contains("optimal")) {
    const AllBest best = best_partitions(model, m);
    const BestPhases quick = best_equipartition(model, m);
    compare.near("cost", expected.at("cost"), best.time, tolerance(check, best.time));
    compare.near("cost of the search", expected.at("cost"), quick.time, tolerance(check, best.time));
    compare.equal("optimal", Json(expected.at("optimal").get<std::set<Json>>()),
                  Json(std::set<Json>(best.phases.begin(), best.phases.end())));
    return compare.complaints();
  }
  const SplitLength split = split_length(model, m);
  const auto near = [&](const char* field, double found) {
    const double value = expected.at(field);
    compare.near(field, value, found, tolerance(check, value));
  };
  near("lower_bound", split.lower);
  near("upper_bound", split.upper);
  near("ratio_R", split.ratio);
  near("s_hat", split.s_hat);
  compare.equal("regime", expected.at("regime"), std::string(to_string(split.regime)));
  if (expected.contains("s_star")) near("s_star", split.s_star.value_or(NAN));
  if (expected.contains("k_window"))
    compare.equal("k_window", expected.at("k_window"), Json::array({split.window.fewest, split.window.most}));
  return compare.complaints();
}

std::string check_ipsc860(const Json& in, const Json& expected, const Json& check) {
  Comparison compare;
  Machine machine = load_machine("ipsc860");
  const std::string what = check.at("what");
  if (what.find("distance-exact") != std::string::npos) machine.circuit = CircuitCost::exact;
  const bool charge = in.contains("drop_identity_shuffle") && !in.at("drop_identity_shuffle").get<bool>();
  const int d = in.at("d");
  const MultiphaseModel model = multiphase_model(machine, d, charge);
  if (in.contains("m_bytes")) {
    const auto partition = in.at("partition").get<Partition>();
    const Spec spec = cube_exchange(d, in.at("m_bytes"));
    const Built built = build(spec, machine, multiphase(partition, charge));
    const double value = expected;
    const double counted = seconds(count(spec, machine, *built.schedule).cost, machine, *spec.topology);
    compare.near("formula", value, partition_line(model, partition).at(in.at("m_bytes")) / us, tolerance(check, value));
    compare.near("counted", value, counted / us, tolerance(check, value));
  } else if (in.contains("partition")) {
    const auto crossing = crossover(model, in.at("partition").get<Partition>(), Partition{d});
    compare.near("crossover", expected, crossing ? crossing->bytes : NAN, tolerance(check, expected));
  } else if (expected.is_array()) {
    const ThresholdTable table = threshold_table(model);
    if (table.entries.size() != expected.size())
      return fmt::format("expected {} entries, found {}", expected.size(), table.entries.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      compare.near("m_i", expected[i][0], table.entries[i].from, tolerance(check, expected[i][0]));
      compare.equal("k_i", expected[i][1], table.entries[i].phases.size());
      compare.equal("partition", expected[i][2], table.entries[i].phases);
    }
  } else {
    const auto crossing = crossover(model, Partition{d}, Partition(static_cast<std::size_t>(d), 1));
    if (!crossing) return "no crossing";
    compare.near("m_bytes", expected.at("m_bytes"), crossing->bytes, tolerance(check, expected.at("m_bytes")));
    compare.near("cost_us", expected.at("cost_us"), crossing->time / us, tolerance(check, expected.at("cost_us")));
  }
  return compare.complaints();
}

std::string check_exchange(const Json& check) {
  const Json &in = check.at("inputs"), &expected = check.at("expected");
  const bool structure =
      in.contains("src") || in.contains("k") || in.contains("rank") || (in.contains("partition") && !in.contains("d"));
  if (structure) return check_structure(in, expected);
  if (in.contains("lambda")) return check_integer_machine(in, expected, check);
  return check_ipsc860(in, expected, check);
}

}  // namespace

void check_areas(const Json& file, Tally& tally) {
  for (const Json& check : file.at("checks"))
    tally.entry(check.value("id", "check without id"), [&]() -> std::string {
      const std::string area = check.at("area");
      if (area == "A") return check_exchange(check);
      if (area == "B") return check_multibcast(check);
      if (area == "C") return check_networks(check);
      return "unknown area '" + area + "'";
    });
}

}  // namespace quadrille::reference
