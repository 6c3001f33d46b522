// Ranks of a communicator whose memory this rank can read, and they this one's.
#pragma once

#include <vector>

#include "mpi/arena.hpp"
#include "mpi/peers.hpp"

namespace quadrille::mpi {

/// The ranks of a host are neighbours when every one of them can map the arenas of all of them; else none are.
class Neighbours {
 public:
  /// From this size on a message between neighbours is fetched by its receiver.
  static constexpr Bytes worth_it = 4 << 10;

  /// Collective, also over ranks that share nothing. `willing`: whether this rank takes part. `least`: as worth_it,
  /// equal on all ranks.
  explicit Neighbours(const Peers& peers, bool willing = true, Bytes least = worth_it);

  /// Null for this rank itself and for ranks that are no neighbours.
  const Window* window(int rank) const { return windows_[static_cast<std::size_t>(rank)]; }
  Bytes least() const { return least_; }
  int count() const { return count_; }  ///< of neighbours, without this rank

 private:
  std::vector<const Window*> windows_;
  int count_ = 0;
  Bytes least_;
};

}  // namespace quadrille::mpi
