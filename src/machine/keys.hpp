// What a machine file or an assignment may set: one entry per member of Machine, with its text form both ways.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "quadrille/machine.hpp"

namespace quadrille {

/// No constant is larger: 30 years, or 30 years a byte. With it no time of a schedule passes what a double holds.
constexpr double largest_constant = 1e9;

struct TimeField {
  Seconds Machine::*member;
};
struct PerByteField {
  double Machine::*member;
};
struct BytesField {
  Bytes Machine::*member;
};
using MachineField = std::variant<TimeField, PerByteField, BytesField, std::int64_t Machine::*, bool Machine::*, Ports Machine::*,
                                  Duplex Machine::*, Switching Machine::*, CircuitCost Machine::*>;

struct MachineKey {
  std::string_view name;
  MachineField field;
};

/// In the order in which to_text writes them.
const std::vector<MachineKey>& machine_keys();
/// Keys that are younger than the files that hold machines: what was written before leaves them out, and so does what
/// has 0 of them.
inline bool may_be_missing(const MachineKey& key) {
  return key.name == "burst" || key.name == "eager_limit" || key.name.starts_with("overhead_");
}
/// Whether it is such a key, and this machine has nothing of it.
bool is_left_out(const MachineKey& key, const Machine& machine);
/// Null when there is no such key.
const MachineKey* find_key(std::string_view name);

/// Sets the member from "95us", "0.394 us/B", "12.5 GB/s", "one", "true", "4"; `what` opens the error message.
void read_value(Machine& machine, const MachineKey& key, std::string_view text, std::string_view what);
/// The member as a TOML value; times in seconds, shortest form that reads back to the same number.
std::string write_value(const Machine& machine, const MachineKey& key);

/// Throws Error(argument) naming the accepted words.
Honesty parse_honesty(std::string_view text, std::string_view what);

/// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

}  // namespace quadrille
