// What algorithms have in common that take no parameters and promise everything.
#pragma once

#include <string_view>

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::kit {

/// `illegal`, `cost` and `build` as in Algorithm.
inline Algorithm plain(std::string_view name, Collective collective, std::string_view summary, std::string_view source,
                       decltype(Algorithm::illegal) illegal, decltype(Algorithm::cost) cost,
                       decltype(Algorithm::build) build) {
  return {.name = name,
          .collective = collective,
          .summary = summary,
          .source = source,
          .parameters = {},
          .claims = all_claims,
          .illegal = illegal,
          .variants = one_variant,
          .cost = cost,
          .build = build};
}

}  // namespace quadrille::algorithm::kit
