// The numbers of contributions in the census algorithm, which a test compares with others' numbers.
#pragma once

#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::algorithm::allreduce {

/// 1 = k_0 < k_1 < ... = ranks, each the half of the next one, rounded up.
std::vector<Rank> census_counts(Rank ranks);

}  // namespace quadrille::algorithm::allreduce
