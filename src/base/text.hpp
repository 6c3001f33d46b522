// Text in and out: numbers, sizes, times, lists of what is known. Every parser names what it would have accepted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::base {

std::vector<std::string_view> split(std::string_view text, char separator);
/// Without the blanks, tabs and line ends around it.
std::string_view trimmed(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string join(const std::vector<std::int64_t>& parts, std::string_view separator);

/// "a ring", "an 8 x 8 torus": as it is spoken, a number in front included.
std::string with_article(std::string_view noun);

/// A decimal integer in [low, high]; `what` opens the error message.
std::int64_t parse_integer(std::string_view text, std::int64_t low, std::int64_t high, std::string_view what);

/// The double nearest to the decimal number that `text` is, and nothing else; none also where it is out of range.
std::optional<double> to_double(std::string_view text);

/// A finite decimal number; `what` opens the error message.
double parse_number(std::string_view text, std::string_view what);

/// "4096", "4KiB", "1.5MiB", "64kB", "10B": a whole number of bytes, 0 .. 2^62.
Bytes parse_bytes(std::string_view text, std::string_view what = "size");

std::string format_bytes(Bytes bytes);     ///< "0 B", "1000 B", "4 KiB", "1.5 MiB"; exact or with three digits
std::string format_seconds(Seconds time);  ///< "830 ns", "8.774 ms", "2 min 5 s"
std::string format_count(std::int64_t n);  ///< "1048576" -> "1 048 576"
std::string format_ratio(double ratio);    ///< "1.00", "2.43", "38.2", "1200"

/// Throws Error(argument): "<what> '<text>': unknown <kind>; known: a, b, c (did you mean 'b'?)".
[[noreturn]] void unknown_name(std::string_view what, std::string_view text, std::string_view kind,
                               std::vector<std::string> known);

/// At most `limit` printable characters of hostile text, quoted for a message.
std::string quoted(std::string_view text, std::size_t limit = 60);

}  // namespace quadrille::base
