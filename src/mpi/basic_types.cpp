#include "mpi/basic_types.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/hash.hpp"
#include "mpi/handles.hpp"

namespace quadrille::mpi {

namespace {

using operators::Number;

/// The number of a C type, if kernels have it.
template <class T>
constexpr std::optional<Number> kernel_number() {
  if constexpr (std::is_floating_point_v<T>) {
    if (sizeof(T) == sizeof(float)) return Number::float32;
    if (sizeof(T) == sizeof(double)) return Number::float64;
    return {};
  } else {
    constexpr std::array<Number, 4> without{Number::uint8, Number::uint16, Number::uint32, Number::uint64};
    constexpr std::array<Number, 4> with{Number::int8, Number::int16, Number::int32, Number::int64};
    const std::size_t bits = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? with[bits] : without[bits];
  }
}

template <class T>
BasicType in_c(MPI_Datatype type, TypeClass is = TypeClass::c_integer) {
  return {.type = type, .is = is, .number = kernel_number<T>()};
}

BasicType in_fortran(MPI_Datatype type, TypeClass is) {
  int size = 0;
  if (type == MPI_DATATYPE_NULL || MPI_Type_size(type, &size) != MPI_SUCCESS) return {};  // Fortran is missing
  BasicType basic{.type = type, .is = is};
  if (is == TypeClass::fortran_integer && size == 4) basic.number = Number::int32;
  if (is == TypeClass::fortran_integer && size == 8) basic.number = Number::int64;
  if (is == TypeClass::floating && size == 4) basic.number = Number::float32;
  if (is == TypeClass::floating && size == 8) basic.number = Number::float64;
  return basic;
}

/// Of complex numbers and pairs: the number that their parts, or their values, are.
BasicType with_kernel(MPI_Datatype type, TypeClass is, Number number) {
  return {.type = type, .is = is, .number = number};
}

BasicType without_kernel(MPI_Datatype type, TypeClass is) { return {.type = type, .is = is}; }

void add_c(std::vector<BasicType>& all) {
  const std::array integers{in_c<int>(MPI_INT),
                            in_c<long>(MPI_LONG),
                            in_c<short>(MPI_SHORT),
                            in_c<unsigned short>(MPI_UNSIGNED_SHORT),
                            in_c<unsigned>(MPI_UNSIGNED),
                            in_c<unsigned long>(MPI_UNSIGNED_LONG),
                            in_c<long long>(MPI_LONG_LONG_INT),
                            in_c<unsigned long long>(MPI_UNSIGNED_LONG_LONG),
                            in_c<signed char>(MPI_SIGNED_CHAR),
                            in_c<unsigned char>(MPI_UNSIGNED_CHAR),
                            in_c<std::int8_t>(MPI_INT8_T),
                            in_c<std::int16_t>(MPI_INT16_T),
                            in_c<std::int32_t>(MPI_INT32_T),
                            in_c<std::int64_t>(MPI_INT64_T),
                            in_c<std::uint8_t>(MPI_UINT8_T),
                            in_c<std::uint16_t>(MPI_UINT16_T),
                            in_c<std::uint32_t>(MPI_UINT32_T),
                            in_c<std::uint64_t>(MPI_UINT64_T),
                            in_c<MPI_Aint>(MPI_AINT, TypeClass::any_language),
                            in_c<MPI_Offset>(MPI_OFFSET, TypeClass::any_language),
                            in_c<MPI_Count>(MPI_COUNT, TypeClass::any_language)};
  const std::array others{in_c<float>(MPI_FLOAT, TypeClass::floating),
                          in_c<double>(MPI_DOUBLE, TypeClass::floating),
                          without_kernel(MPI_LONG_DOUBLE, TypeClass::floating),
                          without_kernel(MPI_C_BOOL, TypeClass::logical),
                          with_kernel(MPI_C_FLOAT_COMPLEX, TypeClass::complex, Number::float32),
                          with_kernel(MPI_C_DOUBLE_COMPLEX, TypeClass::complex, Number::float64),
                          without_kernel(MPI_C_LONG_DOUBLE_COMPLEX, TypeClass::complex),
                          in_c<std::uint8_t>(MPI_BYTE, TypeClass::byte),
                          with_kernel(MPI_FLOAT_INT, TypeClass::pair, Number::float32),
                          with_kernel(MPI_DOUBLE_INT, TypeClass::pair, Number::float64),
                          with_kernel(MPI_LONG_INT, TypeClass::pair, Number::int64),
                          with_kernel(MPI_2INT, TypeClass::pair, Number::int32),
                          with_kernel(MPI_SHORT_INT, TypeClass::pair, Number::int16),
                          without_kernel(MPI_LONG_DOUBLE_INT, TypeClass::pair)};
  all.insert(all.end(), integers.begin(), integers.end());
  all.insert(all.end(), others.begin(), others.end());
#ifdef MPIX_C_FLOAT16
  all.push_back(with_kernel(MPIX_C_FLOAT16, TypeClass::floating, Number::float16));
#endif
}

void add_fortran(std::vector<BasicType>& all) {
  const std::array fortran{in_fortran(MPI_INTEGER, TypeClass::fortran_integer),
                           in_fortran(MPI_REAL, TypeClass::floating),
                           in_fortran(MPI_DOUBLE_PRECISION, TypeClass::floating),
                           in_fortran(MPI_LOGICAL, TypeClass::logical),
                           in_fortran(MPI_COMPLEX, TypeClass::complex),
                           in_fortran(MPI_DOUBLE_COMPLEX, TypeClass::complex),
                           in_fortran(MPI_2REAL, TypeClass::pair),
                           in_fortran(MPI_2DOUBLE_PRECISION, TypeClass::pair),
                           in_fortran(MPI_2INTEGER, TypeClass::pair)};
  all.insert(all.end(), fortran.begin(), fortran.end());
}

/// By handle. Handles may be constants of the library, so the table is made when MPI is there.
class Table {
 public:
  Table() {
    std::vector<BasicType> all;
    add_c(all);
    add_fortran(all);
    for (BasicType& basic : all) {
      int size = 0;
      if (basic.type == MPI_DATATYPE_NULL || MPI_Type_size(basic.type, &size) != MPI_SUCCESS || size <= 0) continue;
      MPI_Aint low = 0, extent = 0;
      MPI_Type_get_extent(basic.type, &low, &extent);
      basic.size = size;
      basic.dense = low == 0 && extent == size;
      std::size_t place = first(basic.type);
      while (entries_[place].size > 0) place = (place + 1) % room;
      entries_[place] = basic;
    }
  }
  const BasicType* find(MPI_Datatype type) const {
    std::size_t place = first(type);
    while (entries_[place].size > 0 && entries_[place].type != type) place = (place + 1) % room;
    return entries_[place].size > 0 ? &entries_[place] : nullptr;
  }
  std::span<const BasicType> entries() const { return entries_; }

 private:
  static constexpr std::size_t room = 256;
  static std::size_t first(MPI_Datatype type) { return base::hash_of(number_of(type)) % room; }

  std::array<BasicType, room> entries_{};
};

const Table& table() {
  static const Table made;
  return made;
}

bool one_of(MPI_Op op, std::initializer_list<MPI_Op> list) {
  return std::find(list.begin(), list.end(), op) != list.end();
}

}  // namespace

std::span<const BasicType> basic_types() { return table().entries(); }

const BasicType* find_basic(MPI_Datatype type) { return table().find(type); }

bool is_predefined(MPI_Op op) {
  return one_of(op, {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR,
                     MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP});
}

bool takes(MPI_Op op, TypeClass is) {
  const bool integer = is == TypeClass::c_integer || is == TypeClass::fortran_integer || is == TypeClass::any_language;
  if (one_of(op, {MPI_MAX, MPI_MIN})) return integer || is == TypeClass::floating;
  if (one_of(op, {MPI_SUM, MPI_PROD})) return integer || is == TypeClass::floating || is == TypeClass::complex;
  if (one_of(op, {MPI_LAND, MPI_LOR, MPI_LXOR})) return is == TypeClass::c_integer || is == TypeClass::logical;
  if (one_of(op, {MPI_BAND, MPI_BOR, MPI_BXOR})) return integer || is == TypeClass::byte;
  return one_of(op, {MPI_MINLOC, MPI_MAXLOC}) && is == TypeClass::pair;
}

}  // namespace quadrille::mpi
