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

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_reduce(void* in, void* out, MPI_Fint* n, MPI_Fint* t, MPI_Fint* o, MPI_Fint* root, MPI_Fint* c,
                    MPI_Fint* error) {
  set(error, MPI_Reduce(buffer(in), buffer(out), *n, type(t), op(o), *root, comm(c)));
}

}  // namespace

FORTRAN_NAMES(reduce, REDUCE, (void* a, void* b, F c, F d, F e, F f, F g, F h), (a, b, c, d, e, f, g, h))
#endif
