// MPI_Gather.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Gather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                          MPI_Datatype out_type, int root, MPI_Comm comm) {
  return ask::gather(in, in_count, in_type, out, out_count, out_type, root, comm,
                     [=] { return PMPI_Gather(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Gather_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                            MPI_Datatype out_type, int root, MPI_Comm comm) {
  return ask::gather(in, in_count, in_type, out, out_count, out_type, root, comm,
                     [=] { return PMPI_Gather_c(in, in_count, in_type, out, out_count, out_type, root, comm); });
}
#endif

FORTRAN_OF_BUFFERS(8, Gather, gather, GATHER)
