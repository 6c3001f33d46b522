// The one hash function: of numbers, and of several numbers in order. Two hashes that ranks compare are made by it.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace quadrille::base {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;  ///< 2^64 over the golden ratio, made odd

/// The last steps of splitmix64 [Steele, Lea & Flood 2014]. Every bit of the result depends on every bit of x, and
/// different numbers stay different. 0 stays 0.
constexpr std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// splitmix64.
constexpr std::uint64_t mixed(std::uint64_t x) { return scrambled(x + golden); }

/// The hash of a sequence that `hash` was the hash of, with one more value. It is cheap enough for every call of a
/// program; its low bits are weak.
constexpr std::uint64_t combined(std::uint64_t hash, std::uint64_t value) {
  return (std::rotl(hash, 29) ^ value * golden) * 0xff51afd7ed558ccdu;
}

/// A hash of all of them, in their order. All bits are good.
template <std::integral... Numbers>
constexpr std::uint64_t hash_of(Numbers... numbers) {
  std::uint64_t hash = sizeof...(numbers);
  ((hash = combined(hash, static_cast<std::uint64_t>(numbers))), ...);
  return scrambled(hash);
}

}  // namespace quadrille::base
