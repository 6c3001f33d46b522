// What plans answer at most.
#pragma once

#include "dropin/decide/request.hpp"

namespace quadrille::dropin {

constexpr Bytes most_memory = Bytes{1} << 30;  ///< of one call

inline bool takes_too_much(const Request& request, int ranks) {
  const bool of_a_block = facts_of(request.operation).bytes == BytesAre::of_a_block;
  return request.bytes > (of_a_block ? most_memory / ranks : most_memory);
}

}  // namespace quadrille::dropin
