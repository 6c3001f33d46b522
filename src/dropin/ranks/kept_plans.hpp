// What freed communicators leave to later ones of the same ranks: their plans, and what was decided on their rows.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "dropin/decide/row.hpp"
#include "dropin/perform/plan_store.hpp"

namespace quadrille::dropin {

/// Used by several threads at once.
class KeptPlans {
 public:
  using Ranks = std::vector<int>;  ///< of MPI_COMM_WORLD, in a communicator's order
  static constexpr std::size_t most = 16;
  struct Kept {
    PlanStore plans;
    RowTable rows;
  };

  /// The least number of a private communicator that is kept for these ranks; 0: there is none.
  std::int64_t least_number(const Ranks& ranks) const {
    const std::scoped_lock lock(mutex_);
    std::int64_t least = 0;
    const auto [first, last] = kept_.equal_range(ranks);
    for (auto at = first; at != last; ++at) {
      const std::int64_t number = at->second.plans.number();
      least = least == 0 ? number : std::min(least, number);
    }
    return least;
  }
  /// The one of this number, which there is.
  Kept take(const Ranks& ranks, std::int64_t number) {
    const std::scoped_lock lock(mutex_);
    auto at = kept_.equal_range(ranks).first;
    while (at->second.plans.number() != number) ++at;
    return std::move(kept_.extract(at).mapped());
  }
  /// False where nothing can be kept: then both are as they were.
  bool put(const Ranks& ranks, PlanStore& plans, RowTable& rows) {
    const std::scoped_lock lock(mutex_);
    if (ended_ || kept_.size() >= most) return false;
    kept_.emplace(ranks, Kept{std::move(plans), std::move(rows)});
    plans = {};
    return true;
  }
  /// From now on nothing is kept any more.
  void end() {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  void clear() {
    const std::scoped_lock lock(mutex_);
    kept_.clear();
  }

 private:
  mutable std::mutex mutex_;
  bool ended_ = false;
  std::multimap<Ranks, Kept> kept_;
};

}  // namespace quadrille::dropin
