// Capacities exactly: whole numbers of a unit are what cuts and widths are made of.
#pragma once

#include <optional>
#include <string_view>

#include "quadrille/base.hpp"

namespace quadrille::topology {

constexpr bool digit(char c) { return c >= '0' && c <= '9'; }

__extension__ typedef __int128 Exact;

/// In millionths of a bit a second, or in millionths where it is a plain number.
struct Amount {
  Exact millionths = 0;
  bool is_rate = false;
};

/// "25", "12.5GB/s", "100Gbit/s", "200Gbps", "1.5e9B/s". Empty for what is no such number, is below a millionth, or
/// above 10^30 of them.
std::optional<Amount> read_amount(std::string_view text);

/// "1us", "250ns", "0.5ms", "2s", "0". Empty for what is no time from 0 to 10^9 s.
std::optional<Seconds> read_latency(std::string_view text);
/// Whether a word can only be meant as a time.
bool looks_like_latency(std::string_view text);

}  // namespace quadrille::topology
