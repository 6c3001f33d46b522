// quadrille rules --effort measure: rules from times of the MPI that has started the processes.
#pragma once

#include <string>

#include "console/command.hpp"
#include "incumbents/measured.hpp"

namespace quadrille::cli {

/// What the processes measure together; their MPI lives until the answer is written. Throws Error(argument) where
/// nobody has started them, or another MPI than `mpi` has, or one whose settings are not known.
struct MeasuredHere {
  incumbents::Measured rules;
  Rank ranks = 0;
  std::string library;
};
MeasuredHere measure_rules(incumbents::Mpi mpi, Bytes most, Seconds seconds, console::Context& context);

}  // namespace quadrille::cli
