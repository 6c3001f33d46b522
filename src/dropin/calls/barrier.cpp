// MPI_Barrier. Its one byte is the word of each rank that it has come, and belongs to the plan.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Barrier(MPI_Comm comm) {
  return ask::barrier(comm, [=] { return PMPI_Barrier(comm); });
}

FORTRAN(1, Barrier, barrier, BARRIER)
