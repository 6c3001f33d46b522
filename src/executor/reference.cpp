#include "executor/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "executor/contents.hpp"

namespace quadrille::executor {

namespace {

using operators::Number;
using operators::Operation;

/// Whether all results are parts of one vector.
bool one_result(const Spec& spec) {
  return spec.collective != Collective::scan && spec.collective != Collective::exscan;
}

/// The product of two elements of one number each, or of a pair of bytes: written down once more, one by one, so that
/// a mistake of the kernels does not hide itself.
template <class T>
void add(std::span<std::byte> sum, std::span<const std::byte> more) {
  for (std::size_t i = 0; i + sizeof(T) <= sum.size(); i += sizeof(T)) {
    T a, b;
    std::memcpy(&a, &sum[i], sizeof(T));
    std::memcpy(&b, &more[i], sizeof(T));
    a = static_cast<T>(a + b);
    std::memcpy(&sum[i], &a, sizeof(T));
  }
}

void compose(std::span<std::byte> left, std::span<const std::byte> right) {
  const auto at = [](std::span<const std::byte> s, std::size_t i) { return std::to_integer<unsigned>(s[i]); };
  for (std::size_t i = 0; i + 1 < left.size(); i += 2) {
    const unsigned a = at(left, i), b = at(left, i + 1);
    left[i] = static_cast<std::byte>(a * at(right, i));
    left[i + 1] = static_cast<std::byte>(a * at(right, i + 1) + b);
  }
}

}  // namespace

operators::Operator operator_of(const Spec& spec) {
  if (idempotent(spec)) return {Operation::bor, Number::uint8};
  if (spec.operands == Operands::ordered) {
    if (spec.element % 2 != 0)
      throw Error(
          Error::Kind::argument,
          fmt::format("element {}: where operands are ordered, a run combines pairs of bytes; expected elements "
                      "of an even number of bytes",
                      spec.element));
    return {Operation::affine, Number::uint8};
  }
  const Number number = spec.element % 8 == 0 ? Number::uint64 : spec.element % 4 == 0 ? Number::uint32 : Number::uint8;
  return {Operation::sum, number};
}

Reference::Reference(const Spec& spec, std::uint64_t seed) : spec_(spec), seed_(seed), operator_(operator_of(spec)) {
  if (!one_result(spec)) return;
  whole_.resize(static_cast<std::size_t>(vector_bytes(spec)));
  for (std::size_t at = 0; at < whole_.size(); at += chunk)
    fold({0, spec.ranks()}, static_cast<Bytes>(at),
         std::span(whole_).subspan(at, std::min<std::size_t>(chunk, whole_.size() - at)));
}

Bytes Reference::memory(const Spec& spec) { return one_result(spec) ? vector_bytes(spec) : 0; }

void Reference::contribution(Rank r, Bytes first, std::span<std::byte> to) const {
  const Contents contents(seed_, r);
  for (std::size_t i = 0; i < to.size(); i += word_bytes) {
    const std::uint64_t word = contents.word((first + static_cast<Bytes>(i)) / word_bytes);
    std::memcpy(&to[i], &word, std::min<std::size_t>(word_bytes, to.size() - i));
  }
  // A bit for each of eight ranks: random bytes of a few ranks have all bits together.
  if (operator_.operation == Operation::bor) std::fill(to.begin(), to.end(), std::byte{1} << (r % 8));
  if (operator_.operation != Operation::affine) return;
  for (std::size_t i = 0; i < to.size(); i += 2) to[i] |= std::byte{1};  // even factors would forget what came before
}

void Reference::fold(Contributions of, Bytes first, std::span<std::byte> to) const {
  std::array<std::byte, chunk> more;
  const auto next = std::span(more).first(to.size());
  for (Rank r = of.first; r < of.end; ++r) {
    contribution(r, first, r == of.first ? to : next);
    if (r == of.first) continue;
    if (operator_.operation == Operation::affine)
      compose(to, next);
    else if (operator_.operation == Operation::bor)
      std::transform(to.begin(), to.end(), next.begin(), to.begin(), std::bit_or<>());
    else if (operator_.number == Number::uint64)
      add<std::uint64_t>(to, next);
    else if (operator_.number == Number::uint32)
      add<std::uint32_t>(to, next);
    else
      add<std::uint8_t>(to, next);
  }
}

void Reference::result(Rank r, Bytes first, std::span<std::byte> to) const {
  if (whole_.empty()) return fold(wanted_contributions(spec_, r, 0), first, to);
  const Bytes at = buffer_start(spec_, Buffer::out, r) + first;
  std::copy_n(whole_.begin() + at, to.size(), to.begin());
}

}  // namespace quadrille::executor
