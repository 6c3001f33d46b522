// MPI_Alltoall.
#include "dropin/calls/answered.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Alltoall(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                            MPI_Datatype out_type, MPI_Comm comm) {
  return equal_blocks(Operation::alltoall, in, in_count, in_type, out, out_count, out_type, comm,
                      [=] { return PMPI_Alltoall(in, in_count, in_type, out, out_count, out_type, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Alltoall_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                              MPI_Datatype out_type, MPI_Comm comm) {
  return equal_blocks(Operation::alltoall, in, in_count, in_type, out, out_count, out_type, comm,
                      [=] { return PMPI_Alltoall_c(in, in_count, in_type, out, out_count, out_type, comm); });
}
#endif

FORTRAN_OF_BUFFERS(7, Alltoall, alltoall, ALLTOALL)
