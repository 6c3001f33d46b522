// MPI_Alltoallv.
#include "dropin/calls/answered.hpp"
#include "dropin/calls/fortran.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

namespace {

template <class Native>
int alltoallv(const AlltoallvCall& call, MPI_Comm comm, Native native) {
  ProgramCommunicator* const communicator = Session::communicator(comm);
  const Bytes bytes = communicator == nullptr ? -1 : call.taken(communicator->ranks());
  if (bytes < 0) return native();
  Row& row = communicator->row(Operation::alltoallv, bytes);
  if (row.decision.native_only) return native_call(*communicator, Operation::alltoallv, row, bytes, 0, native);
  if (communicator->alltoallv_rests_with_mpi()) {
    const int code = native_call(*communicator, Operation::alltoallv, row, bytes, 0, native);
    if (code == MPI_SUCCESS) communicator->count_alltoallv(bytes);
    return code;
  }
  if (!communicator->accepts(call)) return native();
  communicator->note(Operation::alltoallv, 0, 0);  // ranks know different numbers of bytes
  ++row.calls;
  row.bytes += bytes;
  return communicator->answer(row, call, bytes, std::cref(native));  // copying it would allocate
}

}  // namespace

extern "C" int MPI_Alltoallv(const void* in, const int in_counts[], const int in_displaces[], MPI_Datatype in_type,
                             void* out, const int out_counts[], const int out_displaces[], MPI_Datatype out_type,
                             MPI_Comm comm) {
  const AlltoallvCall call{.in = {plain(in), in_counts, in_displaces, in_type},
                           .out = {out, out_counts, out_displaces, out_type},
                           .in_place = in == MPI_IN_PLACE};
  return alltoallv(call, comm, [=] {
    return PMPI_Alltoallv(in, in_counts, in_displaces, in_type, out, out_counts, out_displaces, out_type, comm);
  });
}

#ifdef OMPI_MAJOR_VERSION
namespace {

using namespace fortran;

void fortran_alltoallv(void* in, MPI_Fint* counts, MPI_Fint* displaces, MPI_Fint* t, void* out, MPI_Fint* out_counts,
                       MPI_Fint* out_displaces, MPI_Fint* out_t, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Alltoallv(buffer(in), counts, displaces, type(t), buffer(out), out_counts, out_displaces, type(out_t),
                           comm(c)));
}

}  // namespace

FORTRAN_NAMES(alltoallv, ALLTOALLV, (void* a, F b, F c, F d, void* e, F f, F g, F h, F i, F j),
              (a, b, c, d, e, f, g, h, i, j))
#endif
