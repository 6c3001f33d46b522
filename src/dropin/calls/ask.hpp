// What calls ask for, by operation: how arguments of MPI's names become what is the same on all ranks, and what this
// rank's buffers are. `native` is the call as MPI would answer it.
#pragma once

#include "dropin/calls/reduction.hpp"

namespace quadrille::dropin::ask {

/// The sum over all ranks; -1: there are no counts, or one is negative.
inline Bytes elements(const Numbers& counts, int ranks) {
  if (!counts.there()) return -1;
  Bytes all = 0;
  for (int r = 0; r < ranks; ++r) {
    if (counts[r] < 0 || __builtin_add_overflow(all, counts[r], &all)) return -1;
  }
  return all;
}

template <class Native>
int bcast(void* buffer, Bytes count, MPI_Datatype type, int root, MPI_Comm comm, Native native) {
  return answered(
      Operation::bcast, {type, count}, comm, root, native,
      [=](const ProgramCommunicator&) { return bytes_of(count, type); },
      [=](const ProgramCommunicator& c, Request& r, Buffers& b) {
        b.out = {buffer, count, type};
        return c.accepts(b.out, r.bytes);
      });
}

template <class Native>
int scatter(const void* in, Bytes in_count, MPI_Datatype in_type, void* out, Bytes out_count, MPI_Datatype out_type,
            int root, MPI_Comm comm, Native native) {
  return answered(
      Operation::scatter, {}, comm, root, native,
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

template <class Native>
int gather(const void* in, Bytes in_count, MPI_Datatype in_type, void* out, Bytes out_count, MPI_Datatype out_type,
           int root, MPI_Comm comm, Native native) {
  return answered(
      Operation::gather, {}, comm, root, native,
      [=](const ProgramCommunicator& c) {
        return c.rank() == root ? bytes_of(out_count, out_type) : bytes_of(in_count, in_type);
      },
      [=](const ProgramCommunicator& c, Request& r, Buffers& b) {
        b.in_place = c.rank() == root && in == MPI_IN_PLACE;
        if (!b.in_place) b.in = {plain(in), in_count, in_type};
        if (c.rank() == root) b.out = {out, out_count, out_type};
        if (c.rank() == root && !b.in_place && aliased(b.in, b.out, c.rank() * out_count)) return false;
        return (c.rank() != root || c.accepts(b.out, r.bytes)) && (b.in_place || c.accepts(b.in, r.bytes));
      });
}

template <class Native>
int allgatherv(const void* in, Bytes in_count, MPI_Datatype in_type, void* out, const Numbers& counts,
               const Numbers& displaces, MPI_Datatype out_type, MPI_Comm comm, Native native) {
  const Bytes element = bytes_of(1, out_type);
  return answered(
      Operation::allgatherv, {}, comm, 0, native,
      [=](const ProgramCommunicator& c) {
        const Bytes all = !displaces.there() ? -1 : elements(counts, c.ranks());
        Bytes bytes = 0;
        return all < 0 || element < 0 || __builtin_mul_overflow(all, element, &bytes) ? Bytes{-1} : bytes;
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

template <class Native>
int reduce_scatter_block(const void* in, void* out, Bytes count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                         Native native) {
  return reduction(
      Operation::reduce_scatter_block, {type, count, op}, 0, comm, native,
      [=](const ProgramCommunicator&) { return bytes_of(count, type); },
      [=](const ProgramCommunicator& c) { return Vectors{in, out, count * c.ranks(), count, type, op}; },
      [](const ProgramCommunicator&, Request&) {});
}

template <class Native>
int reduce_scatter(const void* in, void* out, const Numbers& counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   Native native) {
  return reduction(
      Operation::reduce_scatter, {.type = type, .op = op}, 0, comm, native,
      [=](const ProgramCommunicator& c) { return bytes_of(elements(counts, c.ranks()), type); },
      [=](const ProgramCommunicator& c) {
        return Vectors{in, out, elements(counts, c.ranks()), counts[c.rank()], type, op};
      },
      [=](const ProgramCommunicator& c, Request& r) {
        for (int i = 0; i < c.ranks(); ++i) r.lengths.push_back(bytes_of(counts[i], type));
      });
}

template <class Native>
int barrier(MPI_Comm comm, Native native) {
  return answered(
      Operation::barrier, {MPI_BYTE, 1}, comm, 0, native, [](const ProgramCommunicator&) { return Bytes{1}; },
      [](const ProgramCommunicator&, const Request&, const Buffers&) { return true; });
}

}  // namespace quadrille::dropin::ask
