// A machine as its file has it: the constants, which of them were given, and what they were measured on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/machine.hpp"

namespace quadrille {

/// Where constants were measured, as far as that is known: empty text and 0 where it is not.
struct MeasuredOn {
  std::string transport;  ///< "threads" or "mpi"; empty: nothing is known
  std::string library;    ///< the MPI and its version
  std::string topology;   ///< of the ranks; empty: their network is no part of the constants
  std::string date;       ///< "2026-11-22"
  std::int64_t hosts = 0, ranks = 0, cores = 0;
  bool known() const { return !transport.empty(); }
};

struct MachineFile {
  Machine machine;
  MeasuredOn measured;
  std::vector<std::string> given;  ///< keys that the file or an assignment sets
  bool is_given(std::string_view key) const;
};

/// As load_machine, parse_machine, set_parameter and to_text, which leave out the rest. What was not given and is 0 is
/// not written either.
MachineFile load_machine_file(const std::string& name_or_path);
MachineFile parse_machine_file(std::string_view toml, const std::string& where);
void set_parameter(MachineFile& file, std::string_view assignment);
std::string to_text(const MachineFile& file);

/// "between 2 threads on 2 cores", "between 8 processes of Open MPI 4.1.4 on 4 hosts, on ring:8"; "" when not known.
std::string words_of(const MeasuredOn& measured);

/// Where the constants are used now.
struct UsedOn {
  std::string transport;   ///< empty: not said
  std::string topology;    ///< of the ranks
  std::int64_t hosts = 0;  ///< 0: not said
  std::int64_t ranks = 0;
};
/// Where that is something else than what was measured: one line that says so. Empty where it is the same, or nothing
/// is known.
std::string used_elsewhere(const MachineFile& file, const UsedOn& use);

/// Constants that no machine has, each as a sentence: start-ups of 0.1 s and more, wires of less than 1 kB/s. None of
/// machines that count in units.
std::vector<std::string> implausible(const Machine& machine);

}  // namespace quadrille
