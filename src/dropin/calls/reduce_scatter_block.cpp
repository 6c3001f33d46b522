// MPI_Reduce_scatter_block.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Reduce_scatter_block(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                                        MPI_Comm comm) {
  return ask::reduce_scatter_block(in, out, count, type, op, comm,
                                   [=] { return PMPI_Reduce_scatter_block(in, out, count, type, op, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Reduce_scatter_block_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                          MPI_Comm comm) {
  return ask::reduce_scatter_block(in, out, count, type, op, comm,
                                   [=] { return PMPI_Reduce_scatter_block_c(in, out, count, type, op, comm); });
}
#endif

FORTRAN_OF_BUFFERS(6, Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK)
