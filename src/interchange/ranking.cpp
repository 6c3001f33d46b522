#include "interchange/ranking.hpp"

#include <algorithm>
#include <deque>

namespace quadrille::interchange {

std::optional<std::vector<Round>> earliest_rounds(std::size_t operations, const std::vector<Precedes>& order) {
  std::vector<std::size_t> first(operations + 1, 0);
  for (const Precedes& p : order) ++first[p.from + 1];
  for (std::size_t i = 0; i < operations; ++i) first[i + 1] += first[i];
  std::vector<Precedes> sorted(order.size());
  std::vector<std::size_t> place(first.begin(), first.end());
  for (const Precedes& p : order) sorted[place[p.from]++] = p;

  std::vector<Round> rounds(operations, 0);
  std::vector<bool> waiting(operations, true);
  std::deque<std::size_t> queue;
  for (std::size_t i = 0; i < operations; ++i) queue.push_back(i);
  while (!queue.empty()) {
    const std::size_t now = queue.front();
    queue.pop_front();
    waiting[now] = false;
    for (std::size_t i = first[now]; i < first[now + 1]; ++i) {
      const Precedes& p = sorted[i];
      const Round least = rounds[now] + p.gap;
      if (rounds[p.to] >= least) continue;
      if (least > static_cast<Round>(operations)) return std::nullopt;  // only a circle with a gap leads so far
      rounds[p.to] = least;
      if (!waiting[p.to]) waiting[p.to] = true, queue.push_back(p.to);
    }
  }
  return rounds;
}

}  // namespace quadrille::interchange
