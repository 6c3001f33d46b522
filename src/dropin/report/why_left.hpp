// Why calls that are counted stay with MPI, where that is known of the collective as such.
#pragma once

#include <string_view>

namespace quadrille::dropin {

/// Of a collective by its name, "Igatherv"; empty: nothing is known of it.
///
/// The best plan for a gather or scatter of short blocks of a few ranks sends each straight where messages go at once,
/// as MPIs do in their forms with lengths. Trees are faster for short blocks on one port or of 16 ranks, and long
/// blocks by ways that use all links of the root, but ranks between it and others would have to learn lengths first
/// (docs/decisions/0046).
inline std::string_view why_left(std::string_view name) {
  if (name.find("atherv") == std::string_view::npos && name.find("catterv") == std::string_view::npos) return {};
  if (name.find("ighbor") != std::string_view::npos || name.find("llgather") != std::string_view::npos) return {};
  return "they go straight, as in the best plan for a few short blocks; for another one ranks would have to know "
         "lengths "
         "that the root alone knows";
}

}  // namespace quadrille::dropin
