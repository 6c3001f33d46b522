// What is said at the end: which collectives cost what, what plans did or would do, and what to change.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dropin/last_report.hpp"
#include "dropin/settings.hpp"

namespace quadrille::dropin {

class Channel;

/// Calls of one operation and size class on all communicators of one network, on one rank.
struct Tally {
  Operation operation{};
  int size_class = 0;
  Rank ranks = 0;
  std::string topology = {};
  std::int64_t calls = 0, planned = 0;
  std::int64_t twice = 0;    ///< of these, answered both ways
  std::int64_t untimed = 0;  ///< and whose time is estimated
  Bytes bytes = 0;
  Seconds native_time = 0, planned_time = 0;
  std::int64_t failed = 0;  ///< for which MPI returned an error
  /// A plan that was in use, was slower than MPI then, and gave way to it; seconds of a byte (alltoallv: of a call)
  /// when both were compared last.
  std::string lost = {};
  double lost_native = 0, lost_plan = 0;
  std::string winner = {};  ///< of the last trial: "native" or an algorithm; empty: none was held
  /// Seconds per byte of the trial's ways, by choice.
  std::vector<std::pair<std::string, double>> tried = {};

  std::int64_t native() const { return calls - planned + twice; }
  Seconds time() const { return native_time + planned_time; }
  Bytes mean() const { return bytes / calls; }
};

/// Adds a channel's rows to the tallies.
void add(std::vector<Tally>& tallies, const Channel& channel);
std::string to_text(const std::vector<Tally>& tallies);

/// What rank 0 shares with others of its host.
struct SharedMemory {
  int neighbours = 0;
  Bytes most = 0;  ///< of its own that was in use at a time
};

/// What is told of a run as a whole.
struct Run {
  std::string mpi;  ///< "Open MPI v4.1.4"
  Rank ranks = 1;
  Seconds lasted = 0;
  SharedMemory shared = {};
  int threads = 1;            ///< of a rank that called collectives, at most; times are summed over them
  std::int64_t trials = 0;    ///< that were begun, on rank 0
  Seconds trials_lasted = 0;  ///< on the rank where they took longest, beyond what MPI's calls would have
  /// Calls of collectives that are left to MPI and not timed, by name.
  std::vector<std::pair<std::string, std::int64_t>> counted = {};
  bool finished = true;  ///< false: what one rank knows while the run goes on
};

/// All ranks' tallies, on rank 0; or one rank's alone, of a run that goes on.
class Report {
 public:
  Report(const Settings& settings, Run run) : settings_(settings), run_(std::move(run)) {}
  void add(std::string_view tallies);  ///< of the next rank
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
    Tally sum;  ///< over ranks; calls are the most of a rank
    Seconds slowest = 0, fastest = 0;
    int ranks_seen = 0;
    Bytes all_bytes = 0;  ///< over ranks
    Seconds mean_time() const { return sum.time() / ranks_seen; }
    // What the planner says of the mean size:
    std::string algorithm, binding, why;
    Seconds predicted = 0, bound = 0;
  };
  void merge(const Tally& tally);
  void average(Line& line) const;
  void predict(Line& line) const;
  std::string heading() const;
  std::string table() const;
  std::string advice() const;
  std::string advice(const Line& line) const;
  std::string json() const;

  const Settings& settings_;
  Run run_;
  Seconds in_collectives_ = 0;
  std::vector<Line> lines_;
};

}  // namespace quadrille::dropin
