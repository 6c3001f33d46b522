// Chunks that all ranks must get, handed on in rounds: every rank takes from its neighbours what the fewest ranks have.
// No search beyond that, and no chance: the same question has the same answer everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::flow {

/// A way from a rank to a neighbour.
struct Channel {
  std::int32_t from = 0, to = 0;
  std::int32_t chunks =
      1;  ///< that it carries in a round; 1 or more; where it meets others, as many as its links let through
  std::int32_t wire = 0;  ///< the channel the other way has the same number, where there is one
  /// Links on which it meets other channels; none: it is a link by itself.
  std::vector<std::int32_t> links = {};

  bool operator==(const Channel&) const = default;
};

struct Spreading {
  Rank ranks = 0;
  std::vector<Channel> channels;
  std::vector<Rank> owners = {};               ///< of every chunk
  std::vector<std::int32_t> link_chunks = {};  ///< that each of the links carries in a round, of all its channels
  bool one_port = false;                       ///< a rank sends to one other in a round, and takes from one
  bool one_way = false;                        ///< a wire is used in one direction in a round
  bool one_task = false;                       ///< a rank sends or takes in a round
};

/// In round `round` the chunk goes over the channel, whose sender has had it before.
struct Arrival {
  std::int32_t round = 0, channel = 0, chunk = 0;
  bool operator==(const Arrival&) const = default;
};
/// In the order of rounds. Every rank gets every chunk that it does not own once. Throws Error(argument) where a rank
/// cannot be reached.
struct RoundPlan {
  std::vector<Arrival> arrivals;
  std::int32_t rounds = 0;
};
RoundPlan rarest_first(const Spreading& spreading);

/// No plan has fewer rounds: what some rank lacks of what is so far away, over what its channels bring in a round.
std::int64_t least_rounds(const Spreading& spreading);

}  // namespace quadrille::flow
