// Where a trial is held: what else must be equal for its result to hold.
#pragma once

#include <string>

#include "dropin/decide/operation.hpp"
#include "quadrille/wisdom.hpp"

namespace quadrille::dropin {

struct Circumstances {
  std::string mpi;       ///< "Open MPI v4.1.4"
  std::string topology;  ///< "crossbar:4"
  Bytes segment = 0;     ///< plans' messages travel in pieces of this; 0: whole
};

/// What wisdom calls a trial of this row.
Trial trial_of(const Circumstances& where, Operation operation, int size_class, Ending ending = Ending::at_once);

}  // namespace quadrille::dropin
