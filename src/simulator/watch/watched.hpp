// What is known of messages in a watched run, and as an observer is told of it.
#pragma once

#include <cstdint>

#include "quadrille/timeline.hpp"
#include "simulator/flight.hpp"

namespace quadrille::simulator {

/// A message under way, besides its flight: two lines of the cache.
struct Watched {
  TimeParts until_arrived = {};
  Seconds asked = 0, began = 0, came = 0, left = 0;
  std::uint32_t links = 0;
  bool here = false;  ///< it has arrived, and that was told
};

/// A rank's own message that leaves last, which others may have forgotten by then.
struct Own {
  TimeParts until_left;
  Seconds asked = 0, began = 0, left = 0;
  Bytes bytes = 0;
  std::uint32_t id = 0, to = 0, round = 0, links = 0;
};

inline Passage passage_of(std::uint32_t f, const Flight& flight, const Watched& m, const TimeParts& until_left,
                          Seconds arrived) {
  return {.id = f,
          .from = flight.from,
          .to = flight.to,
          .round = flight.round,
          .bytes = flight.bytes,
          .links = m.links,
          .asked = m.asked,
          .began = m.began,
          .came = m.came,
          .left = m.left,
          .arrived = arrived,
          .until_left = until_left,
          .until_arrived = m.until_arrived};
}

inline Passage passage_of(const Own& own, std::uint32_t from) {
  return {.id = own.id,
          .from = from,
          .to = own.to,
          .round = own.round,
          .bytes = own.bytes,
          .links = own.links,
          .asked = own.asked,
          .began = own.began,
          .left = own.left,
          .until_left = own.until_left};
}

}  // namespace quadrille::simulator
