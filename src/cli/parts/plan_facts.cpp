#include "cli/parts/plan_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "console/words.hpp"
#include "quadrille/multiphase.hpp"

namespace quadrille::cli {

namespace {

/// A reader who compares a packed with a permuted candidate should know that both are charged alike.
std::string packing(const Plan& plan) {
  const Candidate& best = plan.best();
  if (plan.machine.rho == 0 || best.cost.packed == 0) return {};
  return fmt::format(
      "some messages of {} are not single runs of memory: {} gathered and scattered by a rank are charged like a "
      "permutation",
      best.algorithm->name, base::format_bytes(best.cost.packed));
}

bool has_phases(const Candidate& c) { return c.params.has("phases"); }

/// Why some partitions into phases were not priced; empty when all were because they are few.
std::string partitions_priced(const Plan& plan, int dimension) {
  const std::size_t all = partitions(dimension).size();
  if (plan.machine.circuit == CircuitCost::exact && plan.machine.per_hop > 0)
    return fmt::format(
        "all {} partitions of {} dimensions into phases were priced, because circuits are paid by the hop: there the "
        "best phases may differ in length (Nicol & Bokhari's Theorem 1 is about an average circuit)",
        all, dimension);
  if (all == static_cast<std::size_t>(dimension)) return {};  // they are all nearly equal
  return fmt::format(
      "of the {} partitions of {} dimensions into phases only the {} into nearly equal ones were priced: one of them "
      "is optimal (Nicol & Bokhari 1994, Theorem 1)",
      all, dimension, dimension);
}

/// "2,2,2", "2,3 (6 times)": phase lengths; more than four equal ones are counted.
std::string short_form(const Partition& phases) {
  std::string text;
  for (std::size_t i = 0, same = 0; i < phases.size(); i += same) {
    for (same = 1; i + same < phases.size() && phases[i + same] == phases[i];) ++same;
    text += fmt::format("{}{}", i == 0 ? "" : ",", phases[i]);
    if (same > 4) text += fmt::format(" ({} times)", same);
    for (std::size_t k = 1; same <= 4 && k < same; ++k) text += fmt::format(",{}", phases[i]);
  }
  return text;
}

std::string size_text(double bytes) {
  return bytes < 1000 ? fmt::format("{:.1f} B", bytes) : base::format_bytes(static_cast<Bytes>(std::ceil(bytes)));
}

/// "2,2,2 below 6.3 B, 3,3 below 122.4 B, then 6", for blocks of a byte and more.
std::string best_by_size(const Plan& plan, int dimension) {
  const ThresholdTable table = threshold_table(multiphase_model(plan.machine, dimension));
  std::vector<std::string> parts;
  for (std::size_t i = 0; i + 1 < table.entries.size(); ++i)
    if (const double to = table.entries[i + 1].from; to > 1)
      parts.push_back(fmt::format("{} below {}", short_form(table.entries[i].phases), size_text(to)));
  const std::string last = short_form(table.entries.back().phases);
  parts.push_back(parts.empty() ? last + " at every size" : "then " + last);
  return base::join(parts, ", ");
}

/// Whether the algorithms that move the sources first are worth it for these sources.
std::string repositioning(const Plan& plan) {
  const Candidate *moving = nullptr, *staying = nullptr;
  for (const Candidate& c : plan.candidates) {
    const Candidate*& first = c.algorithm->moves_sources ? moving : staying;
    if (first == nullptr) first = &c;
  }
  if (moving == nullptr || staying == nullptr) return {};
  const std::string_view verdict = moving->time < staying->time ? "pays" : "does not pay";
  return fmt::format("moving the sources first {} here: {} takes {}, {} without moving them {}", verdict,
                     to_text(*moving->algorithm, moving->params), console::time_text(moving->time, plan.machine),
                     to_text(*staying->algorithm, staying->params), console::time_text(staying->time, plan.machine));
}

/// The same question where schedules may choose ways.
Spec by_chosen_ways(Spec spec) {
  spec.topology = parse_topology(spec.topology->text() + ":routes=chosen");
  return spec;
}

/// What the plan's best candidate takes there; nothing where it cannot run, as groups of ranks are the network's own,
/// or where that is more than can be counted.
std::optional<Seconds> time_of_best(const Plan& plan, const Spec& same) {
  const Candidate& best = plan.best();
  if (!best.algorithm->illegal(same, plan.machine, best.params).empty()) return std::nullopt;
  try {
    const Built built = build(same, plan.machine, {best.algorithm, best.params});
    return seconds(built.formula, plan.machine, *same.topology);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    return std::nullopt;
  }
}

/// The time by the network's own routes where the schedule chose its ways; else by chosen ways, where they would gain
/// something and the plan is more than a twentieth above the limit. Of more ranks nobody looks for ways unasked.
std::string other_routes(const Plan& plan) {
  constexpr double near = 1.05;
  constexpr Rank most_looked_for = 400;  ///< whose ways are found in a second
  const Topology& t = *plan.spec.topology;
  const Topology::Structure structure = t.structure();
  if (t.direct() || !structure.routed || structure.per_node > 0) return {};
  if (!t.chooses_ways() && (plan.gap() <= near || t.ranks() > most_looked_for)) return {};
  const std::optional<Seconds> other =
      time_of_best(plan, t.chooses_ways() ? by_routes(plan.spec) : by_chosen_ways(plan.spec));
  if (!other) return {};
  const std::string text = console::time_text(*other, plan.machine);
  if (t.chooses_ways())
    return *other > plan.best().time
               ? "messages between two ranks take ways that the schedule chose; by balanced routes it takes " + text
               : "";
  if (*other * near > plan.best().time) return {};
  return fmt::format(
      "if a schedule could choose the way of each pair of ranks it would take {}: ':routes=chosen' behind the network",
      text);
}

}  // namespace

std::vector<std::string> facts(const Plan& plan, bool quick) {
  std::vector<std::string> all;
  if (std::string text = quick ? "" : other_routes(plan); !text.empty()) all.push_back(std::move(text));
  if (std::string text = packing(plan); !text.empty()) all.push_back(std::move(text));
  if (std::string text = repositioning(plan); !text.empty()) all.push_back(std::move(text));
  if (std::any_of(plan.candidates.begin(), plan.candidates.end(), has_phases)) {
    const int dimension = base::log2_floor(plan.spec.ranks());
    if (std::string text = partitions_priced(plan, dimension); !text.empty()) all.push_back(std::move(text));
    all.push_back(fmt::format(
        "the best phases of alltoall_mce by block size: {} ({} alone is alltoall_direct, {} is alltoall_standard)",
        best_by_size(plan, dimension), dimension, short_form(Partition(static_cast<std::size_t>(dimension), 1))));
  }
  return all;
}

}  // namespace quadrille::cli
