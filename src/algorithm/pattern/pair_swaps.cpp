#include "algorithm/pattern/pair_swaps.hpp"

#include "algorithm/kit/support.hpp"
#include "base/integer.hpp"

namespace quadrille::algorithm::pattern {

std::string needs_swaps(const Spec& spec) {
  if (kit::is_bus(spec) || kit::has_own_wires(spec)) return {};
  return fmt::format("needs a bus or a crossbar, and {} is neither; nearest: bus:{}", spec.topology->text(),
                     spec.ranks());
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
