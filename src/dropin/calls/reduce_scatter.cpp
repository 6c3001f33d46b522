// MPI_Reduce_scatter.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Reduce_scatter(const void* in, void* out, const int counts[], MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm) {
  return ask::reduce_scatter(in, out, counts, type, op, comm,
                             [=] { return PMPI_Reduce_scatter(in, out, counts, type, op, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Reduce_scatter_c(const void* in, void* out, const MPI_Count counts[], MPI_Datatype type, MPI_Op op,
                                    MPI_Comm comm) {
  return ask::reduce_scatter(in, out, counts, type, op, comm,
                             [=] { return PMPI_Reduce_scatter_c(in, out, counts, type, op, comm); });
}
#endif

FORTRAN_OF_BUFFERS(6, Reduce_scatter, reduce_scatter, REDUCE_SCATTER)
