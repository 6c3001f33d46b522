// Which cases of a large grid a test tries: all of them, or a sample under sanitizers.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash.hpp"

namespace quadrille::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

/// One of `share` cases. Which ones follows from their text alone. So the same ones are tried in any order, with any
/// filter, and no loop falls in step with the sample.
inline bool one_of(std::string_view text, std::uint64_t share) {
  std::uint64_t hash = text.size();
  for (const char c : text) hash = base::combined(hash, static_cast<std::uint64_t>(c));
  return base::scrambled(hash) % share == 0;
}

/// Every case is tried; but a sanitizer takes ten times as long, and looks at memory, which few cases show it as well
/// as all: it gets one of `share`.
inline bool sampled(std::string_view text, std::uint64_t share = 8) { return !sanitized || one_of(text, share); }

}  // namespace quadrille::testing
