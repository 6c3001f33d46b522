// Pieces of what goes down trees: few start-ups against short waits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "quadrille/collective.hpp"

namespace quadrille::algorithm::kit {

/// Rounds of pieces that follow each other.
struct TreePipeline {
  std::int64_t rounds = 1;  ///< in which a piece of each copy of a tree goes over every arc
  std::int64_t idle = 1;    ///< at the beginning and the end, in which links have less to carry
  std::int64_t most = 1;    ///< pieces
  Seconds wire = 0;         ///< that links take for all
  Seconds rounded = 0;      ///< that a round takes longer as whole bytes of a message go each way
};
/// Half a word of trees that carry so many each, where messages are divided among ways; else nothing.
inline Seconds rounded_words(const Spec& spec, Seconds wire, std::int64_t words) {
  return spec.topology->chooses_ways() ? wire / (2 * static_cast<double>(std::max<std::int64_t>(1, words))) : 0;
}

struct TreePieces {
  std::int64_t pieces = 1;
  Seconds time = 0;  ///< that all rounds take with them
};
/// As many as make rounds shortest in all, where each takes so long to start; the most where that is nothing.
TreePieces best_pieces(const TreePipeline& pipeline, Seconds startup);

/// A message has pieces of one tree, or of all that its arc serves; in so many pieces go the shares of trees.
struct TreeMessages {
  bool together = false;
  std::int64_t pieces = 1;
};
/// Several trees in a message are several stretches of memory: worth it where that costs nothing, or saves more.
inline TreeMessages best_messages(const TreePieces& alone, const TreePieces& together, Seconds packing) {
  const bool worth = packing <= std::max(0.0, alone.time - together.time);
  return {worth, worth ? together.pieces : alone.pieces};
}

}  // namespace quadrille::algorithm::kit
