// MPI_Barrier. Its one byte is the word of each rank that it has come, and belongs to the plan.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Barrier(MPI_Comm comm) {
  return ask::barrier(comm, [=] { return PMPI_Barrier(comm); });
}

namespace {

using namespace fortran;

void fortran_barrier(MPI_Fint* c, MPI_Fint* error) { set(error, MPI_Barrier(comm(c))); }

}  // namespace

FORTRAN_NAMES(barrier, BARRIER, (F a, F b), (a, b))
