// Kernels: every element, at any length, in place of either operand, as the operation is defined.
#include "operators/kernels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace quadrille::kernels_test {
namespace {

using operators::Number;
using operators::Operation;
using operators::Operator;

template <class T>
const std::byte* bytes(const std::vector<T>& v) {
  return reinterpret_cast<const std::byte*>(v.data());
}
template <class T>
std::byte* bytes(std::vector<T>& v) {
  return reinterpret_cast<std::byte*>(v.data());
}

template <class T>
void expect_all(const Operator& op, T (*right_result)(T, T)) {
  std::mt19937_64 random(3);
  ASSERT_EQ(operators::element(op), static_cast<Bytes>(sizeof(T)));
  const operators::Kernel kernel = operators::kernel(op);
  ASSERT_NE(kernel, nullptr);
  for (std::size_t n = 0; n < 70; ++n) {
    std::vector<T> a(n), b(n), wanted(n), result(n + 1, T{77});
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<T>(random() >> (i % 3 == 0 ? 63 : 0));  // also 0 and 1
      b[i] = static_cast<T>(random() >> (i % 2 == 0 ? 63 : 0));
      wanted[i] = right_result(a[i], b[i]);
    }
    kernel(bytes(a), bytes(b), bytes(result), n * sizeof(T));
    EXPECT_EQ(result.back(), T{77});
    result.pop_back();
    EXPECT_EQ(result, wanted) << n;
    std::vector<T> left = a, right = b;
    kernel(bytes(left), bytes(b), bytes(left), n * sizeof(T));
    EXPECT_EQ(left, wanted) << n;
    kernel(bytes(a), bytes(right), bytes(right), n * sizeof(T));
    EXPECT_EQ(right, wanted) << n;
  }
}

template <class T>
void expect_integers(Number number) {
  using W = std::make_unsigned_t<T>;
  expect_all<T>({Operation::sum, number},
                [](T a, T b) { return static_cast<T>(static_cast<W>(a) + static_cast<W>(b)); });
  expect_all<T>({Operation::prod, number},
                [](T a, T b) { return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)); });
  expect_all<T>({Operation::min, number}, [](T a, T b) { return std::min(a, b); });
  expect_all<T>({Operation::max, number}, [](T a, T b) { return std::max(a, b); });
  expect_all<T>({Operation::band, number}, [](T a, T b) { return static_cast<T>(a & b); });
  expect_all<T>({Operation::bor, number}, [](T a, T b) { return static_cast<T>(a | b); });
  expect_all<T>({Operation::bxor, number}, [](T a, T b) { return static_cast<T>(a ^ b); });
  expect_all<T>({Operation::land, number}, [](T a, T b) { return static_cast<T>(a != 0 && b != 0); });
  expect_all<T>({Operation::lor, number}, [](T a, T b) { return static_cast<T>(a != 0 || b != 0); });
}

TEST(Kernels, IntegersOfEveryWidth) {
  expect_integers<std::uint8_t>(Number::uint8);
  expect_integers<std::uint16_t>(Number::uint16);
  expect_integers<std::int8_t>(Number::int8);
  expect_integers<std::int16_t>(Number::int16);
  expect_integers<std::uint32_t>(Number::uint32);
  expect_integers<std::uint64_t>(Number::uint64);
  expect_integers<std::int32_t>(Number::int32);
  expect_integers<std::int64_t>(Number::int64);
}

template <class T>
void expect_floats(Number number) {
  expect_all<T>({Operation::sum, number}, [](T a, T b) { return a + b; });
  expect_all<T>({Operation::prod, number}, [](T a, T b) { return a * b; });
  expect_all<T>({Operation::min, number}, [](T a, T b) { return std::min(a, b); });
  expect_all<T>({Operation::max, number}, [](T a, T b) { return std::max(a, b); });
  for (const Operation o : {Operation::band, Operation::bor, Operation::bxor, Operation::land, Operation::lor})
    EXPECT_EQ(operators::kernel({o, number}), nullptr);
}

template <class T>
struct [[gnu::packed]] Placed {
  T value;
  std::int32_t place;
  bool operator==(const Placed& o) const { return value == o.value && place == o.place; }
};

template <class T>
void expect_places(Number number) {
  using P = Placed<T>;
  ASSERT_EQ(operators::element({Operation::minloc, number}), static_cast<Bytes>(sizeof(P)));
  std::vector<P> all;
  for (int value = -2; value <= 2; ++value)
    for (const int place : {-7, 0, 1, 1000000}) all.push_back({static_cast<T>(value), place});
  for (const Operation operation : {Operation::minloc, Operation::maxloc})
    for (const P& a : all)
      for (const P& b : all) {
        const bool first = operation == Operation::minloc ? a.value < b.value : b.value < a.value;
        const P wanted = a.value == b.value ? P{a.value, std::min<std::int32_t>(a.place, b.place)} : first ? a : b;
        const std::vector<P> left(3, a);
        std::vector<P> right(3, b);
        operators::kernel({operation, number})(bytes(left), bytes(right), bytes(right), 3 * sizeof(P));
        EXPECT_EQ(right, std::vector<P>(3, wanted));
      }
}

TEST(Kernels, TheSmallestAndTheLargestHaveAPlace) {
  expect_places<std::int16_t>(Number::int16);
  expect_places<std::int32_t>(Number::int32);
  expect_places<std::int64_t>(Number::int64);
  expect_places<float>(Number::float32);
  expect_places<double>(Number::float64);
}

#if defined(__FLT16_MAX__)
TEST(Kernels, HalvesAreRoundedOnce) {
  std::vector<_Float16> a{_Float16(1), _Float16(0.1F), _Float16(2048)}, b{_Float16(2), _Float16(0.2F), _Float16(1)},
      sum(3);
  operators::kernel({Operation::sum, Number::float16})(bytes(a), bytes(b), bytes(sum), 6);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(static_cast<float>(sum[i]),
              static_cast<float>(static_cast<_Float16>(static_cast<float>(a[i]) + static_cast<float>(b[i]))));
}

/// Bits, which tell zeros apart; all that are no numbers are one.
std::uint16_t bits_of(_Float16 half) {
  return half != half ? std::uint16_t{0x7e00} : std::bit_cast<std::uint16_t>(half);
}

void expect_halves(Operation operation, _Float16 (*right_result)(_Float16, _Float16)) {
  std::mt19937_64 random(5);
  const operators::Kernel kernel = operators::kernel({operation, Number::float16});
  std::vector<_Float16> a(70007), b(a.size()), result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {  // every half there is, also infinities, the smallest and no numbers
    a[i] = std::bit_cast<_Float16>(static_cast<std::uint16_t>(i));
    b[i] = std::bit_cast<_Float16>(static_cast<std::uint16_t>(i % 7 == 0 ? i ^ 0x8000 : random()));
  }
  kernel(bytes(a), bytes(b), bytes(result), a.size() * sizeof(_Float16));
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(bits_of(result[i]), bits_of(right_result(a[i], b[i]))) << bits_of(a[i]) << " and " << bits_of(b[i]);
}

TEST(Kernels, HalvesHaveTheBitsOfTheCompilersOwn) {
  expect_halves(Operation::sum, [](_Float16 a, _Float16 b) { return static_cast<_Float16>(a + b); });
  expect_halves(Operation::prod, [](_Float16 a, _Float16 b) { return static_cast<_Float16>(a * b); });
  expect_halves(Operation::min, [](_Float16 a, _Float16 b) { return b < a ? b : a; });
  expect_halves(Operation::max, [](_Float16 a, _Float16 b) { return a < b ? b : a; });
}

TEST(Kernels, HalvesOfEveryLength) {
  for (const Operation o : {Operation::sum, Operation::prod, Operation::min, Operation::max})
    for (std::size_t n = 0; n < 40; ++n) {
      std::vector<_Float16> a(n, _Float16(3)), b(n, _Float16(2)), result(n + 1, _Float16(77));
      operators::kernel({o, Number::float16})(bytes(a), bytes(b), bytes(result), n * sizeof(_Float16));
      EXPECT_EQ(bits_of(result[n]), bits_of(_Float16(77))) << n;
      operators::kernel({o, Number::float16})(bytes(a), bytes(b), bytes(a), n * sizeof(_Float16));
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(bits_of(a[i]), bits_of(result[i])) << n;
    }
}
#endif

TEST(Kernels, FloatingPointNumbersHaveNoBits) {
  expect_floats<float>(Number::float32);
  expect_floats<double>(Number::float64);
}

TEST(Kernels, AffineMapsComposeAndDoNotCommute) {
  const Operator op{Operation::affine, Number::uint8};
  EXPECT_FALSE(operators::is_commutative(op));
  EXPECT_TRUE(operators::is_commutative({}));
  EXPECT_EQ(operators::kernel({Operation::affine, Number::uint32}), nullptr);
  const operators::Kernel kernel = operators::kernel(op);
  using Maps = std::vector<std::uint8_t>;
  const auto product = [&](const Maps& f, const Maps& g) {
    Maps r(f.size());
    kernel(bytes(f), bytes(g), bytes(r), r.size());
    return r;
  };
  EXPECT_EQ(product({3, 5}, {7, 11}), (Maps{21, 38}));  // 3 (7 x + 11) + 5
  EXPECT_EQ(product({7, 11}, {3, 5}), (Maps{21, 46}));
  std::mt19937 random(7);
  for (std::size_t n = 2; n < 80; n += 2) {
    Maps f(n), g(n), h(n);
    for (Maps* m : {&f, &g, &h})
      for (std::uint8_t& b : *m) b = static_cast<std::uint8_t>(random());
    EXPECT_EQ(product(product(f, g), h), product(f, product(g, h)));
    Maps in_place = f;
    kernel(bytes(in_place), bytes(g), bytes(in_place), n);
    EXPECT_EQ(in_place, product(f, g));
    in_place = g;
    kernel(bytes(f), bytes(in_place), bytes(in_place), n);
    EXPECT_EQ(in_place, product(f, g));
  }
}

}  // namespace
}  // namespace quadrille::kernels_test
