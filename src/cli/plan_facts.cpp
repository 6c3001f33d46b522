#include "cli/plan_facts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "cli/words.hpp"
#include "quadrille/multiphase.hpp"

namespace quadrille::cli {

namespace {

/// Counts the places that messages are gathered from, without keeping them.
class Places final : public Steps {
 public:
  bool wants(Kind kind, Rank) const override { return kind == Kind::send; }
  void add(const Transfer& x) override {
    const bool packed = x.slots.stride == x.slots.run || x.slots.size <= x.slots.run;
    if (x.kind == Kind::send && x.slots.size > 0) places_ += packed ? 1 : ceil_div(x.slots.size, x.slots.run);
  }
  Slot count() const { return places_; }

 private:
  Slot places_ = 0;
};

/// Machines that charge for permutations do not charge for a message made of scattered blocks: papers differ in which
/// of the two they do, and a reader who compares them should know.
std::string free_gathering(const Plan& plan) {
  const Candidate& best = plan.best();
  if (plan.machine.rho == 0 || plan.spec.bytes == 0 || best.cost.permuted > 0) return {};
  if (std::none_of(plan.candidates.begin(), plan.candidates.end(),
                   [](const Candidate& c) { return c.cost.permuted > 0; }))
    return {};
  const Built built = build(plan.spec, plan.machine, {best.algorithm, best.params});
  Places places;
  Summary summary;
  built.schedule->step(0, 0, places);
  const auto sent = std::count_if(summary.of(*built.schedule, 0, 0).begin(), summary.of(*built.schedule, 0, 0).end(),
                                  [](const Summary::Message& m) { return m.kind == Kind::send; });
  if (places.count() <= sent) return {};
  return fmt::format(
      "{} sends blocks straight from {} scattered places in its first round. The model charges nothing for that, while "
      "the "
      "others pay {} a byte for their permutations",
      best.algorithm->name, format_count(places.count()), format_seconds(plan.machine.rho));
}

bool has_phases(const Candidate& c) { return c.algorithm->name == "alltoall_mce" && c.params.has("phases"); }

/// Why some partitions into phases were not priced.
std::string partitions_priced(const Plan& plan, int dimension) {
  const std::size_t all = partitions(dimension).size();
  if (plan.machine.circuit == CircuitCost::exact && plan.machine.per_hop > 0)
    return fmt::format(
        "all {} partitions of {} dimensions into phases were priced, because circuits are paid by the hop: there the "
        "best "
        "phases may differ in length (Nicol & Bokhari's Theorem 1 is about an average circuit)",
        all, dimension);
  return fmt::format(
      "of the {} partitions of {} dimensions into phases only the {} into nearly equal ones were priced: one of them "
      "is "
      "optimal (Nicol & Bokhari 1994, Theorem 1)",
      all, dimension, dimension);
}

/// "2,2,2 below 6.3 B, 3,3 below 122 B, then 6".
std::string best_by_size(const Plan& plan, int dimension) {
  const ThresholdTable table = threshold_table(multiphase_model(plan.machine, dimension));
  std::string text;
  for (std::size_t i = 0; i < table.entries.size(); ++i) {
    const std::string phases = join(table.entries[i].phases, ",");
    if (i + 1 == table.entries.size()) return text + (i == 0 ? phases + " at every size" : "then " + phases);
    text += fmt::format("{} below {:.4g} B, ", phases, table.entries[i + 1].from);
  }
  return text;
}

}  // namespace

std::vector<std::string> facts(const Plan& plan) {
  std::vector<std::string> all;
  if (std::string text = free_gathering(plan); !text.empty()) all.push_back(std::move(text));
  if (std::any_of(plan.candidates.begin(), plan.candidates.end(), has_phases)) {
    const int dimension = log2_floor(plan.spec.ranks());
    all.push_back(partitions_priced(plan, dimension));
    all.push_back("the best phases by block size: " + best_by_size(plan, dimension) +
                  fmt::format(" ({} is alltoall_direct, 1,1,... is alltoall_standard)", dimension));
  }
  return all;
}

}  // namespace quadrille::cli
