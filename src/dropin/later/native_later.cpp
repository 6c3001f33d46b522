#include "dropin/later/native_later.hpp"

namespace quadrille::dropin {

namespace {

#ifdef QUADRILLE_PERSISTENT_NAME
#define PERSISTENT_CALL(name, ...) QUADRILLE_PERSISTENT_OF_MPI(name)(__VA_ARGS__, MPI_INFO_NULL, handle)
#else
#define PERSISTENT_CALL(name, ...) MPI_ERR_OTHER
#endif
#define EITHER(name, non_blocking, ...) \
  return ending == Ending::persistent ? PERSISTENT_CALL(name, __VA_ARGS__) : PMPI_##non_blocking(__VA_ARGS__, handle)

int movement(Ending ending, const Request& r, const Buffers& b, MPI_Comm comm, MPI_Request* handle) {
  const auto count = static_cast<int>(r.bytes);
  const int root = static_cast<int>(r.root);
  void *const in = b.in.buffer, *const out = b.out.buffer;
  switch (r.operation) {
    case Operation::bcast:
      EITHER(Bcast, Ibcast, out, count, MPI_BYTE, root, comm);
    case Operation::allgather:
      EITHER(Allgather, Iallgather, in, count, MPI_BYTE, out, count, MPI_BYTE, comm);
    case Operation::allgatherv:
      EITHER(Allgatherv, Iallgatherv, in, static_cast<int>(b.counts[b.rank]), MPI_BYTE, out, b.counts.narrow(),
             b.displaces.narrow(), MPI_BYTE, comm);
    case Operation::scatter:
      EITHER(Scatter, Iscatter, in, count, MPI_BYTE, out, count, MPI_BYTE, root, comm);
    case Operation::gather:
      EITHER(Gather, Igather, in, count, MPI_BYTE, out, count, MPI_BYTE, root, comm);
    case Operation::alltoall:
      EITHER(Alltoall, Ialltoall, in, count, MPI_BYTE, out, count, MPI_BYTE, comm);
    case Operation::barrier:
      EITHER(Barrier, Ibarrier, comm);
    default:
      return MPI_ERR_OTHER;
  }
}

int reducing(Ending ending, const Request& r, const Buffers& b, MPI_Comm comm, MPI_Request* handle) {
  const auto count = static_cast<int>(b.in.count), taken = static_cast<int>(b.out.count);
  const int root = static_cast<int>(r.root);
  void *const in = b.in.buffer, *const out = b.out.buffer;
  const auto [type, op] = b.by;
  switch (r.operation) {
    case Operation::reduce:
      EITHER(Reduce, Ireduce, in, out, count, type, op, root, comm);
    case Operation::allreduce:
      EITHER(Allreduce, Iallreduce, in, out, count, type, op, comm);
    case Operation::reduce_scatter_block:
      EITHER(Reduce_scatter_block, Ireduce_scatter_block, in, out, taken, type, op, comm);
    case Operation::reduce_scatter:
      EITHER(Reduce_scatter, Ireduce_scatter, in, out, b.counts.narrow(), type, op, comm);
    case Operation::scan:
      EITHER(Scan, Iscan, in, out, count, type, op, comm);
    case Operation::exscan:
      EITHER(Exscan, Iexscan, in, out, count, type, op, comm);
    default:
      return MPI_ERR_OTHER;
  }
}

}  // namespace

int native_later(Ending ending, const Request& request, const Buffers& buffers, MPI_Comm comm, MPI_Request* handle) {
  return combines(request.operation) ? reducing(ending, request, buffers, comm, handle)
                                     : movement(ending, request, buffers, comm, handle);
}

}  // namespace quadrille::dropin
