// The bits of a value as another type.
#pragma once

#include <type_traits>

namespace quadrille::base {

/// As std::bit_cast, which the library of Emscripten does not have yet; all compilers have what it is made of.
template <class To, class From>
constexpr To bit_cast(const From& value) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, value);
}

}  // namespace quadrille::base
