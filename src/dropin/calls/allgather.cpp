// MPI_Allgather.
#include "dropin/calls/answered.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Allgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                             MPI_Datatype out_type, MPI_Comm comm) {
  return equal_blocks(Operation::allgather, in, in_count, in_type, out, out_count, out_type, comm,
                      [=] { return PMPI_Allgather(in, in_count, in_type, out, out_count, out_type, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Allgather_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                               MPI_Datatype out_type, MPI_Comm comm) {
  return equal_blocks(Operation::allgather, in, in_count, in_type, out, out_count, out_type, comm,
                      [=] { return PMPI_Allgather_c(in, in_count, in_type, out, out_count, out_type, comm); });
}
#endif

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_allgather(void* in, MPI_Fint* n, MPI_Fint* t, void* out, MPI_Fint* out_n, MPI_Fint* out_t, MPI_Fint* c,
                       MPI_Fint* error) {
  set(error, MPI_Allgather(buffer(in), *n, type(t), buffer(out), *out_n, type(out_t), comm(c)));
}

}  // namespace

FORTRAN_NAMES(allgather, ALLGATHER, (void* a, F b, F c, void* d, F e, F f, F g, F h), (a, b, c, d, e, f, g, h))
#endif
