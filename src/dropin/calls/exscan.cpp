// MPI_Exscan.
#include "dropin/calls/fortran.hpp"
#include "dropin/calls/reduction.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return vector_reduction(Operation::exscan, in, out, count, type, op, 0, comm,
                          [=] { return PMPI_Exscan(in, out, count, type, op, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Exscan_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return vector_reduction(Operation::exscan, in, out, count, type, op, 0, comm,
                          [=] { return PMPI_Exscan_c(in, out, count, type, op, comm); });
}
#endif

FORTRAN_OF_BUFFERS(6, Exscan, exscan, EXSCAN)
