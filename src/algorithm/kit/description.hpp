// What an algorithm says of itself in words, for helpers that add how it is refused, priced and built.
#pragma once

#include <string_view>
#include <vector>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::kit {

/// The fields as in Algorithm.
struct Description {
  std::string_view name, summary, source;
  ClosedForm closed_form;
  std::vector<Literature> literature = {};
  bool moves_sources = false;
};

}  // namespace quadrille::algorithm::kit
