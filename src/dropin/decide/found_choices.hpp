// What trials of this run have found, for other communicators of the same ranks.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::dropin {

/// Used by several threads at once.
class FoundChoices {
 public:
  using Ranks = std::vector<int>;  ///< of MPI_COMM_WORLD, in a communicator's order
  static constexpr std::size_t most = 4096;

  /// "native", or a plan; empty: nothing is known. `row`: RowTable::place().
  std::string find(const Ranks& ranks, std::size_t row) const {
    const std::scoped_lock lock(mutex_);
    const auto at = found_.find({ranks, row});
    return at == found_.end() ? std::string() : at->second;
  }
  /// Replaces what was known. Where there is no room for more it is not kept.
  void put(const Ranks& ranks, std::size_t row, const std::string& choice) {
    const std::scoped_lock lock(mutex_);
    if (found_.size() < most || found_.contains({ranks, row})) found_[{ranks, row}] = choice;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<Ranks, std::size_t>, std::string> found_;
};

}  // namespace quadrille::dropin
