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

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_exscan(void* in, void* out, MPI_Fint* n, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Exscan(buffer(in), buffer(out), *n, type(t), op(o), comm(c)));
}

}  // namespace

FORTRAN_NAMES(exscan, EXSCAN, (void* a, void* b, F c, F d, F e, F f, F g), (a, b, c, d, e, f, g))
#endif
