#include "operators/kernels.hpp"

#include <array>
#include <concepts>
#include <type_traits>

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

template <class T>
Kernel kernel_of(Operation operation) {
  switch (operation) {
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

/// Indexed by Number.
constexpr std::array<Row, 10> rows{
    row_of<std::uint8_t>, row_of<std::uint16_t>, row_of<std::uint32_t>, row_of<std::uint64_t>, row_of<std::int8_t>,
    row_of<std::int16_t>, row_of<std::int32_t>,  row_of<std::int64_t>,  row_of<float>,         row_of<double>};
static_assert(static_cast<std::size_t>(Number::float64) + 1 == rows.size());

const Row& row(Number number) { return rows[static_cast<std::size_t>(number)]; }

}  // namespace

Bytes element(const Operator& op) {
  return op.operation == Operation::affine ? Bytes{sizeof(Affine)} : row(op.number).bytes;
}

bool is_commutative(const Operator& op) { return op.operation != Operation::affine; }

Kernel kernel(const Operator& op) {
  if (op.operation == Operation::affine) return op.number == Number::uint8 ? compose_all : nullptr;
  return row(op.number).kernel(op.operation);
}

}  // namespace quadrille::operators
