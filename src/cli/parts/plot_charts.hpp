// What quadrille plot draws.
#pragma once

#include "cli/options/from.hpp"
#include "formats/svg.hpp"
#include "formats/svg_map.hpp"

namespace quadrille::cli {

/// Time against size for every algorithm, with the limit as a band and crosses for what was measured.
formats::Chart sizes_chart(const Subject& subject);
/// Bytes and messages on the busiest link, round by round; `why_not` says where nothing can run.
formats::Chart rounds_chart(const Subject& subject);
/// Who wins a sweep: a row a network, a column a size.
formats::CellMap winners_map(const SweepAnswer& sweep);

}  // namespace quadrille::cli
