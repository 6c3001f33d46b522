// MPI_Allreduce.
#include "dropin/calls/fortran.hpp"
#include "dropin/calls/reduction.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return vector_reduction(Operation::allreduce, in, out, count, type, op, 0, comm,
                          [=] { return PMPI_Allreduce(in, out, count, type, op, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Allreduce_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
  return vector_reduction(Operation::allreduce, in, out, count, type, op, 0, comm,
                          [=] { return PMPI_Allreduce_c(in, out, count, type, op, comm); });
}
#endif

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_allreduce(void* in, void* out, MPI_Fint* n, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Allreduce(buffer(in), buffer(out), *n, type(t), op(o), comm(c)));
}

}  // namespace

FORTRAN_NAMES(allreduce, ALLREDUCE, (void* a, void* b, F c, F d, F e, F f, F g), (a, b, c, d, e, f, g))
#endif
