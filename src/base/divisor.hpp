// Division of many numbers by one.
#pragma once

#include <cstdint>

namespace quadrille::base {

/// Divides 32-bit numbers by one that is always the same: by a multiplication, which is several times faster. (Lemire,
/// Kaser & Kurz 2019, Faster remainder by direct computation: exact for all 32-bit numbers.)
class Divisor {
 public:
  explicit Divisor(std::uint32_t by = 1) : by_(by), inverse_(by == 1 ? 0 : ~std::uint64_t{0} / by + 1) {}
  std::uint32_t quotient(std::uint32_t n) const {
    return by_ == 1 ? n : static_cast<std::uint32_t>(static_cast<Wide>(inverse_) * n >> 64);
  }
  std::uint32_t remainder(std::uint32_t n) const { return n - by_ * quotient(n); }
  std::uint32_t by() const { return by_; }

 private:
  __extension__ using Wide = unsigned __int128;
  std::uint32_t by_;
  std::uint64_t inverse_;
};

}  // namespace quadrille::base
