// Ranks where packets of several paths meet, and the messages that they then send in one round.
#pragma once

#include <utility>
#include <vector>

#include "algorithm/sendrecv/shared/paths.hpp"

namespace quadrille::algorithm::sendrecv {

/// Whether the paths are short enough to look at each of their ranks.
bool looks_for_meetings(const PathSet& paths);

/// Further messages where the packets of several paths leave the source, come to the target, or pass a rank on several
/// paths at once.
class PathCrowds {
 public:
  explicit PathCrowds(const PathSet& paths);
  /// With so many packets on each path, one a round.
  std::int64_t further(const std::vector<std::int64_t>& packets) const;
  std::int64_t further(std::int64_t packets) const;

 private:
  using Meeting = std::vector<std::pair<std::size_t, std::int64_t>>;  ///< the paths at a rank, and its position there
  kit::Lengths lengths_;
  std::vector<Meeting> meetings_;
};

}  // namespace quadrille::algorithm::sendrecv
