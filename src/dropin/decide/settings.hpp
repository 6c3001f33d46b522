// What the environment asks for. Only rank 0 reads it; all ranks get its answer, so none can decide otherwise.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "dropin/decide/budget.hpp"
#include "dropin/decide/trial_pace.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/wisdom.hpp"

namespace quadrille::dropin {

enum class Mode {
  off,      ///< the program as it is
  observe,  ///< count, time, and say at the end what plans would do
  on,       ///< plans where they are predicted to win, or known to; each has to show it once
  trial     ///< native and the best plans in turn, then the fastest
};

/// The bits of results of operators that round, such as sums of floating-point numbers.
enum class Bits {
  kept,         ///< in one run they do not change: whoever answers the first call answers all
  free,         ///< whoever is fastest answers
  reproducible  ///< those of the canonical expression, which any plan for it gives; of scans: kept
};
std::string_view to_string(Bits bits);

/// Where persistent and non-blocking calls go on.
enum class Progress {
  calls,   ///< within the program's calls of MPI
  thread,  ///< besides, on a thread of their own, where there is a core for it and MPI lets it in
  off      ///< they are MPI's
};

struct Settings {
  Mode mode = Mode::observe;
  std::string topology;            ///< of all ranks, with their nodes; empty: crossbar
  std::vector<std::string> hosts;  ///< of its nodes, where ranks are placed by them: then topology is to be settled
  std::string machine;             ///< a preset or a file, as given; empty: to be measured
  Machine constants;               ///< of that machine
  Wisdom wisdom;                   ///< of earlier trials
  std::string wisdom_file, report_file;          ///< empty: none
  Seconds every = 300;                           ///< these files are written anew; 0: only at the end
  Bytes segment = -1;                            ///< -1: by where the ranks are
  std::int64_t after = TrialPace::calls_before;  ///< calls of a kind that are MPI's before any plan
  Budget budget = {};                            ///< of trials
  bool watch = true;                             ///< plans in use are compared with MPI's own calls
  bool shared = true;                            ///< ranks of a host read each other's memory where they can
  Bits bits = Bits::kept;                        ///< of reductions
  Progress progress = Progress::calls;           ///< of persistent and non-blocking calls

  bool keeps_trials() const { return mode == Mode::trial && !wisdom_file.empty(); }
};

/// From the environment of a program with so many ranks: QUADRILLE, QUADRILLE_TOPOLOGY, QUADRILLE_MACHINE,
/// QUADRILLE_WISDOM, QUADRILLE_REPORT, QUADRILLE_SEGMENT, QUADRILLE_SHARED, QUADRILLE_BUDGET, QUADRILLE_WATCH,
/// QUADRILLE_EVERY, QUADRILLE_BITS, QUADRILLE_AFTER, QUADRILLE_PROGRESS. Throws Error naming the variable and what it
/// accepts.
Settings read_settings(Rank ranks);

/// What other ranks need of it, and back.
std::string to_text(const Settings& settings);
Settings parse_settings(std::string_view text);

std::string_view to_string(Mode mode);

/// What `work` does or an error that says which variable it comes from.
template <class Work>
auto from_variable(std::string_view name, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace quadrille::dropin
