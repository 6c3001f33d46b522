// How a persistent or non-blocking call gets from one of MPI's names to where it is decided.
#pragma once

#include "dropin/calls/answered.hpp"
#include "dropin/calls/counter.hpp"

namespace quadrille::dropin {

/// Such a call as MPI would answer it, where its request goes, and where it is counted then.
template <class Native>
struct Later {
  Ending ending;
  Native native;
  MPI_Request* request;
  Counter* counter;

  int operator()() const { return counted(*counter, native); }
};

template <class Native>
Later<Native> later_call(Ending ending, const Native& native, MPI_Request* request, Counter& counter) {
  return {ending, native, request, &counter};
}

/// A call that is not, or not yet, left to MPI.
template <class Native, class Fill>
[[gnu::noinline]] int decided_later(Operation operation, ProgramCommunicator& communicator, Bytes bytes, int root,
                                    const Later<Native>& later, const Fill& fill) {
  Request request{.operation = operation, .bytes = bytes, .root = root};
  Buffers buffers{.rank = communicator.rank(), .ranks = communicator.ranks()};
  if (later.request == nullptr || !fill(communicator, request, buffers)) return later();
  return communicator.answer(later.ending, request, buffers, later.request, std::cref(later));
}

/// As for calls that end at once. Each helper for those comes here, where it is given such a call.
template <class Native, class Size, class Fill>
int answered(Operation operation, const Arguments& arguments, MPI_Comm comm, int root, const Later<Native>& later,
             Size size, Fill fill) {
  if (!Engine::runs()) return later();
  ProgramCommunicator* const communicator = Session::communicator_of_named(comm);
  if (communicator == nullptr || !communicator->deciding() || root < 0 || root >= communicator->ranks()) return later();
  const Bytes bytes = size(*communicator);
  if (bytes <= 0) return later();
  if (communicator->later_row(later.ending, operation, bytes, arguments.rounds()).native_only) [[likely]]
    return later();
  return decided_later(operation, *communicator, bytes, root, later, fill);
}

}  // namespace quadrille::dropin
