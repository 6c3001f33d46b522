#include "dropin/perform/sizes.hpp"

namespace quadrille::dropin {

constinit std::array<Sizes::Known, Sizes::room> Sizes::known_ = [] {
  std::array<Known, room> none{};
  for (Known& known : none) known.size = -1;
  return none;
}();

void Sizes::learn() {
  for (const MPI_Datatype type : {MPI_CHAR,
                                  MPI_SIGNED_CHAR,
                                  MPI_UNSIGNED_CHAR,
                                  MPI_BYTE,
                                  MPI_SHORT,
                                  MPI_UNSIGNED_SHORT,
                                  MPI_INT,
                                  MPI_UNSIGNED,
                                  MPI_LONG,
                                  MPI_UNSIGNED_LONG,
                                  MPI_LONG_LONG,
                                  MPI_UNSIGNED_LONG_LONG,
                                  MPI_FLOAT,
                                  MPI_DOUBLE,
                                  MPI_LONG_DOUBLE,
                                  MPI_C_BOOL,
                                  MPI_INT8_T,
                                  MPI_INT16_T,
                                  MPI_INT32_T,
                                  MPI_INT64_T,
                                  MPI_UINT8_T,
                                  MPI_UINT16_T,
                                  MPI_UINT32_T,
                                  MPI_UINT64_T,
                                  MPI_AINT,
                                  MPI_OFFSET,
                                  MPI_COUNT,
                                  MPI_WCHAR,
                                  MPI_C_COMPLEX,
                                  MPI_C_DOUBLE_COMPLEX,
                                  MPI_CHARACTER,
                                  MPI_LOGICAL,
                                  MPI_INTEGER,
                                  MPI_REAL,
                                  MPI_DOUBLE_PRECISION,
                                  MPI_COMPLEX,
                                  MPI_DOUBLE_COMPLEX,
                                  MPI_2INT,
                                  MPI_DOUBLE_INT,
                                  MPI_FLOAT_INT}) {
    if (type == MPI_DATATYPE_NULL) continue;  // where MPI has none such
    Known& known = known_[place(type)];
    if (known.size < 0) known = {type, ask(type)};
  }
}

Bytes Sizes::ask(MPI_Datatype type) {
  MPI_Count size = 0;
  if (type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0) return -1;
  return static_cast<Bytes>(size);
}

}  // namespace quadrille::dropin
