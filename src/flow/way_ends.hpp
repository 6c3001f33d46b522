// Ways by how they end.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "flow/parcel_ways.hpp"

namespace quadrille::flow {

/// Of many ways, those that end alike from some arc on have that end in common.
class WayEnds {
 public:
  struct End {
    std::int32_t arc, next;  ///< the arc, and the end after it; -1: none
    std::int32_t arcs;
  };
  /// The whole way as an end.
  std::int32_t of(const Way& way) {
    std::int32_t end = -1;
    for (auto arc = way.rbegin(); arc != way.rend(); ++arc) {
      const auto [known, added] = numbers_.try_emplace(key(*arc, end), static_cast<std::int32_t>(ends_.size()));
      if (added) ends_.push_back({*arc, end, end < 0 ? 1 : (*this)[end].arcs + 1});
      end = known->second;
    }
    return end;
  }
  const End& operator[](std::int32_t end) const { return ends_[static_cast<std::size_t>(end)]; }
  std::size_t size() const { return ends_.size(); }

 private:
  static std::int64_t key(std::int32_t arc, std::int32_t next) { return (std::int64_t{arc} << 32) + (next + 1); }
  std::unordered_map<std::int64_t, std::int32_t> numbers_;
  std::vector<End> ends_;
};

}  // namespace quadrille::flow
