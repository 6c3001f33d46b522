#include "algorithm/kit/tree_pieces.hpp"

#include <algorithm>
#include <cmath>

namespace quadrille::algorithm::kit {

TreePieces best_pieces(const TreePipeline& p, Seconds startup) {
  TreePieces best{std::max<std::int64_t>(1, p.most)};
  const auto each = static_cast<double>(p.rounds), idle = static_cast<double>(std::max<std::int64_t>(1, p.idle));
  const Seconds more = startup + p.rounded;
  if (more > 0)
    best.pieces = std::clamp<std::int64_t>(std::llround(std::sqrt(idle * p.wire / more) / each), 1, best.pieces);
  const double busy = static_cast<double>(best.pieces) * each;
  best.time = (busy + idle) * (more + p.wire / busy);
  return best;
}

}  // namespace quadrille::algorithm::kit
