// The optimum of an exchange where the network is small: a linear program whose columns are trees, each found
// as shortest ways under the present lengths (Dantzig & Wolfe 1960). Its result is only believed where exact fractions
// of both ends agree.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/exchange_weights.hpp"

namespace quadrille::flow {

/// Whether the program is small: links and ranks together. A second, or less.
bool small_enough_for_optimum(const Network& network);
/// Improves both ends of a bracket of exchange_bracket(), mostly until they are equal.
void close_by_trees(const Network& network, ExchangeBracket& bracket, const Wants& wants = {});

/// Of a source's words so great a share goes along the ways of a tree.
struct TreeShare {
  Rank source = 0;
  double share = 1;
  std::vector<std::int32_t> arcs;  ///< that have words on them
};
/// Trees that reach the optimum together, the shares of each source being 1. None where the program takes too long.
std::vector<TreeShare> best_trees(const Network& network, const Wants& wants = {});

/// The narrowest bracket that the effort allows: simple lengths first, then the program where it is small, else
/// weights.
ExchangeBracket exchange_within(const Network& network, const ExchangeEffort& effort, const Wants& wants = {});

}  // namespace quadrille::flow
