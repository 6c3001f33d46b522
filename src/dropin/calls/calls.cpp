// MPI's names: what programs call comes here first. Whatever is not understood goes on to MPI as it came, so that its
// errors are MPI's own.
#include "dropin/session.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

namespace {

/// A call that goes to MPI. One that MPI has refused is none that ranks could compare.
template <class Native>
int native_call(Channel& channel, Operation operation, Row& row, Bytes bytes, int root, Native native) {
  ++row.calls;
  row.bytes += bytes;
  int code = MPI_SUCCESS;
  if (row.native.due()) [[unlikely]] {
    const Native late = native;  // not written to memory before it must be
    code = timed(row, late);
  } else {
    code = native();
  }
  if (code != MPI_SUCCESS) [[unlikely]]
    ++row.failed;
  else if (channel.deciding())
    channel.note(operation, operation == Operation::alltoallv ? 0 : bytes, root);
  return code;
}

/// A call that is only looked at.
template <class Native>
int observed(Operation operation, MPI_Comm comm, Bytes bytes, Native native) {
  Channel* const channel = Session::channel(comm);
  if (channel == nullptr || bytes < 0) return native();
  return native_call(*channel, operation, channel->row(operation, bytes), bytes, 0, native);
}

/// A call that is not, or not yet, left to MPI.
template <class Native, class Fill>
[[gnu::noinline]] int decided(Operation operation, Channel& channel, Row& row, Bytes bytes, int root,
                              const Native& native, const Fill& fill) {
  Request request{.operation = operation, .bytes = bytes, .root = root};
  Buffers buffers{.rank = channel.rank(), .ranks = channel.ranks()};
  if (!fill(channel, request, buffers)) return native();
  channel.note(operation, bytes, root);
  ++row.calls;
  row.bytes += bytes;
  return channel.perform(request, row, buffers, std::cref(native));
}

/// A call that may be answered by a plan. `size(channel)` is its bytes as Request has them, -1: not understood;
/// `fill(channel, request, buffers)` says the rest, where it is needed; false where MPI would not take it.
template <class Native, class Size, class Fill>
int answered(Operation operation, MPI_Comm comm, int root, Native native, Size size, Fill fill) {
  Channel* const channel = Session::channel(comm);
  if (channel == nullptr || root < 0 || root >= channel->ranks()) return native();
  const Bytes bytes = size(*channel);
  if (bytes < 0) return native();
  Row& row = channel->row(operation, bytes);
  if (row.native_only) [[likely]]
    return native_call(*channel, operation, row, bytes, root, native);
  const Native late_native = native;  // not written to memory before it must be
  const Fill late_fill = fill;
  return decided(operation, *channel, row, bytes, root, late_native, late_fill);
}

void* plain(const void* buffer) { return const_cast<void*>(buffer); }

template <class Native>
int bcast(void* buffer, Bytes count, MPI_Datatype type, int root, MPI_Comm comm, Native native) {
  return answered(
      Operation::bcast, comm, root, native, [=](const Channel&) { return bytes_of(count, type); },
      [=](const Channel& c, Request& r, Buffers& b) {
        b.out = {buffer, count, type};
        return c.accepts(b.out, r.bytes);
      });
}

/// An allgather or alltoall: equal blocks, from and to all ranks.
template <class Native>
int equal_blocks(Operation operation, const void* in, Bytes in_count, MPI_Datatype in_type, void* out, Bytes out_count,
                 MPI_Datatype out_type, MPI_Comm comm, Native native) {
  return answered(
      operation, comm, 0, native, [=](const Channel&) { return bytes_of(out_count, out_type); },
      [=](const Channel& c, Request& r, Buffers& b) {
        b.in = {plain(in), in_count, in_type};
        b.out = {out, out_count, out_type};
        b.in_place = in == MPI_IN_PLACE;
        return c.accepts(b.out, r.bytes) && (b.in_place || c.accepts(b.in, r.bytes));
      });
}

template <class Native>
int allgatherv(const void* in, Bytes in_count, MPI_Datatype in_type, void* out, const int* counts, const int* displaces,
               MPI_Datatype out_type, MPI_Comm comm, Native native) {
  const Bytes element = bytes_of(1, out_type);
  return answered(
      Operation::allgatherv, comm, 0, native,
      [=](const Channel& c) {
        if (counts == nullptr || displaces == nullptr) return Bytes{-1};
        Bytes elements = 0;
        for (int r = 0; r < c.ranks(); ++r) {
          if (counts[r] < 0) return Bytes{-1};
          elements += counts[r];
        }
        Bytes bytes = 0;
        return element < 0 || __builtin_mul_overflow(elements, element, &bytes) ? Bytes{-1} : bytes;
      },
      [=](const Channel& c, Request& r, Buffers& b) {
        for (int i = 0; i < c.ranks(); ++i) r.lengths.push_back(counts[i] * element);
        b.in = {plain(in), in_count, in_type};
        b.out = {out, 0, out_type};
        b.in_place = in == MPI_IN_PLACE;
        b.counts = counts;
        b.displaces = displaces;
        return c.accepts({out, 1, out_type}, element) &&
               (b.in_place || c.accepts(b.in, r.lengths[static_cast<std::size_t>(c.rank())]));
      });
}

template <class Native>
int scatter(const void* in, Bytes in_count, MPI_Datatype in_type, void* out, Bytes out_count, MPI_Datatype out_type,
            int root, MPI_Comm comm, Native native) {
  return answered(
      Operation::scatter, comm, root, native,
      [=](const Channel& c) { return c.rank() == root ? bytes_of(in_count, in_type) : bytes_of(out_count, out_type); },
      [=](const Channel& c, Request& r, Buffers& b) {
        if (c.rank() == root) b.in = {plain(in), in_count, in_type};
        b.in_place = c.rank() == root && out == MPI_IN_PLACE;
        if (!b.in_place) b.out = {out, out_count, out_type};
        return (c.rank() != root || c.accepts(b.in, r.bytes)) && (b.in_place || c.accepts(b.out, r.bytes));
      });
}

template <class Native>
int gather(const void* in, Bytes in_count, MPI_Datatype in_type, void* out, Bytes out_count, MPI_Datatype out_type,
           int root, MPI_Comm comm, Native native) {
  return answered(
      Operation::gather, comm, root, native,
      [=](const Channel& c) { return c.rank() == root ? bytes_of(out_count, out_type) : bytes_of(in_count, in_type); },
      [=](const Channel& c, Request& r, Buffers& b) {
        b.in_place = c.rank() == root && in == MPI_IN_PLACE;
        if (!b.in_place) b.in = {plain(in), in_count, in_type};
        if (c.rank() == root) b.out = {out, out_count, out_type};
        return (c.rank() != root || c.accepts(b.out, r.bytes)) && (b.in_place || c.accepts(b.in, r.bytes));
      });
}

template <class Native>
int alltoallv(const Exchange& call, MPI_Comm comm, Native native) {
  Channel* const channel = Session::channel(comm);
  const Bytes bytes = channel == nullptr ? -1 : call.taken(channel->ranks());
  if (bytes < 0) return native();
  Row& row = channel->row(Operation::alltoallv, bytes);
  if (row.native_only) return native_call(*channel, Operation::alltoallv, row, bytes, 0, native);
  if (channel->rests_with_mpi()) {
    const int code = native_call(*channel, Operation::alltoallv, row, bytes, 0, native);
    if (code == MPI_SUCCESS) channel->count(bytes);
    return code;
  }
  if (!channel->accepts(call)) return native();
  channel->note(Operation::alltoallv, 0, 0);  // ranks know different numbers of bytes
  ++row.calls;
  row.bytes += bytes;
  return channel->exchange(row, call, bytes, std::cref(native));  // copying it would allocate
}

}  // namespace

extern "C" {

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return bcast(buffer, count, type, root, comm, [=] { return PMPI_Bcast(buffer, count, type, root, comm); });
}

int MPI_Allgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count, MPI_Datatype out_type,
                  MPI_Comm comm) {
  return equal_blocks(Operation::allgather, in, in_count, in_type, out, out_count, out_type, comm,
                      [=] { return PMPI_Allgather(in, in_count, in_type, out, out_count, out_type, comm); });
}

int MPI_Allgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int counts[],
                   const int displaces[], MPI_Datatype out_type, MPI_Comm comm) {
  return allgatherv(in, in_count, in_type, out, counts, displaces, out_type, comm,
                    [=] { return PMPI_Allgatherv(in, in_count, in_type, out, counts, displaces, out_type, comm); });
}

int MPI_Scatter(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count, MPI_Datatype out_type,
                int root, MPI_Comm comm) {
  return scatter(in, in_count, in_type, out, out_count, out_type, root, comm,
                 [=] { return PMPI_Scatter(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

int MPI_Gather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count, MPI_Datatype out_type,
               int root, MPI_Comm comm) {
  return gather(in, in_count, in_type, out, out_count, out_type, root, comm,
                [=] { return PMPI_Gather(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

int MPI_Alltoall(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count, MPI_Datatype out_type,
                 MPI_Comm comm) {
  return equal_blocks(Operation::alltoall, in, in_count, in_type, out, out_count, out_type, comm,
                      [=] { return PMPI_Alltoall(in, in_count, in_type, out, out_count, out_type, comm); });
}

int MPI_Alltoallv(const void* in, const int in_counts[], const int in_displaces[], MPI_Datatype in_type, void* out,
                  const int out_counts[], const int out_displaces[], MPI_Datatype out_type, MPI_Comm comm) {
  const Exchange call{.in = {plain(in), in_counts, in_displaces, in_type},
                      .out = {out, out_counts, out_displaces, out_type},
                      .in_place = in == MPI_IN_PLACE};
  return alltoallv(call, comm, [=] {
    return PMPI_Alltoallv(in, in_counts, in_displaces, in_type, out, out_counts, out_displaces, out_type, comm);
  });
}

int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return observed(Operation::reduce, comm, bytes_of(count, type),
                  [=] { return PMPI_Reduce(in, out, count, type, op, root, comm); });
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return observed(Operation::allreduce, comm, bytes_of(count, type),
                  [=] { return PMPI_Allreduce(in, out, count, type, op, comm); });
}

int MPI_Reduce_scatter_block(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return observed(Operation::reduce_scatter_block, comm, bytes_of(count, type),
                  [=] { return PMPI_Reduce_scatter_block(in, out, count, type, op, comm); });
}

int MPI_Barrier(MPI_Comm comm) {
  return observed(Operation::barrier, comm, 0, [=] { return PMPI_Barrier(comm); });
}

}  // extern "C"

#if MPI_VERSION >= 4

// The same with counts that need more than an int. Allgatherv's arrays would have to be copied: it is left to MPI, as
// its name with an int is where sums do not fit.
extern "C" {

int MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  return bcast(buffer, count, type, root, comm, [=] { return PMPI_Bcast_c(buffer, count, type, root, comm); });
}

int MPI_Allgather_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                    MPI_Datatype out_type, MPI_Comm comm) {
  return equal_blocks(Operation::allgather, in, in_count, in_type, out, out_count, out_type, comm,
                      [=] { return PMPI_Allgather_c(in, in_count, in_type, out, out_count, out_type, comm); });
}

int MPI_Scatter_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                  MPI_Datatype out_type, int root, MPI_Comm comm) {
  return scatter(in, in_count, in_type, out, out_count, out_type, root, comm,
                 [=] { return PMPI_Scatter_c(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

int MPI_Gather_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                 MPI_Datatype out_type, int root, MPI_Comm comm) {
  return gather(in, in_count, in_type, out, out_count, out_type, root, comm,
                [=] { return PMPI_Gather_c(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

int MPI_Alltoall_c(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                   MPI_Datatype out_type, MPI_Comm comm) {
  return equal_blocks(Operation::alltoall, in, in_count, in_type, out, out_count, out_type, comm,
                      [=] { return PMPI_Alltoall_c(in, in_count, in_type, out, out_count, out_type, comm); });
}

}  // extern "C"

#endif
