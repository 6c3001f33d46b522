// The types that MPI names and its operators take, by the groups of the standard (MPI 4.1, section 6.9.2).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>

#include "operators/kernels.hpp"

namespace quadrille::mpi {

enum class TypeClass : std::uint8_t {
  c_integer,
  fortran_integer,
  any_language,  ///< MPI_AINT, MPI_OFFSET, MPI_COUNT
  floating,
  logical,
  complex,
  byte,
  pair
};

struct BasicType {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  TypeClass is{};
  Bytes size = 0;                                ///< of basic values in one element
  bool dense = false;                            ///< elements one after the other have no gaps
  std::optional<operators::Number> number = {};  ///< that our kernels have, if it is one
};

/// All of them; those of size 0 are none.
std::span<const BasicType> basic_types();
/// Null for types that the program has made, and for those that no operator of MPI's takes.
const BasicType* find_basic(MPI_Datatype type);
/// Whether it is one of MPI's operators for reductions.
bool is_predefined(MPI_Op op);
/// Whether MPI lets one of its own operators take such elements.
bool takes(MPI_Op op, TypeClass is);

}  // namespace quadrille::mpi
