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

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_bcast(void* data, MPI_Fint* count, MPI_Fint* t, MPI_Fint* root, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Bcast(buffer(data), *count, type(t), *root, comm(c)));
}

}  // namespace

FORTRAN_NAMES(bcast, BCAST, (void* a, F b, F c, F d, F e, F f), (a, b, c, d, e, f))
#endif
