// What an operator of MPI does to values, and what is to be known of it before anything is planned.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "mpi/packing.hpp"
#include "operators/kernels.hpp"

namespace quadrille::mpi {

/// An operator on elements of a type.
struct ReductionFacts {
  Bytes element = 0;      ///< bytes of basic values in one; 0: MPI refuses such a reduction, or it is not understood
  bool commutes = false;  ///< as MPI has been told
  bool user = false;      ///< the program's own
  bool rounds = false;    ///< the result may have other bits where operands are grouped otherwise; so all of `user`
};
ReductionFacts facts_of(MPI_Op op, MPI_Datatype type);
/// The same as its `rounds`. The smaller and the larger of two count as exact: but for NaN and the sign of zero they
/// are.
bool rounds(MPI_Op op, MPI_Datatype type);

/// Where this MPI computes with integers otherwise than the kernels on this rank: Open MPI 4.1 saturates sums of short
/// ones, and MPICH 4.0 compares unsigned ones as if they were signed. A word for each kind of number, a bit for each
/// operation.
std::vector<std::int64_t> other_bits();
/// From now on these count as rounding: the result depends on who computes it. The same on all ranks, and before any
/// other thread may ask.
void count_as_rounding(const std::vector<std::int64_t>& other_bits);

/// Combines values that lie together in the order of the type's signature: by a kernel of ours where its bits are
/// MPI's own, else by MPI_Reduce_local.
class Reducer {
 public:
  Reducer() = default;
  explicit Reducer(operators::Kernel kernel) : kernel_(kernel) {}
  /// `op` and `type`, which is committed, must outlive this. `packer`: for types with gaps.
  Reducer(MPI_Op op, MPI_Datatype type, const Packer& packer);

  /// result[i] = left[i] (.) right[i] for all elements of so many bytes. The result may lie where one operand does.
  /// Throws MpiError.
  void operator()(const std::byte* left, const std::byte* right, std::byte* result, std::size_t bytes) const;

 private:
  void by_mpi(const std::byte* left, const std::byte* right, std::byte* result, Bytes bytes) const;
  void apart(const std::byte* left, const std::byte* right, std::byte* result, Bytes bytes) const;
  void local(const void* left, void* right, Bytes count) const;

  operators::Kernel kernel_ = nullptr;
  MPI_Op op_ = MPI_OP_NULL;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  Packer packer_ = {};
  Bytes size_ = 1;
  bool dense_ = true;
  // Of a type with gaps: where its bytes start and end, and how far its elements are from each other.
  Bytes low_ = 0, span_ = 0, extent_ = 0;
  mutable Staging room_ = {};
};

}  // namespace quadrille::mpi
