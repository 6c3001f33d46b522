// MPI_Reduce_scatter_block.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Reduce_scatter_block(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                                        MPI_Comm comm) {
  return ask::reduce_scatter_block(in, out, count, type, op, comm,
                                   [=] { return PMPI_Reduce_scatter_block(in, out, count, type, op, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Reduce_scatter_block_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                          MPI_Comm comm) {
  return ask::reduce_scatter_block(in, out, count, type, op, comm,
                                   [=] { return PMPI_Reduce_scatter_block_c(in, out, count, type, op, comm); });
}
#endif

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_reduce_scatter_block(void* in, void* out, MPI_Fint* n, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c,
                                  MPI_Fint* error) {
  set(error, MPI_Reduce_scatter_block(buffer(in), buffer(out), *n, type(t), op(o), comm(c)));
}

}  // namespace

FORTRAN_NAMES(reduce_scatter_block, REDUCE_SCATTER_BLOCK, (void* a, void* b, F c, F d, F e, F f, F g),
              (a, b, c, d, e, f, g))
#endif
