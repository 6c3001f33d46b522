// MPI_Allgatherv.
#include "dropin/calls/answered.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

namespace {

template <class Native>
int allgatherv(const void* in, Bytes in_count, MPI_Datatype in_type, void* out, const int* counts, const int* displaces,
               MPI_Datatype out_type, MPI_Comm comm, Native native) {
  const Bytes element = bytes_of(1, out_type);
  return answered(
      Operation::allgatherv, comm, 0, native,
      [=](const ProgramCommunicator& c) {
        if (counts == nullptr || displaces == nullptr) return Bytes{-1};
        Bytes elements = 0;
        for (int r = 0; r < c.ranks(); ++r) {
          if (counts[r] < 0) return Bytes{-1};
          elements += counts[r];
        }
        Bytes bytes = 0;
        return element < 0 || __builtin_mul_overflow(elements, element, &bytes) ? Bytes{-1} : bytes;
      },
      [=](const ProgramCommunicator& c, Request& r, Buffers& b) {
        for (int i = 0; i < c.ranks(); ++i) r.lengths.push_back(counts[i] * element);
        b.in = {plain(in), in_count, in_type};
        b.out = {out, 0, out_type};
        b.in_place = in == MPI_IN_PLACE;
        b.counts = counts;
        b.displaces = displaces;
        if (!b.in_place && aliased(b.in, {out, counts[c.rank()], out_type}, displaces[c.rank()])) return false;
        return c.accepts({out, 1, out_type}, element) &&
               (b.in_place || c.accepts(b.in, r.lengths[static_cast<std::size_t>(c.rank())]));
      });
}

}  // namespace

extern "C" int MPI_Allgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int counts[],
                              const int displaces[], MPI_Datatype out_type, MPI_Comm comm) {
  return allgatherv(in, in_count, in_type, out, counts, displaces, out_type, comm,
                    [=] { return PMPI_Allgatherv(in, in_count, in_type, out, counts, displaces, out_type, comm); });
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
