// What `quadrille price --contention` says: where a schedule's messages compete for wires.
#pragma once

#include <string>

#include "cli/json.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/contention.hpp"

namespace quadrille::cli {

struct ContentionOptions {
  bool wanted = false, half_bus = false;
  std::string who = "messages", on;
};
void add_contention_options(CLI::App& command, ContentionOptions& options);
/// Throws Error(argument) for an unknown --who, and for options that need --contention.
void check(const ContentionOptions& options);

/// A schedule's competition on the task's wires, or on those of --on.
struct ContentionReport {
  TopologyPtr topology;
  Counting counting;
  Contention found;
};
ContentionReport find_contention(const ContentionOptions& options, const Task& task, const Schedule& schedule);
Json json_of(const ContentionReport& report);
void print_contention(const ContentionReport& report, const Machine& machine, console::Context& context);

}  // namespace quadrille::cli
