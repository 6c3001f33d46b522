// MPI_Gather.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Gather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                          MPI_Datatype out_type, int root, MPI_Comm comm) {
  return ask::gather(in, in_count, in_type, out, out_count, out_type, root, comm,
                     [=] { return PMPI_Gather(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Gather_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                            MPI_Datatype out_type, int root, MPI_Comm comm) {
  return ask::gather(in, in_count, in_type, out, out_count, out_type, root, comm,
                     [=] { return PMPI_Gather_c(in, in_count, in_type, out, out_count, out_type, root, comm); });
}
#endif

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_gather(void* in, MPI_Fint* n, MPI_Fint* t, void* out, MPI_Fint* out_n, MPI_Fint* out_t, MPI_Fint* root,
                    MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Gather(buffer(in), *n, type(t), buffer(out), *out_n, type(out_t), *root, comm(c)));
}

}  // namespace

FORTRAN_NAMES(gather, GATHER, (void* a, F b, F c, void* d, F e, F f, F g, F h, F i), (a, b, c, d, e, f, g, h, i))
#endif
