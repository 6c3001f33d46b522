// One libFuzzer target per entry; CMake compiles this file once for each.
#include <cstddef>
#include <cstdint>

#include "fuzz/entries.hpp"
#include "fuzz/graphs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quadrille::fuzz::QUADRILLE_FUZZ_ENTRY({reinterpret_cast<const char*>(data), size});
  return 0;
}
