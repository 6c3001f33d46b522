// What operators do to vectors: plain loops that the compiler makes wide.
#pragma once

#include <cstddef>
#include <cstdint>

#include "quadrille/base.hpp"

namespace quadrille::operators {

/// Bitwise and logical operations as MPI has them. `affine` is associative and not commutative: an element is a pair of
/// bytes (a, b) that stands for x -> a x + b modulo 256, and the product of two is the right one, then the left one.
/// `minloc` and `maxloc` are of pairs of a number and, right behind it, a place of 32 bits: the smaller (larger)
/// number, of equal ones the lower place.
enum class Operation : std::uint8_t { sum, prod, min, max, band, bor, bxor, land, lor, minloc, maxloc, affine };
/// Sums and products of integers are modulo 2^bits. float16: where the compiler has it.
enum class Number : std::uint8_t {
  uint8,
  uint16,
  uint32,
  uint64,
  int8,
  int16,
  int32,
  int64,
  float16,
  float32,
  float64
};

struct Operator {
  Operation operation = Operation::sum;
  Number number = Number::uint8;
  bool operator==(const Operator&) const = default;
};

/// Bytes of an element.
Bytes element(const Operator& op);
bool is_commutative(const Operator& op);

/// result[i] = left[i] (.) right[i] for all elements of so many bytes. The result may take the place of one operand, or
/// of both, but not overlap them otherwise. All three are aligned as their numbers are.
using Kernel = void (*)(const std::byte* left, const std::byte* right, std::byte* result, std::size_t bytes);

/// Null where the operation is not defined: bits and truth of floating-point numbers, affine maps of anything but
/// bytes.
Kernel kernel(const Operator& op);

}  // namespace quadrille::operators
