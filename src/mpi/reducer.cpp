#include "mpi/reducer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "mpi/basic_types.hpp"
#include "mpi/peers.hpp"

namespace quadrille::mpi {

namespace {

using operators::Operation;

constexpr Bytes at_a_time = 16 << 10;  ///< bytes that are still in the cache when they are used again

Bytes elements_at_a_time(Bytes size) { return std::max<Bytes>(1, at_a_time / std::max<Bytes>(1, size)); }

struct Predefined {
  MPI_Op op;
  Operation operation;
};

std::optional<Operation> operation_of(MPI_Op op) {
  const std::array<Predefined, 11> known{{{MPI_SUM, Operation::sum},
                                          {MPI_PROD, Operation::prod},
                                          {MPI_MIN, Operation::min},
                                          {MPI_MAX, Operation::max},
                                          {MPI_BAND, Operation::band},
                                          {MPI_BOR, Operation::bor},
                                          {MPI_BXOR, Operation::bxor},
                                          {MPI_LAND, Operation::land},
                                          {MPI_LOR, Operation::lor},
                                          {MPI_MINLOC, Operation::minloc},
                                          {MPI_MAXLOC, Operation::maxloc}}};
  const auto at = std::find_if(known.begin(), known.end(), [op](const Predefined& p) { return p.op == op; });
  return at == known.end() ? std::nullopt : std::optional(at->operation);
}

/// Null where bits would not be MPI's own: of floating-point numbers, the smaller of two depends on how one asks.
operators::Kernel kernel_of(MPI_Op op, const BasicType& type) {
  const std::optional<Operation> operation = operation_of(op);
  if (!type.number || !operation) return nullptr;
  const bool is_pair = *operation == Operation::minloc || *operation == Operation::maxloc;
  if ((type.is == TypeClass::pair) != is_pair) return nullptr;
  if (type.is == TypeClass::complex && *operation != Operation::sum) return nullptr;  // products are no parts' own
  const bool asks = *operation == Operation::min || *operation == Operation::max;
  return type.is == TypeClass::floating && asks ? nullptr : operators::kernel({*operation, *type.number});
}

constexpr std::size_t numbers = 64;                       ///< kinds of them at most
std::array<std::int64_t, numbers> counted_as_rounding{};  // as count_as_rounding() has said
bool any_counted = false;

std::int64_t bit_of(Operation operation) { return std::int64_t{1} << static_cast<int>(operation); }

bool is_integer(const BasicType& type) {
  return type.is == TypeClass::c_integer || type.is == TypeClass::fortran_integer || type.is == TypeClass::any_language;
}

/// Whether MPI gives what the kernel gives. Enough bytes for the widest registers and something left over.
bool agrees(MPI_Op op, const BasicType& type) {
  constexpr std::size_t bytes = 200;
  alignas(64) std::array<std::byte, bytes> left{}, right{}, expected{};
  std::uint64_t state = 1;
  for (std::array<std::byte, bytes>* const side : {&left, &right})
    for (std::byte& b : *side) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      b = static_cast<std::byte>(state >> 56);
    }
  kernel_of(op, type)(left.data(), right.data(), expected.data(), bytes);
  const int count = static_cast<int>(static_cast<Bytes>(bytes) / type.size);
  return MPI_Reduce_local(left.data(), right.data(), count, type.type, op) != MPI_SUCCESS || right == expected;
}

}  // namespace

ReductionFacts facts_of(MPI_Op op, MPI_Datatype type) {
  if (op == MPI_OP_NULL || type == MPI_DATATYPE_NULL) return {};
  const BasicType* const basic = find_basic(type);
  if (is_predefined(op)) {
    if (basic == nullptr || !takes(op, basic->is)) return {};
    return {.element = basic->size, .commutes = true, .rounds = rounds(op, type)};
  }
  int commutes = 0;
  MPI_Count size = 0;
  if (MPI_Op_commutative(op, &commutes) != MPI_SUCCESS || MPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0)
    return {};
  return {.element = static_cast<Bytes>(size), .commutes = commutes != 0, .user = true, .rounds = true};
}

bool rounds(MPI_Op op, MPI_Datatype type) {
  const bool adds = op == MPI_SUM || op == MPI_PROD;
  if (!adds && !any_counted) return !is_predefined(op);
  const BasicType* const basic = find_basic(type);
  if (adds && (basic == nullptr || basic->is == TypeClass::floating || basic->is == TypeClass::complex)) return true;
  const std::optional<Operation> operation = operation_of(op);
  if (basic == nullptr || !operation || !is_integer(*basic) || !basic->number) return !is_predefined(op);
  return (counted_as_rounding[static_cast<std::size_t>(*basic->number)] & bit_of(*operation)) != 0;
}

std::vector<std::int64_t> other_bits() {
  std::vector<std::int64_t> words(numbers);
  for (const BasicType& type : basic_types()) {
    if (type.size == 0 || !type.number || !is_integer(type)) continue;
    for (const MPI_Op op : {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX})
      if (!agrees(op, type)) words[static_cast<std::size_t>(*type.number)] |= bit_of(*operation_of(op));
  }
  return words;
}

void count_as_rounding(const std::vector<std::int64_t>& other_bits) {
  std::copy(other_bits.begin(), other_bits.end(), counted_as_rounding.begin());
  any_counted = std::any_of(other_bits.begin(), other_bits.end(), [](std::int64_t word) { return word != 0; });
}

Reducer::Reducer(MPI_Op op, MPI_Datatype type, const Packer& packer) : op_(op), type_(type), packer_(packer) {
  if (const BasicType* const basic = find_basic(type); basic != nullptr) kernel_ = kernel_of(op, *basic);
  if (kernel_ != nullptr) return;
  MPI_Count size = 0;
  MPI_Aint low = 0, extent = 0, true_low = 0, true_extent = 0;
  check(MPI_Type_size_x(type, &size), "the size of a type");
  check(MPI_Type_get_extent(type, &low, &extent), "the extent of a type");
  check(MPI_Type_get_true_extent(type, &true_low, &true_extent), "the extent of a type");
  size_ = static_cast<Bytes>(size);
  dense_ = dense(type);
  extent_ = extent;
  const Bytes further = (elements_at_a_time(size_) - 1) * extent_;
  low_ = true_low + std::min<Bytes>(0, further);
  span_ = true_extent + std::abs(further);
}

void Reducer::operator()(const std::byte* left, const std::byte* right, std::byte* result, std::size_t bytes) const {
  if (kernel_ != nullptr)
    kernel_(left, right, result, bytes);
  else if (dense_)
    by_mpi(left, right, result, static_cast<Bytes>(bytes));
  else
    apart(left, right, result, static_cast<Bytes>(bytes));
}

/// right[i] = left[i] (.) right[i].
void Reducer::local(const void* left, void* right, Bytes count) const {
  check(MPI_Reduce_local(left, right, static_cast<int>(count), type_, op_), "combining values");
}

void Reducer::by_mpi(const std::byte* left, const std::byte* right, std::byte* result, Bytes bytes) const {
  const Bytes part = elements_at_a_time(size_) * size_;
  for (Bytes at = 0; at < bytes; at += part) {
    const Bytes n = std::min(part, bytes - at);
    const auto length = static_cast<std::size_t>(n);
    if (result == left) {  // which MPI could only change from the other side
      std::byte* const copy = room_.take(0, part);
      std::memcpy(copy, right + at, length);
      local(left + at, copy, n / size_);
      std::memcpy(result + at, copy, length);
      continue;
    }
    if (result != right) std::memcpy(result + at, right + at, length);
    local(left + at, result + at, n / size_);
  }
}

/// Elements with gaps: MPI must find them as the type has them.
void Reducer::apart(const std::byte* left, const std::byte* right, std::byte* result, Bytes bytes) const {
  const Bytes part = elements_at_a_time(size_);
  std::byte *const a = room_.take(0, span_) - low_, *const b = room_.take(1, span_) - low_;
  for (Bytes at = 0; at < bytes; at += part * size_) {
    const Bytes n = std::min(part * size_, bytes - at), count = n / size_;
    packer_.unpack(left + at, n, a, count, type_);
    packer_.unpack(right + at, n, b, count, type_);
    local(a, b, count);
    packer_.pack(b, count, type_, result + at, n);
  }
}

}  // namespace quadrille::mpi
