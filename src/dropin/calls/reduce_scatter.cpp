// MPI_Reduce_scatter.
#include "dropin/calls/fortran.hpp"
#include "dropin/calls/reduction.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

namespace {

/// Of all ranks; -1: not understood.
Bytes elements(const int* counts, int ranks) {
  if (counts == nullptr) return -1;
  Bytes all = 0;
  for (int r = 0; r < ranks; ++r) {
    if (counts[r] < 0) return -1;
    all += counts[r];
  }
  return all;
}

}  // namespace

extern "C" int MPI_Reduce_scatter(const void* in, void* out, const int counts[], MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm) {
  return reduction(
      Operation::reduce_scatter, type, op, 0, comm,
      [=] { return PMPI_Reduce_scatter(in, out, counts, type, op, comm); },
      [=](const ProgramCommunicator& c) { return bytes_of(elements(counts, c.ranks()), type); },
      [=](const ProgramCommunicator& c) {
        return Vectors{in, out, elements(counts, c.ranks()), counts[c.rank()], type, op};
      },
      [=](const ProgramCommunicator& c, Request& r) {
        for (int i = 0; i < c.ranks(); ++i) r.lengths.push_back(bytes_of(counts[i], type));
      });
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
