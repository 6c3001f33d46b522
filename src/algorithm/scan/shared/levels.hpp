// Prefixes on nodes with several ranks: inside every node, then of the nodes' totals, which each node puts before what
// it has.
#pragma once

#include "algorithm/kit/levels.hpp"

namespace quadrille::algorithm::scan {

/// With the last ranks of nodes between them, or with all ranks of a node, each for its part of the totals.
std::vector<kit::Form> forms_on_nodes(const Spec& spec, const kit::OnNodes& on);

/// Of a scan or an exscan.
inline Algorithm on_nodes(Collective collective, std::string_view name) {
  return kit::levels_of<forms_on_nodes>(
      collective,
      {.name = name,
       .summary = "any algorithm inside nodes, and then any for the totals of nodes, which go before what is inside",
       .source = "extra: classical; Traeff & Rougier 2014",
       .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
      {kit::level_pieces, kit::before_level, kit::outer_level, kit::inner_level, kit::after_level});
}

}  // namespace quadrille::algorithm::scan
