// The trial lines of wisdom files, both ways.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/wisdom.hpp"

namespace quadrille::planner {

/// "bcast crossbar:4 bytes=8..15 mpi=Open_MPI_v4.1.4 segment=0".
std::string trial_text(const Trial& trial);
/// "trial <what it is of> choice=bcast_binomial native=2e-06 chosen=1e-06".
std::string trial_line(std::string_view trial, const TrialResult& result);

/// Throws Error for what is not such a line.
TrialResult parse_trial_line(std::string_view line);
/// Throws Error(argument) when no trial can have had this result.
void check_result(const TrialResult& result);

}  // namespace quadrille::planner
