#include "algorithm/pattern/pair_swaps.hpp"

#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/shift.hpp"
#include "base/integer.hpp"

namespace quadrille::algorithm::pattern {

namespace {

constexpr Rank most_counted = 1024;

bool has_media(const Spec& spec) { return kit::is_bus(spec) || kit::has_own_wires(spec); }

}  // namespace

std::string needs_swaps(const Spec& spec, const Machine& machine) {
  if (has_media(spec)) return {};
  const bool passes = one_way(machine) && machine.switching != Switching::store_and_forward;
  const bool only_way = !spec.topology->direct() && !kit::is_switch(spec);  // elsewhere shifts take as few rounds
  if ((passes || only_way) && !kit::is_memory(spec) && spec.ranks() <= most_counted) return {};
  return fmt::format("needs a bus or a crossbar, and {} is neither; nearest: bus:{}", spec.topology->text(),
                     spec.ranks());
}

std::vector<Params> swap_variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> variants{{}};
  if (machine.switching == Switching::circuit && one_way(machine) && !kit::is_bus(spec))
    variants.push_back(Params{{std::string(barriers.name), {1}}});
  return variants;
}

Claims swap_claims(const Spec& spec, const Machine& machine, const Params& params) {
  return has_media(spec) ? kit::all_claims(spec, machine, params) : Claims{.contention_free = false};
}

Cost swap_cost(const Spec& spec, const Machine& machine, const Params& params, const Schedule& schedule) {
  const Round rounds = schedule.shape().rounds;
  Cost cost = has_media(spec) ? kit::neighbour_cost(rounds, base::checked_multiply(rounds, spec.bytes, "bytes"))
                              : kit::counted_cost(spec, machine, schedule);
  if (params.get(barriers.name, 0) != 0) cost.barriers = std::max<Round>(0, rounds - 1);
  return cost;
}

Swaps::Swaps(const Spec& spec, const Machine& machine, Rank pairs)
    : pairs_(pairs),
      at_once_(kit::is_bus(spec) ? std::min(machine.shared, pairs) : pairs),
      both_ways_(!kit::is_bus(spec) && !kit::half_duplex(machine)) {}

Round Swaps::rounds() const { return base::ceil_div(pairs_, at_once_) * (both_ways_ ? 1 : 2); }

bool Swaps::sends(Round t, Rank pair, bool first) const {
  const Round group = both_ways_ ? t : t / 2;
  return pair / at_once_ == group && (both_ways_ || first == (t % 2 == 0));
}

Rank mirrored_pairs(const Spec& spec) {
  const Rank side = base::nearest_root(spec.ranks());
  return side * (side - 1) / 2;
}

}  // namespace quadrille::algorithm::pattern
