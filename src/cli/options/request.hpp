// The options that most commands share: which collective, on which network, of which machine, how large, by what.
#pragma once

#include <string>
#include <vector>

#include "console/command.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/machine_file.hpp"

namespace quadrille {

struct Plan;

namespace cli {

/// The machine of every command without --machine: its times are seconds of something that is there, and where ranks
/// cannot be its threads the answer says so (docs/decisions/0022-one-default-machine.md).
constexpr const char* default_machine = "localhost";
constexpr const char* default_cluster = "cluster";  ///< of networks with switches or nodes of several ranks

/// --machine and --set, as typed.
struct MachineOptions {
  std::string name;
  std::vector<std::string> assignments;
  bool by_default = false;  ///< there was no --machine
};

/// --set alone.
void add_assignments(CLI::App& command, MachineOptions& options);
void add_machine_options(CLI::App& command, MachineOptions& options);
/// The machine with every --set applied and checked.
MachineFile read_file(const MachineOptions& options);
Machine read(const MachineOptions& options);
/// The network says which machine is meant where none is named.
void choose_machine(MachineOptions& options, const std::string& topology);
/// "ipsc860", "localhost (default)".
std::string name_of(const Machine& machine, bool by_default);

/// COLLECTIVE TOPOLOGY and the common options, as typed.
struct Request {
  std::string collective, topology, bytes = "1KiB", root, target, sources, demands, algorithm, budget;
  std::string element, operands, bits, counts;  ///< of reductions
  std::vector<std::string> words;               ///< what followed TOPOLOGY: "64KiB", "root=3"
  MachineOptions machine;
};

enum class Needs { algorithm, maybe_algorithm, no_algorithm };
void add_request(CLI::App& command, Request& request, Needs needs);

/// --budget: how much work a proof or a count may take.
void add_budget(CLI::App& command, Request& request);
/// The visits asked for, or `otherwise`.
std::int64_t read_budget(const Request& request, std::int64_t otherwise);

/// A collective by one of its names; throws Error(argument) naming the known ones.
Collective read_collective(const std::string& text);

/// A list or a pattern of an alltoallv, or a file with a matrix; what has no length has `bytes`.
DemandsPtr demands_named(const std::string& text, const Topology& topology, Bytes bytes);

/// The options of reductions by name, as typed.
std::vector<std::pair<std::string_view, const std::string*>> reduction_options(const Request& request);

/// A request that makes sense: everything is in range.
struct Task {
  Spec spec;
  Machine machine;
  MachineFile file = {};       ///< the same machine with what its file says of it; empty where another answer named it
  bool by_default = false;     ///< nobody named the machine
  std::string algorithm = {};  ///< as typed, if it was
  UsedOn use = {};             ///< what is known of the ranks
  const Plan* plan = nullptr;  ///< the answer, where there is one: it has prices that are not found again
};
Task read(const Request& request);

/// "alltoall on hypercube:6 (64 ranks), blocks of 32 B, machine ipsc860", and a line for each note on the machine.
std::string heading(const Task& task);
/// A word as a shell takes it, in quotes where it needs them.
std::string shell_quoted(const std::string& word);
/// "quadrille algorithm --on hypercube:6 --machine ipsc860": what says why the others cannot run.
std::string why_not_line(const Request& request);
/// "quadrille verify alltoall hypercube:6 --bytes 32 --machine ipsc860 --algorithm ...": what to type to go on.
std::string command_line(std::string_view command, const Request& request, const Algorithm& algorithm,
                         const Params& params);

}  // namespace cli

}  // namespace quadrille
