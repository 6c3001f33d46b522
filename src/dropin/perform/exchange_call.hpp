// Calls in which a rank knows what it gives to each other and what it takes from it, and nobody knows more: the
// alltoalls with lengths, and neighbourhood collectives.
#pragma once

#include <mpi.h>

#include <algorithm>

#include "dropin/perform/buffers.hpp"

namespace quadrille::dropin {

/// One side of a call: blocks, each for one rank or from one.
struct ExchangeSide {
  void* buffer = nullptr;
  int blocks = 0;                 ///< -1: not understood
  const int* partners = nullptr;  ///< of blocks, some of them MPI_PROC_NULL; null: the i-th block is rank i's
  Numbers counts = {};            ///< in elements; none: all have `each`
  Bytes each = -1;
  Numbers places = {};  ///< in elements or, with `types`, in bytes; none: each `stride` elements after that before
  Bytes stride = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const MPI_Datatype* types = nullptr;  ///< of blocks; null: all have `type`

  int partner(int block) const { return partners == nullptr ? block : partners[block]; }
  Bytes count(int block) const { return counts.there() ? counts[block] : each; }
  MPI_Datatype type_of(int block) const { return types == nullptr ? type : types[block]; }
  bool nothing(int block) const { return count(block) == 0 || partner(block) < 0; }
  Bytes bytes(int block) const { return nothing(block) ? 0 : count(block) * Sizes::of(type_of(block)); }
  std::byte* address(int block) const {
    return types != nullptr ? static_cast<std::byte*>(buffer) + places[block]
                            : element(buffer, type, places.there() ? places[block] : block * stride);
  }
  /// Whether the elements of every block lie together.
  bool lies_together() const;
  /// Whether every type may be sent. `comm` returns errors.
  bool all_committed(MPI_Comm comm) const;
  /// Bytes of all blocks; -1: not understood.
  Bytes total() const;
  /// Whether no rank has two blocks.
  bool distinct() const;
};

/// The arguments of a call on one rank. In place those of the `in` side mean nothing.
struct ExchangeCall {
  ExchangeSide in, out;
  bool in_place = false;

  /// The side whose blocks are sent.
  const ExchangeSide& sent() const { return in_place ? out : in; }
  /// Bytes that this rank takes from all, itself among them; -1 where that side is not understood.
  Bytes taken() const { return out.total(); }
  /// Whether the other side is, too.
  bool understood() const;
  /// A number that almost surely is another one where this rank gives or takes something else.
  std::int64_t sizes(int rank) const;
  /// Equal on all ranks' exclusive or to 0, almost surely only where any two agree on what one gives to the other.
  std::int64_t balance(int rank) const;
};

}  // namespace quadrille::dropin
