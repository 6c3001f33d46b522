// Times and rates as people and vendors write them: "95us", "1.5 µs", "0.4us/B", "12.5 GB/s", "100Gbit/s", "200 Gbps".
#pragma once

#include <string_view>

#include "quadrille/base.hpp"

namespace quadrille::machine {

/// No constant is larger: 30 years, or 30 years a byte. With it no time of a schedule passes what a double holds.
constexpr double largest_constant = 1e9;

/// A time from 0 to largest_constant. Throws Error(argument), which `what` opens, naming what is accepted.
Seconds read_seconds(std::string_view text, std::string_view what);
/// The same of a time a byte, or a rate, of bytes or of bits. What does not say which of these is refused: "400G".
double read_seconds_per_byte(std::string_view text, std::string_view what);

/// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

}  // namespace quadrille::machine
