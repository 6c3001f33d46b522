// Prefixes on a grid whose ranks are counted row by row, in packets: every row makes its prefixes; the last ranks of
// rows do the same with the rows' totals, along one axis after the other; and what is before a row goes back along it.
#pragma once

#include "algorithm/kit/vectors.hpp"

namespace quadrille::algorithm::scan {

/// Of a scan or an exscan, on meshes, tori and hypercubes of at least two axes.
Algorithm along_axes(Collective collective, std::string_view name);

}  // namespace quadrille::algorithm::scan
