// MPI_Barrier.
#include "dropin/calls/answered.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Barrier(MPI_Comm comm) {
  return observed(Operation::barrier, comm, 0, [=] { return PMPI_Barrier(comm); });
}

namespace {

using namespace fortran;

void fortran_barrier(MPI_Fint* c, MPI_Fint* error) { set(error, MPI_Barrier(comm(c))); }

}  // namespace

FORTRAN_NAMES(barrier, BARRIER, (F a, F b), (a, b))
