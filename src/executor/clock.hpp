// Times of runs, made into a result.
#pragma once

#include <vector>

#include "quadrille/run.hpp"

namespace quadrille::executor {

/// Least, median and most of the repetitions; nothing when there are none.
void set_times(RunResult& result, std::vector<Seconds> times);

/// Throws Error(argument) for a number of repetitions below 0.
void check_repetitions(const RunOptions& options);

}  // namespace quadrille::executor
