// Sizes of messages by a small number, so that an event has room for its message's size.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::simulator {

/// The sizes that messages have, numbered: few are different.
class Sizes {
 public:
  std::uint32_t number(Bytes bytes) {
    if (bytes != last_) look_up(bytes);
    return last_number_;
  }
  double operator[](std::uint32_t number) const { return all_[number]; }

 private:
  [[gnu::noinline]] void look_up(Bytes bytes) {
    const auto [found, is_new] = known_.try_emplace(bytes, static_cast<std::uint32_t>(all_.size()));
    if (is_new) all_.push_back(static_cast<double>(bytes));
    last_ = bytes, last_number_ = found->second;
  }

  std::vector<double> all_;
  std::unordered_map<Bytes, std::uint32_t> known_;
  Bytes last_ = -1;
  std::uint32_t last_number_ = 0;
};

}  // namespace quadrille::simulator
