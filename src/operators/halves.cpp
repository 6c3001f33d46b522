#include "operators/halves.hpp"

#if defined(__FLT16_MAX__) && defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#include <cstring>

// Only these functions are for processors that can do this: what they use must be compiled for the same.
#define QUADRILLE_EIGHT __attribute__((target("avx2,f16c")))

namespace quadrille::operators {

namespace {

constexpr std::size_t eight_bytes = 8 * sizeof(_Float16);

/// A float has more than twice the digits of a half, and two more: rounded twice, sums and products are as rounded
/// once.
template <Operation operation>
QUADRILLE_EIGHT __m128i eight(__m128i a, __m128i b) {
  const __m256 x = _mm256_cvtph_ps(a), y = _mm256_cvtph_ps(b);
  if constexpr (operation == Operation::sum) return _mm256_cvtps_ph(_mm256_add_ps(x, y), _MM_FROUND_TO_NEAREST_INT);
  if constexpr (operation == Operation::prod) return _mm256_cvtps_ph(_mm256_mul_ps(x, y), _MM_FROUND_TO_NEAREST_INT);
  const __m256i second = _mm256_castps_si256(operation == Operation::min ? _mm256_cmp_ps(y, x, _CMP_LT_OQ)
                                                                         : _mm256_cmp_ps(x, y, _CMP_LT_OQ));
  const __m128i mask = _mm_packs_epi32(_mm256_castsi256_si128(second), _mm256_extracti128_si256(second, 1));
  return _mm_blendv_epi8(a, b, mask);
}

QUADRILLE_EIGHT __m128i loaded(const std::byte* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
QUADRILLE_EIGHT void store(std::byte* to, __m128i halves) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), halves); }

template <Operation operation>
QUADRILLE_EIGHT void combine_halves(const std::byte* left, const std::byte* right, std::byte* result,
                                    std::size_t bytes) {
  const std::size_t whole = bytes / eight_bytes * eight_bytes, rest = bytes - whole;
  for (std::size_t i = 0; i < whole; i += eight_bytes)
    store(result + i, eight<operation>(loaded(left + i), loaded(right + i)));
  if (rest == 0) return;
  alignas(16) std::byte last[3][eight_bytes] = {};
  std::memcpy(last[0], left + whole, rest);
  std::memcpy(last[1], right + whole, rest);
  store(last[2], eight<operation>(loaded(last[0]), loaded(last[1])));
  std::memcpy(result + whole, last[2], rest);
}

/// Clang 16 and older know no "f16c" to ask __builtin_cpu_supports for.
bool has_f16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

}  // namespace

Kernel halves_kernel(Operation operation) {
  if (!__builtin_cpu_supports("avx2") || !has_f16c()) return nullptr;
  if (operation == Operation::sum) return combine_halves<Operation::sum>;
  if (operation == Operation::prod) return combine_halves<Operation::prod>;
  if (operation == Operation::min) return combine_halves<Operation::min>;
  if (operation == Operation::max) return combine_halves<Operation::max>;
  return nullptr;
}

}  // namespace quadrille::operators

#else

namespace quadrille::operators {

Kernel halves_kernel(Operation) { return nullptr; }

}  // namespace quadrille::operators

#endif
