// MPI_Scatter.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Scatter(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                           MPI_Datatype out_type, int root, MPI_Comm comm) {
  return ask::scatter(in, in_count, in_type, out, out_count, out_type, root, comm,
                      [=] { return PMPI_Scatter(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Scatter_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                             MPI_Datatype out_type, int root, MPI_Comm comm) {
  return ask::scatter(in, in_count, in_type, out, out_count, out_type, root, comm,
                      [=] { return PMPI_Scatter_c(in, in_count, in_type, out, out_count, out_type, root, comm); });
}
#endif

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_scatter(void* in, MPI_Fint* n, MPI_Fint* t, void* out, MPI_Fint* out_n, MPI_Fint* out_t, MPI_Fint* root,
                     MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Scatter(buffer(in), *n, type(t), buffer(out), *out_n, type(out_t), *root, comm(c)));
}

}  // namespace

FORTRAN_NAMES(scatter, SCATTER, (void* a, F b, F c, void* d, F e, F f, F g, F h, F i), (a, b, c, d, e, f, g, h, i))
#endif
