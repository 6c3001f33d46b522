// MPI_Scatter.
#include "dropin/calls/answered.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

namespace {

template <class Native>
int scatter(const void* in, Bytes in_count, MPI_Datatype in_type, void* out, Bytes out_count, MPI_Datatype out_type,
            int root, MPI_Comm comm, Native native) {
  return answered(
      Operation::scatter, comm, root, native,
      [=](const ProgramCommunicator& c) {
        return c.rank() == root ? bytes_of(in_count, in_type) : bytes_of(out_count, out_type);
      },
      [=](const ProgramCommunicator& c, Request& r, Buffers& b) {
        if (c.rank() == root) b.in = {plain(in), in_count, in_type};
        b.in_place = c.rank() == root && out == MPI_IN_PLACE;
        if (!b.in_place) b.out = {out, out_count, out_type};
        if (c.rank() == root && !b.in_place && aliased(b.out, b.in, c.rank() * in_count)) return false;
        return (c.rank() != root || c.accepts(b.in, r.bytes)) && (b.in_place || c.accepts(b.out, r.bytes));
      });
}

}  // namespace

extern "C" int MPI_Scatter(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                           MPI_Datatype out_type, int root, MPI_Comm comm) {
  return scatter(in, in_count, in_type, out, out_count, out_type, root, comm,
                 [=] { return PMPI_Scatter(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

#if MPI_VERSION >= 4
extern "C" int MPI_Scatter_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                             MPI_Datatype out_type, int root, MPI_Comm comm) {
  return scatter(in, in_count, in_type, out, out_count, out_type, root, comm,
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
