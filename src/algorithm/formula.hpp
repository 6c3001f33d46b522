// What rooms above ask of an algorithm by these functions, never by its members.
#pragma once

#include <optional>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm {

/// Where there are no bytes nothing is sent, whatever the algorithm's own form says. [decision 7]
inline Cost formula(const Algorithm& algorithm, const Spec& spec, const Machine& machine, const Params& params) {
  return spec.bytes == 0 ? Cost{} : algorithm.cost(spec, machine, params);
}

/// Its price, where that is below `most`. No schedule is built where the least possible time is above it.
inline std::optional<Seconds> time_below(Seconds most, const Algorithm& algorithm, const Spec& spec,
                                         const Machine& machine, const Params& params) {
  constexpr double rounded = 1 + 1e-9;
  if (algorithm.least != nullptr && algorithm.least(spec, machine, params) > most * rounded) return {};
  const Seconds time = seconds(formula(algorithm, spec, machine, params), machine, *spec.topology);
  return time < most ? std::optional(time) : std::nullopt;
}

/// The algorithm that runs the same schedule under a name of its own; empty: none.
inline std::string_view other_name(const Algorithm& algorithm, const Spec& spec, const Params& params) {
  return algorithm.other_name == nullptr ? std::string_view{} : algorithm.other_name(spec, params);
}

/// As build(), at a price that may be known: to find it may take much longer than all else.
Built build_at(const Spec& spec, const Machine& machine, const Choice& choice, const Cost* known);

}  // namespace quadrille::algorithm
