// Memory for tables of which any part is looked at next.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

namespace quadrille::base {

/// Asks for pages of 2 MiB where a table has some: a dozen tables of a million ranks are on more pages of 4 KiB than
/// the processor keeps track of, and each would be cleared by itself when it is touched for the first time.
template <class T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <class U>
  explicit HugePages(const HugePages<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment(bytes));
#ifdef MADV_HUGEPAGE
    if (bytes >= page) madvise(memory, bytes, MADV_HUGEPAGE);  // where it fails they are small
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) { ::operator delete(memory, alignment(count * sizeof(T))); }
  friend bool operator==(const HugePages&, const HugePages&) { return true; }

 private:
  static constexpr std::size_t page = std::size_t{1} << 21;
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= page ? page : std::max(alignof(T), std::size_t{64})};
  }
};

template <class T>
using Table = std::vector<T, HugePages<T>>;

}  // namespace quadrille::base
