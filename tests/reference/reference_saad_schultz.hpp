// What the readers of the Saad & Schultz format share: an entry in this library's words.
#pragma once

#include <optional>

#include "algorithm/kit/shares.hpp"
#include "quadrille/algorithm.hpp"
#include "reference_check.hpp"

namespace quadrille::reference {

/// The lengths of an entry's paths, where the algorithm can choose among several sets.
std::optional<algorithm::kit::Lengths> lengths_given(const Algorithm& algorithm, const Json& params);
/// The algorithm that the papers call `name` on `machine`, with the entry's parameters.
std::optional<Choice> translate(const std::string& machine, const std::string& name, const Json& params, Rank ranks);
Machine machine_of(const Json& entry);
Spec spec_of(const Json& entry);

/// Complaints about an entry's closed forms, for an execution or optimum that takes `time`.
std::string check_forms(const Json& entry, double time);
/// Complaints about an entry on trees, paths or loads alone.
std::string check_structure(const Json& entry);

}  // namespace quadrille::reference
