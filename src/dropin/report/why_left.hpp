// Why calls that are counted stay with MPI, where that is known of the collective as such.
#pragma once

#include <string_view>

namespace quadrille::dropin {

/// Of a collective by its name, "Igatherv"; empty: nothing is known of it.
///
/// Where a rank sends or takes several messages at once, the best plan for a gather or scatter is to send every block
/// straight, all at once: that is what MPIs do in their forms with lengths. Trees are faster for short blocks on one
/// port, but ranks between root and leaf would have to learn lengths first, which takes as long.
inline std::string_view why_left(std::string_view name) {
  if (name.find("atherv") == std::string_view::npos && name.find("catterv") == std::string_view::npos) return {};
  if (name.find("ighbor") != std::string_view::npos || name.find("llgather") != std::string_view::npos) return {};
  return "MPI sends every block straight; no plan is known to be faster where the root alone knows all lengths";
}

}  // namespace quadrille::dropin
