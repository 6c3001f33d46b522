#include "report/items.hpp"

#include <algorithm>

namespace quadrille::report {

namespace {

/// The runs of the blocks items[begin .. end), their number first.
Numbers runs_of(const std::vector<Item>& items, std::size_t begin, std::size_t end) {
  Numbers runs{0};
  for (std::size_t i = begin; i < end;) {
    const std::int64_t stride = i + 1 < end ? items[i + 1].block - items[i].block : 1;
    std::size_t j = i + 1;
    while (j < end && items[j].block - items[j - 1].block == stride) ++j;
    runs.insert(runs.end(), {items[i].block, static_cast<std::int64_t>(j - i), stride});
    ++runs.front();
    i = j;
  }
  return runs;
}

}  // namespace

Numbers packed(std::vector<Item>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  Numbers all, last;
  std::size_t count_at = 0;  // where the group's number of pieces is
  for (std::size_t i = 0; i < items.size();) {
    std::size_t j = i;
    while (j < items.size() && items[j].piece == items[i].piece) ++j;
    Numbers runs = runs_of(items, i, j);
    if (!all.empty() && runs == last && items[i].piece == all[count_at - 1] + all[count_at]) {
      ++all[count_at];
    } else {
      all.push_back(items[i].piece);
      count_at = all.size();
      all.push_back(1);
      all.insert(all.end(), runs.begin(), runs.end());
      last = std::move(runs);
    }
    i = j;
  }
  return all;
}

}  // namespace quadrille::report
