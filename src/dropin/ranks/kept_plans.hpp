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

  /// The one of the least number that is kept for these ranks, while they talk about whether all have it. Threads with
  /// communicators of the same ranks would else agree on the same one. What is not taken goes back.
  class Reserved {
   public:
    Reserved() = default;
    Reserved(KeptPlans& from, const Ranks& ranks) : from_(&from), one_(from.least(ranks)) {}
    Reserved(Reserved&& other) noexcept : from_(other.from_), one_(std::move(other.one_)) {}
    Reserved& operator=(Reserved&&) = delete;
    ~Reserved() {
      if (one_) from_->put_back(std::move(one_));
    }
    /// 0: there is none.
    std::int64_t number() const { return one_ ? one_.mapped().plans.number() : 0; }
    Kept take() {
      auto one = std::move(one_);
      return std::move(one.mapped());
    }

   private:
    KeptPlans* from_ = nullptr;
    std::multimap<Ranks, Kept>::node_type one_;
  };
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
  using Table = std::multimap<Ranks, Kept>;

  Table::node_type least(const Ranks& ranks) {
    const std::scoped_lock lock(mutex_);
    const auto [first, last] = kept_.equal_range(ranks);
    const auto at = std::min_element(
        first, last, [](const auto& a, const auto& b) { return a.second.plans.number() < b.second.plans.number(); });
    return at == last ? Table::node_type() : kept_.extract(at);
  }
  void put_back(Table::node_type one) {
    const std::scoped_lock lock(mutex_);
    kept_.insert(std::move(one));
  }

  std::mutex mutex_;
  bool ended_ = false;
  Table kept_;
};

}  // namespace quadrille::dropin
