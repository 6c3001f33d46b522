#include "operators/kernels.hpp"

#include <array>
#include <concepts>
#include <type_traits>

#include "operators/halves.hpp"

// An element of the result depends on the same element of the operands alone, also where the result takes the place of
// one. The compiler cannot know, and would compare addresses and then go one by one.
#if defined(__clang__)
#define QUADRILLE_ELEMENTS_ALONE _Pragma("clang loop vectorize(assume_safety)")
#else
#define QUADRILLE_ELEMENTS_ALONE _Pragma("GCC ivdep")
#endif

namespace quadrille::operators {

namespace {

/// Integers wrap around, as those without sign do.
template <class T>
struct Wide {
  using type = T;
};
template <std::integral T>
struct Wide<T> {
  using type = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
};
template <class T>
using Wrapping = typename Wide<T>::type;

template <Operation operation, class T>
constexpr T combined(T a, T b) {
  using W = Wrapping<T>;
  if constexpr (operation == Operation::sum) return static_cast<T>(W(a) + W(b));
  if constexpr (operation == Operation::prod) return static_cast<T>(W(a) * W(b));
  if constexpr (operation == Operation::min) return b < a ? b : a;
  if constexpr (operation == Operation::max) return a < b ? b : a;
  if constexpr (operation == Operation::band) return static_cast<T>(a & b);
  if constexpr (operation == Operation::bor) return static_cast<T>(a | b);
  if constexpr (operation == Operation::bxor) return static_cast<T>(a ^ b);
  if constexpr (operation == Operation::land) return static_cast<T>((a != 0) & (b != 0));
  if constexpr (operation == Operation::lor) return static_cast<T>((a != 0) | (b != 0));
}

template <Operation operation, class T>
void combine_all(const std::byte* left, const std::byte* right, std::byte* result, std::size_t bytes) {
  const T* const a = reinterpret_cast<const T*>(left);
  const T* const b = reinterpret_cast<const T*>(right);
  T* const r = reinterpret_cast<T*>(result);
  const std::size_t count = bytes / sizeof(T);
  QUADRILLE_ELEMENTS_ALONE
  for (std::size_t i = 0; i < count; ++i) r[i] = combined<operation, T>(a[i], b[i]);
}

struct Affine {
  std::uint8_t a, b;
};

void compose_all(const std::byte* left, const std::byte* right, std::byte* result, std::size_t bytes) {
  const auto* const f = reinterpret_cast<const Affine*>(left);
  const auto* const g = reinterpret_cast<const Affine*>(right);
  auto* const r = reinterpret_cast<Affine*>(result);
  const std::size_t count = bytes / sizeof(Affine);
  QUADRILLE_ELEMENTS_ALONE
  for (std::size_t i = 0; i < count; ++i)
    r[i] = {static_cast<std::uint8_t>(f[i].a * g[i].a), static_cast<std::uint8_t>(f[i].a * g[i].b + f[i].b)};
}

/// Pairs as MPI packs them, without the gap that some have in memory.
template <class T>
struct [[gnu::packed]] Pair {
  T value;
  std::int32_t place;
};

/// Without a branch: which of two is larger cannot be foretold.
template <Operation operation, class T>
constexpr Pair<T> chosen(Pair<T> a, Pair<T> b) {
  const bool second = operation == Operation::minloc ? b.value < a.value : a.value < b.value;
  const bool equal = a.value == b.value;
  const std::int32_t of_one = second ? b.place : a.place;
  const std::int32_t of_equals = b.place < a.place ? b.place : a.place;
  return {second ? b.value : a.value, equal ? of_equals : of_one};
}

template <Operation operation, class T>
void choose_all(const std::byte* left, const std::byte* right, std::byte* result, std::size_t bytes) {
  const auto* const a = reinterpret_cast<const Pair<T>*>(left);
  const auto* const b = reinterpret_cast<const Pair<T>*>(right);
  auto* const r = reinterpret_cast<Pair<T>*>(result);
  const std::size_t count = bytes / sizeof(Pair<T>);
  QUADRILLE_ELEMENTS_ALONE
  for (std::size_t i = 0; i < count; ++i) r[i] = chosen<operation, T>(a[i], b[i]);
}

template <class T>
Kernel kernel_of(Operation operation) {
  switch (operation) {
    case Operation::minloc:
      return choose_all<Operation::minloc, T>;
    case Operation::maxloc:
      return choose_all<Operation::maxloc, T>;
    case Operation::sum:
      return combine_all<Operation::sum, T>;
    case Operation::prod:
      return combine_all<Operation::prod, T>;
    case Operation::min:
      return combine_all<Operation::min, T>;
    case Operation::max:
      return combine_all<Operation::max, T>;
    default:
      break;
  }
  if constexpr (std::integral<T>) switch (operation) {
      case Operation::band:
        return combine_all<Operation::band, T>;
      case Operation::bor:
        return combine_all<Operation::bor, T>;
      case Operation::bxor:
        return combine_all<Operation::bxor, T>;
      case Operation::land:
        return combine_all<Operation::land, T>;
      case Operation::lor:
        return combine_all<Operation::lor, T>;
      default:
        break;
    }
  return nullptr;
}

struct Row {
  Bytes bytes;
  Kernel (*kernel)(Operation);
};

template <class T>
constexpr Row row_of{sizeof(T), kernel_of<T>};

#if defined(__FLT16_MAX__)
Kernel kernel_of_halves(Operation operation) {
  const Kernel eight = halves_kernel(operation);
  return eight != nullptr ? eight : kernel_of<_Float16>(operation);
}
#else
Kernel kernel_of_halves(Operation) { return nullptr; }
#endif
constexpr Row half{2, kernel_of_halves};

/// Indexed by Number.
constexpr std::array<Row, 11> rows{row_of<std::uint8_t>,  row_of<std::uint16_t>, row_of<std::uint32_t>,
                                   row_of<std::uint64_t>, row_of<std::int8_t>,   row_of<std::int16_t>,
                                   row_of<std::int32_t>,  row_of<std::int64_t>,  half,
                                   row_of<float>,         row_of<double>};
static_assert(static_cast<std::size_t>(Number::float64) + 1 == rows.size());

const Row& row(Number number) { return rows[static_cast<std::size_t>(number)]; }

}  // namespace

Bytes element(const Operator& op) {
  if (op.operation == Operation::affine) return sizeof(Affine);
  const bool pairs = op.operation == Operation::minloc || op.operation == Operation::maxloc;
  return row(op.number).bytes + (pairs ? Bytes{sizeof(std::int32_t)} : 0);
}

bool is_commutative(const Operator& op) { return op.operation != Operation::affine; }

Kernel kernel(const Operator& op) {
  if (op.operation == Operation::affine) return op.number == Number::uint8 ? compose_all : nullptr;
  return row(op.number).kernel(op.operation);
}

}  // namespace quadrille::operators
