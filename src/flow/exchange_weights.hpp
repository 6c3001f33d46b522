// A bracket of a complete exchange made narrower: lengths of arcs grow with what they carry, and every source sends
// along shortest ways (Garg & Koenemann 1998, Fleischer 2000). Both ends are exact fractions with a certificate.
#pragma once

#include "flow/exchange.hpp"

namespace quadrille::flow {

/// When to stop: upper <= lower * (1 + gap), or after so many visits to arcs. The same on every computer.
struct ExchangeEffort {
  double gap = 0.01;
  std::int64_t visits = std::int64_t{1} << 26;
};
/// Improves both ends of a bracket of exchange_bracket(). Every host must be reachable from every other.
void narrow_by_weights(const Network& network, const ExchangeEffort& effort, ExchangeBracket& bracket,
                       const Wants& wants = {});

/// Whole lengths in proportion to these.
Lengths whole_lengths(const std::vector<double>& lengths);

}  // namespace quadrille::flow
