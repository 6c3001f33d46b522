#include "algorithm/multibcast/shared/halving.hpp"

#include <algorithm>

namespace quadrille::algorithm::multibcast {

Slot share_of_first(Slot sources, Rank p1, Rank p) {
  const Slot nearest = (2 * sources * p1 + p) / (2 * p);
  return std::clamp(nearest, std::max<Slot>(0, sources - (p - p1)), std::min<Slot>(p1, sources));
}

pattern::MergePlan in_two_groups(const Spec& spec, Half first, Half second) {
  pattern::MergePlan plan{
      .sources = spec.sources, .ranks = spec.ranks(), .placed = std::move(first.placed), .groups = {}, .exchange = {}};
  plan.placed.insert(plan.placed.end(), second.placed.begin(), second.placed.end());
  plan.exchange.resize(static_cast<std::size_t>(spec.ranks()));
  const auto talk = [&](Rank r) -> pattern::Talk& { return plan.exchange[static_cast<std::size_t>(r)]; };
  for (std::size_t x = 0; x < second.ranks.size(); ++x) {
    const Rank low = first.ranks[x], high = second.ranks[x];
    talk(low).partner = high;
    talk(high).partner = low;
    talk(high).low = false;
  }
  const std::size_t extra = std::min(first.ranks.size() - second.ranks.size(), second.ranks.size());
  for (std::size_t x = 0; x < extra; ++x) {
    const Rank low = first.ranks[second.ranks.size() + x], high = second.ranks[x];
    talk(high).only_to = low;
    talk(low).only_from = high;
  }
  plan.groups = {std::move(first.phases), std::move(second.phases)};
  return plan;
}

}  // namespace quadrille::algorithm::multibcast
