// MPI_Reduce_scatter.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Reduce_scatter(const void* in, void* out, const int counts[], MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm) {
  return ask::reduce_scatter(in, out, counts, type, op, comm,
                             [=] { return PMPI_Reduce_scatter(in, out, counts, type, op, comm); });
}

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_reduce_scatter(void* in, void* out, MPI_Fint* counts, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c,
                            MPI_Fint* error) {
  set(error, MPI_Reduce_scatter(buffer(in), buffer(out), counts, type(t), op(o), comm(c)));
}

}  // namespace

FORTRAN_NAMES(reduce_scatter, REDUCE_SCATTER, (void* a, void* b, F c, F d, F e, F f, F g), (a, b, c, d, e, f, g))
#endif
