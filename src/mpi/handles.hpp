// MPI's handles as numbers.
#pragma once

#include <cstdint>
#include <type_traits>

namespace quadrille::mpi {

/// MPI's handles are numbers, of which the last figures differ, or addresses.
template <class Handle>
std::uint64_t number_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<std::uintptr_t>(handle);
  else
    return static_cast<std::uint64_t>(handle);
}

}  // namespace quadrille::mpi
