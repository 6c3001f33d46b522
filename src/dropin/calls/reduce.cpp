// MPI_Reduce.
#include "dropin/calls/fortran.hpp"
#include "dropin/calls/reduction.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return vector_reduction(Operation::reduce, in, out, count, type, op, root, comm,
                          [=] { return PMPI_Reduce(in, out, count, type, op, root, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Reduce_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                            MPI_Comm comm) {
  return vector_reduction(Operation::reduce, in, out, count, type, op, root, comm,
                          [=] { return PMPI_Reduce_c(in, out, count, type, op, root, comm); });
}
#endif

FORTRAN_OF_BUFFERS(7, Reduce, reduce, REDUCE)
