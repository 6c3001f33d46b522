// The tables of Foster's section 3.7 that depend on no machine's constants, and that of the machines.
#pragma once

#include "base/text.hpp"
#include "papers/foster.hpp"

namespace quadrille::papers::foster {

inline Reproduction::Cell count_cell(std::int64_t n) { return {base::format_count(n), static_cast<double>(n)}; }

/// Sizes of networks, S of butterflies, of permutations and of the patterns of figure 3.15.
std::vector<Reproduction::Table> network_tables();
/// The machines of table 3.1 that ship as presets.
Reproduction::Table machine_table();

}  // namespace quadrille::papers::foster
