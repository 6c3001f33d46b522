// Who closes the gap between our best algorithm and the lower bound, or what else is known there.
#pragma once

#include <string_view>

#include "quadrille/collective.hpp"

namespace quadrille::cli {

/// Half a sentence with names that docs/bibliography.bib explains; empty where we know of nothing.
std::string_view literature(Collective collective, std::string_view family);

}  // namespace quadrille::cli
