// The program's buffers as plans need them: bytes that lie together. What does is used where it is; what does not is
// packed before and unpacked after, on this rank alone, as other ranks may lay out the same data otherwise.
#pragma once

#include <mpi.h>

#include <concepts>
#include <cstring>

#include "dropin/decide/request.hpp"
#include "dropin/perform/sizes.hpp"
#include "mpi/packing.hpp"
#include "quadrille/mpi.hpp"

namespace quadrille::dropin {

using mpi::committed;
using mpi::dense;
using mpi::element;
using mpi::Packer;
using mpi::Staging;

/// `count` elements for each block.
struct View {
  void* buffer = nullptr;
  Bytes count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// Bytes of so many elements; -1: not understood.
inline Bytes bytes_of(Bytes count, MPI_Datatype type) {
  const Bytes size = Sizes::of(type);
  Bytes bytes = 0;
  return count < 0 || size < 0 || __builtin_mul_overflow(count, size, &bytes) ? -1 : bytes;
}
#ifdef OMPI_MAJOR_VERSION
constexpr bool mpi_refuses_aliases = false;  ///< where one rank went to MPI for an error, it would get a result
#else
constexpr bool mpi_refuses_aliases = true;
#endif
/// Whether MPI refuses to read and write the same block: `taken` has so many elements before it.
inline bool aliased(const View& given, const View& taken, Bytes before) {
  return mpi_refuses_aliases && given.count > 0 && given.count == taken.count && given.type == taken.type &&
         given.buffer == static_cast<std::byte*>(taken.buffer) + before * Sizes::of(taken.type);
}
/// Whether MPI takes it for a buffer of at least so many bytes. `comm` returns errors.
bool accepted(const View& view, Bytes bytes, MPI_Comm comm);

/// A number for each rank, as the call has them: int or, in MPI-4's `_c` names, wider ones.
class Numbers {
 public:
  Numbers() = default;
  template <std::signed_integral Number>
  Numbers(const Number* all) : all_(all), wide_(sizeof(Number) > sizeof(int)) {
    static_assert(sizeof(Number) == sizeof(int) || sizeof(Number) == sizeof(Bytes));
  }
  bool there() const { return all_ != nullptr; }
  /// As MPI's names without `_c` take them; null where they are wide.
  const int* narrow() const { return wide_ ? nullptr : static_cast<const int*>(all_); }
  Bytes operator[](int rank) const {
    if (!wide_) return static_cast<const int*>(all_)[rank];
    Bytes number = 0;  // MPI's type may be another of the same size
    std::memcpy(&number, static_cast<const std::byte*>(all_) + rank * static_cast<Bytes>(sizeof number), sizeof number);
    return number;
  }
  /// Whether they are the same array.
  bool operator==(const Numbers&) const = default;

 private:
  const void* all_ = nullptr;
  bool wide_ = false;
};

/// The arguments of a call on one rank. A view without a type is not significant here.
struct Buffers {
  View in = {}, out = {};
  bool in_place = false;   ///< of the side that OperationFacts says
  Numbers counts = {};     ///< allgatherv, in elements
  Numbers displaces = {};  ///< allgatherv, in elements
  mpi::reduction by = {};  ///< of reductions, whose views count all elements
  bool beside = false;     ///< MPI answers the call: the result is thrown away
  Packer packer = {};
  int rank = 0, ranks = 1;
};

/// What a plan handle's start() takes, from before to after one call.
class Ends {
 public:
  Ends(const Request& request, const Buffers& buffers, Staging& staging);
  const void* in() const { return in_; }
  void* out() const { return out_; }
  /// The result goes to where the program wants it.
  void finish() const;

 private:
  void prepare_out(Staging& staging);
  void prepare_in(Staging& staging);
  /// What one side has on this rank.
  struct Side {
    Bytes count = 0, bytes = 0;  ///< of elements, and all of them together
  };
  Side given() const;
  Side taken() const;
  bool out_lies_together() const;
  bool message_is_here() const;
  /// Calls use(address, elements, offset in bytes) for every run of elements of the out side, of one rank or (-1) all.
  template <class Use>
  void each_out(int rank, Use use) const;

  const Request& request_;
  const Buffers& b_;
  const OperationFacts& facts_;
  Side in_side_ = {}, out_side_ = {};
  const void* in_ = nullptr;
  void* out_ = nullptr;
  bool staged_ = false;
};

}  // namespace quadrille::dropin
