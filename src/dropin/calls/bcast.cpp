// MPI_Bcast.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return ask::bcast(buffer, count, type, root, comm, [=] { return PMPI_Bcast(buffer, count, type, root, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  return ask::bcast(buffer, count, type, root, comm, [=] { return PMPI_Bcast_c(buffer, count, type, root, comm); });
}
#endif

FORTRAN_OF_BUFFERS(5, Bcast, bcast, BCAST)
