#include "algorithm/allgather/shared/link_spread.hpp"

#include <algorithm>

#include "algorithm/allgather/shared/necklace.hpp"

namespace quadrille::algorithm::allgather {

namespace {

struct ShortClass {
  std::uint32_t smallest;
  int period, weight;
};

}  // namespace

Spread::Spread(int n, const std::vector<Weights>& steps)
    : n_(n), steps_(steps), full_(static_cast<std::size_t>(n) + 1), rest_(steps.size() * static_cast<std::size_t>(n)) {
  std::vector<ShortClass> shorts;
  each_necklace(n, [&](std::int64_t word, int period) {
    const auto smallest = static_cast<std::uint32_t>(word);
    if (period == n)
      full_[static_cast<std::size_t>(base::popcount(word))].push_back(smallest);
    else
      shorts.push_back({smallest, period, base::popcount(word)});
  });
  std::stable_sort(shorts.begin(), shorts.end(),
                   [](const ShortClass& a, const ShortClass& b) { return a.period > b.period; });
  for (std::size_t step = 0; step < steps.size(); ++step)
    for (const ShortClass& c : shorts) {
      if (c.weight < steps[step].low || c.weight > steps[step].high) continue;
      for (int turn = 0; turn < c.period; ++turn) {
        auto* least = &rest_[step * static_cast<std::size_t>(n) + static_cast<std::size_t>(turn)];
        for (int j = turn; j < n; j += c.period) {
          auto& candidate = rest_[step * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)];
          if (candidate.size() < least->size()) least = &candidate;
        }
        least->push_back(static_cast<std::uint32_t>(base::rotate_left(c.smallest, turn, n)));
      }
    }
}

void Spread::members(std::size_t step, int j, std::vector<std::uint32_t>& z) const {
  z.clear();
  for (int w = steps_[step].low; w <= steps_[step].high; ++w)
    for (const std::uint32_t smallest : full_[static_cast<std::size_t>(w)])
      z.push_back(static_cast<std::uint32_t>(base::rotate_left(smallest, j, n_)));
  const auto& rest = rest_[step * static_cast<std::size_t>(n_) + static_cast<std::size_t>(j)];
  z.insert(z.end(), rest.begin(), rest.end());
}

}  // namespace quadrille::algorithm::allgather
