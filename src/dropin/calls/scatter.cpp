// MPI_Scatter.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Scatter(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                           MPI_Datatype out_type, int root, MPI_Comm comm) {
  return ask::scatter(in, in_count, in_type, out, out_count, out_type, root, comm,
                      [=] { return PMPI_Scatter(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Scatter_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                             MPI_Datatype out_type, int root, MPI_Comm comm) {
  return ask::scatter(in, in_count, in_type, out, out_count, out_type, root, comm,
                      [=] { return PMPI_Scatter_c(in, in_count, in_type, out, out_count, out_type, root, comm); });
}
#endif

FORTRAN_OF_BUFFERS(8, Scatter, scatter, SCATTER)
