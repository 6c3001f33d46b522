// MPI_Allgatherv.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

extern "C" int MPI_Allgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int counts[],
                              const int displaces[], MPI_Datatype out_type, MPI_Comm comm) {
  return ask::allgatherv(in, in_count, in_type, out, counts, displaces, out_type, comm, [=] {
    return PMPI_Allgatherv(in, in_count, in_type, out, counts, displaces, out_type, comm);
  });
}

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_allgatherv(void* in, MPI_Fint* n, MPI_Fint* t, void* out, MPI_Fint* counts, MPI_Fint* displaces,
                        MPI_Fint* out_t, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Allgatherv(buffer(in), *n, type(t), buffer(out), counts, displaces, type(out_t), comm(c)));
}

}  // namespace

FORTRAN_NAMES(allgatherv, ALLGATHERV, (void* a, F b, F c, void* d, F e, F f, F g, F h, F i),
              (a, b, c, d, e, f, g, h, i))
#endif
