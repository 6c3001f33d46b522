// Collectives that are left to MPI and not timed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::dropin {

/// Calls of each kind on this rank, always in the same order.
std::vector<std::int64_t> counted_calls();
/// The same with their names, "Iallreduce"; those that were called, the most frequent first.
std::vector<std::pair<std::string, std::int64_t>> counted_calls(const std::vector<std::int64_t>& calls);

}  // namespace quadrille::dropin
