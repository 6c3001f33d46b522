// How a call gets from one of MPI's names to where it is decided. Whatever is not understood goes on to MPI as it came,
// so that its errors are MPI's own.
#pragma once

#include "dropin/calls/remembered.hpp"

namespace quadrille::dropin {

/// A call that goes to MPI, of this kind_of(). One that MPI has refused is none that ranks could compare.
template <class Native>
[[gnu::always_inline]] inline int native_call(ProgramCommunicator& communicator, Row& row, Bytes bytes,
                                              std::uint64_t kind, Native native) {
  ++row.calls;
  row.bytes += bytes;
  int code = MPI_SUCCESS;
  if (row.native.due()) [[unlikely]] {
    const Native late = native;  // not written to memory before it must be
    code = timed(row.native, late);
  } else {
    code = native();
  }
  if (code != MPI_SUCCESS) [[unlikely]]
    ++row.failed;
  else if (communicator.deciding())
    communicator.note(kind);
  return code;
}

/// A call that is only looked at.
template <class Native>
int observed(Operation operation, MPI_Comm comm, Bytes bytes, Native native) {
  ProgramCommunicator* const communicator = Session::communicator(comm);
  if (communicator == nullptr || bytes < 0) return native();
  return native_call(*communicator, communicator->row(operation, bytes), bytes, kind_of(operation, bytes, 0), native);
}

/// A call that is not, or not yet, left to MPI.
template <class Native, class Fill>
[[gnu::noinline]] int decided(Operation operation, ProgramCommunicator& communicator, Row& row, Bytes bytes, int root,
                              const Native& native, const Fill& fill) {
  Request request{.operation = operation, .bytes = bytes, .root = root};
  Buffers buffers{.rank = communicator.rank(), .ranks = communicator.ranks()};
  if (!fill(communicator, request, buffers)) return native();
  communicator.note(kind_of(operation, bytes, root));
  ++row.calls;
  row.bytes += bytes;
  return communicator.answer(request, row, buffers, std::cref(native));
}

/// A call that is looked at with all that it says. `root`, `size` and `fill` as below.
template <class Native, class Size, class Fill>
[[gnu::noinline]] int answered_anew(Operation operation, const Arguments& arguments, MPI_Comm comm, int root,
                                    const Native& native, const Size& size, const Fill& fill) {
  const std::uint64_t now = ended.load(std::memory_order_acquire);
  ProgramCommunicator* const communicator = Session::communicator(comm);
  if (communicator == nullptr || root < 0 || root >= communicator->ranks()) return native();
  const Bytes bytes = size(*communicator);
  if (bytes < 0) return native();
  if (communicator->wants_to_meet()) [[unlikely]]
    communicator->meet({.operation = operation, .bytes = bytes, .root = root});
  Row& row = communicator->row(operation, bytes, arguments.rounds());
  if (!row.decision.native_only) return decided(operation, *communicator, row, bytes, root, native, fill);
  const std::uint64_t kind = kind_of(operation, bytes, root);
  if (arguments.say_all())
    RememberedCalls::keep({arguments, comm, root, operation, now, communicator, &row, bytes, kind});
  return native_call(*communicator, row, bytes, kind, native);
}

/// A call that may be answered by a plan. `size(communicator)` is its bytes as Request has them, -1: not understood;
/// `fill(communicator, request, buffers)` says the rest, where it is needed; false where MPI would not take it.
template <class Native, class Size, class Fill>
int answered(Operation operation, const Arguments& arguments, MPI_Comm comm, int root, Native native, Size size,
             Fill fill) {
  const RememberedCall* const known = RememberedCalls::find(operation, arguments, root, comm);
  if (known != nullptr && known->row->decision.native_only && !known->communicator->wants_to_meet()) [[likely]]
    return native_call(*known->communicator, *known->row, known->bytes, known->kind, native);
  const Native late_native = native;  // not written to memory before it must be
  const Size late_size = size;
  const Fill late_fill = fill;
  return answered_anew(operation, arguments, comm, root, late_native, late_size, late_fill);
}

inline void* plain(const void* buffer) { return const_cast<void*>(buffer); }

/// An allgather or alltoall: equal blocks, from and to all ranks.
template <class Native>
int equal_blocks(Operation operation, const void* in, Bytes in_count, MPI_Datatype in_type, void* out, Bytes out_count,
                 MPI_Datatype out_type, MPI_Comm comm, Native native) {
  return answered(
      operation, {out_type, out_count}, comm, 0, native,
      [=](const ProgramCommunicator&) { return bytes_of(out_count, out_type); },
      [=](const ProgramCommunicator& c, Request& r, Buffers& b) {
        b.in = {plain(in), in_count, in_type};
        b.out = {out, out_count, out_type};
        b.in_place = in == MPI_IN_PLACE;
        const Bytes before = operation == Operation::allgather ? c.rank() * out_count : 0;
        return c.accepts(b.out, r.bytes) && (b.in_place || (c.accepts(b.in, r.bytes) && !aliased(b.in, b.out, before)));
      });
}

}  // namespace quadrille::dropin
