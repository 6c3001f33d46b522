// What a machine file or an assignment may set: one entry per member of Machine, with its text form both ways.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "machine/quantity.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::machine {

struct TimeField {
  Seconds Machine::*member;
};
struct PerByteField {
  double Machine::*member;
};
struct BytesField {
  Bytes Machine::*member;
};
using MachineField = std::variant<TimeField, PerByteField, BytesField, std::int64_t Machine::*, bool Machine::*,
                                  Ports Machine::*, Duplex Machine::*, Switching Machine::*, CircuitCost Machine::*>;

struct MachineKey {
  std::string_view name;
  MachineField field;
  int shown;                    ///< its place among all for readers, in JSON and reports; in steps of ten
  std::string_view meaning;     ///< for reports: "start-up of one message"
  std::string_view brief = {};  ///< for the table of `quadrille machine`; empty: the meaning
  /// The same where it depends on the value.
  std::string_view (*brief_of)(const Machine&) = nullptr;
  int shown_in_table = shown;  ///< where the table has it elsewhere
};

/// In the order in which to_text writes them.
const std::vector<MachineKey>& machine_keys();
/// In the order of JSON and reports; and in that of the table for people.
std::vector<const MachineKey*> keys_as_shown();
std::vector<const MachineKey*> keys_as_in_table();

/// A value as JSON has it: in SI units, words as text.
using MachineValue = std::variant<double, std::int64_t, bool, std::string_view>;
MachineValue value_of(const Machine& machine, const MachineKey& key);
/// "s", "s/B", "B", or nothing.
std::string_view unit_of(const MachineKey& key);
/// "alpha_s", "beta_s_per_byte", "eager_limit_bytes", "ports".
std::string json_name(const MachineKey& key);
/// The value for people: "95.00 us", "360.0 ns/B", "16 KiB", "one".
std::string text_of(const Machine& machine, const MachineKey& key);
std::string_view brief_of(const Machine& machine, const MachineKey& key);
/// "360.0 ns/B"; "0 s/B".
std::string per_byte_text(double seconds_per_byte);
/// Keys that are younger than the files that hold machines: what was written before leaves them out, and so does what
/// has 0 of them.
inline bool may_be_missing(const MachineKey& key) {
  return key.name == "burst" || key.name == "eager_limit" || key.name.starts_with("overhead_");
}
/// Whether it is such a key, and this machine has nothing of it.
bool is_left_out(const MachineKey& key, const Machine& machine);
/// Null when there is no such key.
const MachineKey* find_key(std::string_view name);
/// What a name sets: one key, or both overheads for "overhead". Empty when there is no such name.
std::vector<const MachineKey*> keys_named(std::string_view name);
/// All names that keys_named knows.
std::vector<std::string> key_names();

/// Sets the member from "95us", "0.394 us/B", "12.5 GB/s", "one", "true", "4"; `what` opens the error message.
void read_value(Machine& machine, const MachineKey& key, std::string_view text, std::string_view what);
/// The member as a TOML value; times in seconds, shortest form that reads back to the same number.
std::string write_value(const Machine& machine, const MachineKey& key);

/// Throws Error(argument) naming the accepted words.
Honesty parse_honesty(std::string_view text, std::string_view what);

}  // namespace quadrille::machine
