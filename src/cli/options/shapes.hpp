// Networks of many sizes: a family for a list of rank counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::cli {

/// The family's network of so many ranks: "hypercube" and 64 are "hypercube:6"; meshes and tori are as square as they
/// can be in two dimensions, flies have switches of 2. Throws Error(argument) when there is none.
std::string shape_of(std::string_view family, Rank ranks);

/// Networks as typed, in their order; families without a size become one network for every count in `ranks` (a range,
/// empty: not given).
std::vector<std::string> shapes(const std::vector<std::string>& typed, const std::string& ranks);

}  // namespace quadrille::cli
