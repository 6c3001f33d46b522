// Sets of blocks and pieces as short lists of numbers, each distinct one kept once.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::report {

using Numbers = std::vector<std::int64_t>;

/// Lists that are told apart by a number, given out in order of first use.
class Dictionary {
 public:
  std::int64_t number(const Numbers& list) {
    const auto [at, fresh] = index_.try_emplace(list, static_cast<std::int64_t>(lists_.size()));
    if (fresh) {
      lists_.push_back(&at->first);
      size_ += static_cast<std::int64_t>(list.size()) + 1;
    }
    return at->second;
  }
  const std::vector<const Numbers*>& lists() const { return lists_; }
  /// Numbers in all lists together.
  std::int64_t size() const { return size_; }

 private:
  std::map<Numbers, std::int64_t> index_;
  std::vector<const Numbers*> lists_;
  std::int64_t size_ = 0;
};

/// A piece of a block, by the names that go into the document.
struct Item {
  std::int64_t piece, block;
  auto operator<=>(const Item&) const = default;
};

/// Groups of pieces with the same blocks: first piece, pieces, runs of blocks, and of each run its first block, length
/// and stride. Sorts `items`.
Numbers packed(std::vector<Item>& items);

}  // namespace quadrille::report
