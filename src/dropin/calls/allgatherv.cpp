// MPI_Allgatherv.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Allgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int counts[],
                              const int displaces[], MPI_Datatype out_type, MPI_Comm comm) {
  return ask::allgatherv(in, in_count, in_type, out, counts, displaces, out_type, comm, [=] {
    return PMPI_Allgatherv(in, in_count, in_type, out, counts, displaces, out_type, comm);
  });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Allgatherv_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                                const MPI_Count counts[], const MPI_Aint displaces[], MPI_Datatype out_type,
                                MPI_Comm comm) {
  return ask::allgatherv(in, in_count, in_type, out, counts, displaces, out_type, comm, [=] {
    return PMPI_Allgatherv_c(in, in_count, in_type, out, counts, displaces, out_type, comm);
  });
}
#endif

FORTRAN_OF_BUFFERS(8, Allgatherv, allgatherv, ALLGATHERV)
