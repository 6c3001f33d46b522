// What is said at the end: which collectives cost what, what plans did or would do, and what to change.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dropin/decide/settings.hpp"
#include "dropin/report/call_stats.hpp"
#include "dropin/report/last_report.hpp"
#include "topology/hosts/hosts.hpp"

namespace quadrille::dropin {

/// What rank 0 shares with others of its host.
struct SharedMemory {
  int neighbours = 0;
  Bytes most = 0;  ///< of its own that was in use at a time
};

/// Calls of one collective that is left to MPI: of the rank that has most of them, and the longest time inside them.
struct NamedCalls {
  std::string name;  ///< "Iallreduce"
  std::int64_t calls = 0;
  Seconds time = 0;
};

/// What is told of a run as a whole.
struct Run {
  std::string mpi;  ///< "Open MPI v4.1.4"
  Rank ranks = 1;
  topology::Hosts hosts = {};  ///< of the ranks
  Seconds lasted = 0;
  SharedMemory shared = {};
  int threads = 1;                       ///< of a rank that called collectives, at most; times are summed over them
  std::int64_t trials = 0;               ///< that were begun, on rank 0
  Seconds trials_lasted = 0;             ///< on the rank where they took longest, beyond what MPI's calls would have
  std::vector<NamedCalls> counted = {};  ///< collectives that are left to MPI
  bool finished = true;                  ///< false: what one rank knows while the run goes on
};

/// All ranks' figures, on rank 0; or one rank's alone, of a run that goes on.
class Report {
 public:
  Report(const Settings& settings, Run run) : settings_(settings), run_(std::move(run)) {}
  void add(std::string_view stats);  ///< of the next rank: as to_text(CallStats)
  /// The table to stderr, the JSON to its file, and in a trial its results to the wisdom file. Throws Error when a file
  /// cannot be written. Lines are predicted, those that took longest first, one at least, for as long as `patience`: a
  /// plan for a thousand ranks on a machine with bursts takes up to a tenth of a second.
  void publish(Seconds patience = 1);
  /// Table and JSON of publish(); with a patience below 0 nothing is predicted.
  Texts texts(Seconds patience);
  /// What trials of this run have found, once texts() has been asked for.
  std::vector<TrialResult> trials() const;

 private:
  struct Line {
    CallStats sum;  ///< over ranks; calls are the most of a rank
    Seconds slowest = 0, fastest = 0;
    int ranks_seen = 0;
    Bytes all_bytes = 0;  ///< over ranks
    Seconds mean_time() const { return sum.time() / ranks_seen; }
    // What the planner says of the mean size:
    std::string algorithm, binding, why;
    Seconds predicted = 0, bound = 0;
  };
  void merge(const CallStats& stats);
  void average(Line& line) const;
  void predict(Line& line) const;
  TrialResult result_of(const CallStats& stats) const;
  std::string heading() const;
  std::string table() const;
  std::string reasons() const;
  std::string overlaps() const;
  std::string advice() const;
  std::string advice(const Line& line) const;
  std::string json() const;

  const Settings& settings_;
  Run run_;
  Seconds in_collectives_ = 0;
  Seconds in_plans_ = 0;  ///< of that, of calls that plans answered
  std::vector<Line> lines_;
  std::vector<Line> not_called_;  ///< of persistent or non-blocking calls that were tried, and that MPI answers
};

}  // namespace quadrille::dropin
