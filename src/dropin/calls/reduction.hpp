// What calls that combine have in common.
#pragma once

#include "dropin/calls/answered.hpp"
#include "mpi/reducer.hpp"

namespace quadrille::dropin {

/// What a rank gives and gets, in elements, and where it lies.
struct Vectors {
  const void* in = nullptr;
  void* out = nullptr;
  Bytes given = 0, taken = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
};

/// Whether MPI_IN_PLACE may stand for what the rank gives, and whether it gets anything.
struct Significance {
  bool in_place = true, out = true;
};
inline Significance significance(Operation operation, int rank, int root) {
  if (operation == Operation::reduce) return {rank == root, rank == root};
  if (operation == Operation::exscan) return {true, rank > 0};
  return {};
}

/// Whether all ranks' results are parts of one vector: then there is one expression for it.
inline bool one_result(Operation operation) { return operation != Operation::scan && operation != Operation::exscan; }

/// False where MPI would not take it.
inline bool fill_reduction(const ProgramCommunicator& c, const Vectors& v, Request& r, Buffers& b) {
  const mpi::ReductionFacts facts = mpi::facts_of(v.op, v.type);
  if (facts.element == 0) return false;
  r.by = {.element = facts.element,
          .operands = facts.commutes ? Operands::commutative : Operands::ordered,
          .user = facts.user,
          .rounds = facts.rounds,
          .canonical = facts.rounds && one_result(r.operation) && c.bits() == Bits::reproducible};
  const Significance significant = significance(r.operation, c.rank(), static_cast<int>(r.root));
  b.by = {v.type, v.op};
  b.in_place = significant.in_place && v.in == MPI_IN_PLACE;
  b.in = {b.in_place ? v.out : plain(v.in), v.given, v.type};
  b.out = {v.out, v.taken, v.type};
  const bool overlap = !b.in_place && significant.out && v.in == v.out && v.given > 0;
  return !overlap && c.accepts(b.in, bytes_of(v.given, v.type)) &&
         (!significant.out || c.accepts(b.out, bytes_of(v.taken, v.type)));
}

/// `bytes(communicator)`: as Request has them; `vectors(communicator)`; `more(request)`: what else there is to say.
template <class Native, class Size, class Get, class More>
int reduction(Operation operation, const Arguments& arguments, int root, MPI_Comm comm, Native native, Size bytes,
              Get vectors, More more) {
  return answered(operation, arguments, comm, root, native, bytes,
                  [=](const ProgramCommunicator& c, Request& r, Buffers& b) {
                    more(c, r);
                    return fill_reduction(c, vectors(c), r, b);
                  });
}

/// One whose results are as long as what ranks give.
template <class Native>
int vector_reduction(Operation operation, const void* in, void* out, Bytes count, MPI_Datatype type, MPI_Op op,
                     int root, MPI_Comm comm, Native native) {
  return reduction(
      operation, {type, count, op}, root, comm, native,
      [=](const ProgramCommunicator&) { return bytes_of(count, type); },
      [=](const ProgramCommunicator&) { return Vectors{in, out, count, count, type, op}; },
      [](const ProgramCommunicator&, Request&) {});
}

}  // namespace quadrille::dropin
