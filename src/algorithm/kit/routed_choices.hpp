// Algorithms whose messages `kit/routed` puts on routes: which can answer, and which are worth trying.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::kit {

/// What an inner algorithm is asked, and where. Who takes turns at ports and wires is found afterwards.
struct InnerQuestion {
  Spec spec;
  Machine machine;
};

/// On a "mesh" of one row, or a "crossbar".
InnerQuestion asked_inside(const Spec& spec, Machine machine, std::string_view family);

/// On a line where that is possible, else on a crossbar; the other way round where is_beside_own(). None: the algorithm
/// answers on neither.
std::optional<InnerQuestion> question_to(const Choice& inner, const Spec& spec, const Machine& machine);

bool combines_in_any_order(const Spec& spec);

/// On a hypercube, ring, mesh or torus, which has algorithms of its own for neighbours: others may take fewer rounds.
bool is_beside_own(const Spec& spec);

bool may_be_inner(const Algorithm& a, const Spec& spec);

constexpr double most_crossings = 1 << 21;  ///< links that messages cross, one after the other: a second

/// Of all ranks, of each of which rounds are noted.
double slots_of(const Schedule& schedule);

/// The fastest of a line, and of a crossbar, those of few messages first; then others, if few messages cross few links.
std::vector<Choice> worth_routing(const Spec& spec, const Machine& machine);

}  // namespace quadrille::algorithm::kit
