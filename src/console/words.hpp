// Small phrases for people: counted nouns, shares, differences.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "console/command.hpp"
#include "quadrille/price.hpp"

namespace quadrille::console {

/// "1 round", "1 023 rounds".
std::string some(std::int64_t n, std::string_view noun);
/// "28 %", "0.4 %"; "-" of nothing.
std::string share(Seconds part, Seconds whole);
/// "just as fast", "less than 0.1 % slower", "14 % slower", "3.2 times as long", compared with `best`.
std::string slower(Seconds time, Seconds best);

/// Whether times on this machine are counts: a start-up or a byte takes a second or more, as in the papers' tables.
bool in_units(const Machine& machine);
/// ", which counts start-ups + bytes" or nothing.
std::string unit_words(const Machine& machine);
/// "8.774 ms"; "7 171" on a machine in units.
std::string time_text(Seconds time, const Machine& machine);

/// The lower bound and its parts under "limit", `gap` times which is the price.
/// A time of a model below its limit is an internal error; one that was measured says that the constants are others.
void print_limit(const Bound& bound, double gap, const Machine& machine, Context& context, bool measured = false);
std::string gap_words(double gap, bool measured);

/// "label   text", the text wrapped beside the label; lines that are broken end with `broken`.
void print_line(Context& context, std::string_view label, std::string_view text, std::string_view broken = "");
/// What a proof beside another answer may take; a fraction of a second.
constexpr std::int64_t proof_visits = std::int64_t{1} << 24;
/// "yes" or "no".
std::string_view yes_no(bool value);

}  // namespace quadrille::console
