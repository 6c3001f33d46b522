// MPI_Allreduce.
#include "dropin/calls/answered.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return observed(Operation::allreduce, comm, bytes_of(count, type),
                  [=] { return PMPI_Allreduce(in, out, count, type, op, comm); });
}

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_allreduce(void* in, void* out, MPI_Fint* n, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Allreduce(buffer(in), buffer(out), *n, type(t), op(o), comm(c)));
}

}  // namespace

FORTRAN_NAMES(allreduce, ALLREDUCE, (void* a, void* b, F c, F d, F e, F f, F g), (a, b, c, d, e, f, g))
#endif
