// Entries about reductions, in the Saad & Schultz format: what an algorithm costs, combines and promises, and bounds.
#include <algorithm>
#include <cmath>

#include "algorithm/allreduce/shared/census.hpp"
#include "algorithm/allreduce/shared/swing.hpp"
#include "algorithm/pattern/two_cycles.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "base/integer.hpp"
#include "base/text.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "reference_reductions.hpp"

namespace quadrille::reference {

namespace reductions {
namespace {

std::string topology_text(const Json& m) {
  const std::string kind = m.at("kind");
  const auto count = [&](const char* key) { return m.at(key).get<std::int64_t>(); };
  if (kind == "hypercube") return fmt::format("hypercube:{}", count("n"));
  if (kind == "torus" || kind == "mesh") return kind + ":" + base::join(m.at("sides").get<std::vector<Rank>>(), "x");
  if (kind == "omega") return fmt::format("omega:{}", m.contains("n") ? count("n") : base::log2_ceil(count("k")));
  if (kind == "shared-memory") return fmt::format("memory:{}", count("k"));
  return fmt::format("{}:{}", kind == "switch" ? "crossbar" : kind, count("k"));
}

Machine machine_of(const Json& entry) {
  const Json& m = entry.at("machine");
  Machine machine;
  machine.name = "reference";
  machine.duplex = m.value("duplex", "full") == "half" ? Duplex::half : Duplex::full;
  machine.ports = m.value("ports", "all") == "one" ? Ports::one : Ports::all;
  machine.switching = m.value("switching", "") == "circuit" ? Switching::circuit : Switching::store_and_forward;
  machine.shared = m.value("k_star", 1);
  if (entry.contains("cost")) {
    machine.alpha = rational(entry.at("cost").at("tau"));
    machine.beta = rational(entry.at("cost").at("time_per_word"));
    machine.gamma = rational(entry.at("cost").at("time_per_combined_word"));
  }
  return machine;
}

Collective collective_of(const Json& entry) {
  const auto found = find_collective(entry.at("operation").get<std::string>());
  if (!found) throw NotBuilt{"operation " + entry.at("operation").get<std::string>()};
  return *found;
}

std::shared_ptr<const std::vector<Bytes>> offsets_of(const std::vector<Bytes>& counts) {
  auto offsets = std::make_shared<std::vector<Bytes>>(1, 0);
  for (const Bytes count : counts) offsets->push_back(offsets->back() + count);
  return offsets;
}

/// Theirs leaves the halves of the result at two roots: what an all-reduce does before it sends them down again. Ours
/// sends one half on.
bool ends_at_two_roots(const Json& entry) { return entry.at("algorithm") == "switch-reduce-two-trees"; }

Spec spec_of(const Json& entry) {
  const Json& params = entry.at("params");
  Spec spec{.collective = collective_of(entry), .topology = parse_topology(topology_text(entry.at("machine")))};
  const bool blocks = spec.collective == Collective::reduce_scatter;
  if (params.contains("counts")) {
    spec.offsets = offsets_of(params.at("counts").get<std::vector<Bytes>>());
  } else if (params.contains("m")) {
    spec.bytes = params.at("m").get<Bytes>() * (blocks ? 1 : spec.ranks());
  } else {
    spec.bytes = params.at("n").get<Bytes>();
    const Cut cut{.bytes = spec.bytes, .parts = spec.ranks()};
    std::vector<Bytes> counts;
    for (Rank r = 0; r < spec.ranks(); ++r) counts.push_back(cut.size(r));
    if (blocks && spec.bytes % spec.ranks() != 0) spec.offsets = offsets_of(counts);
    if (blocks) spec.bytes = counts.front();
  }
  if (entry.contains("algorithm") && ends_at_two_roots(entry)) spec.collective = Collective::allreduce;
  spec.root = params.value("root", 0);
  spec.identical = false;
  return checked(spec);
}

/// The first half of a schedule's rounds.
class FirstHalf final : public Schedule {
 public:
  explicit FirstHalf(SchedulePtr whole) : whole_(std::move(whole)), shape_(whole_->shape()) { shape_.rounds /= 2; }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override { whole_->step(t, r, out); }

 private:
  SchedulePtr whole_;
  Shape shape_;
};

std::string check_execution(const Json& entry) {
  const Choice choice = choice_of(entry);
  const Spec spec = spec_of(entry);
  const Machine machine = machine_of(entry);
  const Built built = build(spec, machine, choice);
  // Their circuits take turns where they meet.
  Machine in_turns = machine;
  if (machine.switching == Switching::circuit) in_turns.switching = Switching::wormhole;
  const Proof proof = verify(spec, in_turns, *built.schedule, built.claims, {.use_symmetry = false});
  if (!proof.holds) return "refused: " + proof.counterexample->text;
  SchedulePtr counted = built.schedule;
  if (ends_at_two_roots(entry)) counted = std::make_shared<FirstHalf>(built.schedule);
  const Traffic traffic = count(spec, machine, *counted);
  const Json& expected = entry.at("expected");
  Comparison compare;
  const auto integer = [&](const char* field, std::int64_t found) {
    if (expected.contains(field)) compare.near(field, rational(expected.at(field)), static_cast<double>(found), 0);
  };
  const double time = seconds(traffic.cost, machine, *spec.topology);
  compare.near("time", rational(expected.at("time")), time, 1e-9 * time);
  integer("rounds", traffic.cost.startups);
  integer("messages", traffic.messages);
  integer("words_critical", traffic.cost.bytes);
  integer("combined_critical", traffic.cost.combined);
  integer("combined_total", traffic.combined);
  // A bus has one medium for all pairs here, and a link for each pair there.
  if (!spec.topology->shared_medium()) integer("busiest_directed_link_words", traffic.busiest_link);
  if (spec.topology->nodes() == spec.ranks()) {  // a shared memory has no ports here
    integer("busiest_out_port_words", traffic.busiest_out_port);
    integer("busiest_in_port_words", traffic.busiest_in_port);
  }
  integer("word_hops", traffic.byte_hops);
  integer("depth", proof.depth);
  compare.equal("order", expected.at("order"), proof.in_order.value_or(false) ? "rank" : "any");
  if (expected.contains("identical"))
    compare.equal("identical", expected.at("identical"), std::string(to_string(proof.identical.value())));
  const double formula = seconds(built.formula, machine, *spec.topology);
  if (built.claims.exact && counted == built.schedule) compare.near("closed form", time, formula, 1e-9 * time);
  return compare.complaints();
}

std::string check_bound(const Json& entry) {
  const Spec spec = spec_of(entry);
  Machine machine = machine_of(entry);
  machine.alpha = machine.beta = machine.gamma = 1;
  const Bound bound = lower_bound(spec, machine);
  const Json& expected = entry.at("expected");
  Comparison compare;
  std::int64_t rounds = 0, words = 0, combined = 0;
  for (const Bound::Part& part : bound.parts) {
    rounds = std::max(rounds, part.rounds);
    (part.name == "combining" ? combined : words) = std::max(part.name == "combining" ? combined : words, part.bytes);
  }
  // On a shared medium more is known: all must send, and on a memory all must read, so many at a time.
  if (!spec.topology->shared_medium() || static_cast<double>(rounds) < rational(expected.at("rounds")))
    compare.near("rounds", rational(expected.at("rounds")), static_cast<double>(rounds), 0);
  // Theirs are not rounded up.
  compare.near("words_critical", std::ceil(rational(expected.at("words_critical"))), static_cast<double>(words), 0);
  compare.near("combined_critical", std::ceil(rational(expected.at("combined_critical"))),
               static_cast<double>(combined), 0);
  return compare.complaints();
}

/// The same ranks in the same order round a circle, from rank 0 either way.
bool same_cycle(const std::vector<Rank>& one, std::vector<Rank> other) {
  if (one == other || other.empty()) return one == other;
  std::reverse(other.begin() + 1, other.end());
  return one == other;
}

std::string check_structure(const Json& entry) {
  const std::string what = entry.at("algorithm");
  const Json& expected = entry.at("expected");
  Comparison compare;
  const auto ranks = [&](const char* name) { return expected.at(name).get<std::vector<Rank>>(); };
  if (what == "torus-two-cycles") {
    const auto sides = entry.at("params").at("sides").get<std::vector<Rank>>();
    const auto cycles = algorithm::pattern::two_cycles(sides.at(0), sides.at(1));
    compare.equal("squares", expected.at("square_row_of_column"),
                  algorithm::pattern::switched_squares(sides.at(0), sides.at(1)));
    compare.equal("cycle a", true, same_cycle(ranks("cycle_a"), cycles[0]));
    compare.equal("cycle b", true, same_cycle(ranks("cycle_b"), cycles[1]));
  } else if (what == "circulant-skips") {
    compare.equal("skips", expected.at("skips"),
                  algorithm::reduce_scatter::circulant_skips(entry.at("params").at("k")));
  } else if (what == "census-counts") {
    compare.equal("counts", expected.at("k_t"), algorithm::allreduce::census_counts(entry.at("params").at("k")));
  } else if (what == "swing-rho") {
    std::vector<Rank> distances;
    for (std::size_t i = 0; i < expected.at("rho").size(); ++i)
      distances.push_back(algorithm::allreduce::swing_distance(static_cast<int>(i)));
    compare.equal("rho", expected.at("rho"), distances);
  } else {
    throw NotBuilt{"structure " + what};
  }
  return compare.complaints();
}

}  // namespace
}  // namespace reductions

bool is_about_reductions(const Json& file) {
  return !file.empty() && file[0].value("kind", "") == "readme" && file[0].contains("units") &&
         file[0].at("units").contains("time_per_combined_word");
}

void check_reductions(const Json& file, Tally& tally) {
  for (const Json& entry : file) {
    const std::string kind = entry.value("kind", "");
    if (kind == "readme") continue;
    tally.entry(entry.value("id", "entry without id"), [&]() -> std::string {
      if (kind == "execution") return reductions::check_execution(entry);
      if (kind == "bound") return reductions::check_bound(entry);
      if (kind == "structure") return reductions::check_structure(entry);
      return "unknown kind '" + kind + "'";
    });
  }
}

}  // namespace quadrille::reference
