// Sweeps: every algorithm over many sizes and shapes, on all cores, into a file that an interrupted sweep goes on with.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/plan.hpp"

namespace quadrille {

struct SweepQuestion {
  std::vector<Spec> points;  ///< one collective; by network, then size
  Machine machine;
  std::vector<Choice> choices;  ///< a row each at every point; parameters not given take their cheapest values there
  Effort effort = Effort::estimate;
  std::optional<Order> order = {};                ///< none: usual_order() of the machine, as plans have it
  std::optional<Network> network = {};            ///< of simulations; default usual_network()
  std::int64_t messages = std::int64_t{1} << 22;  ///< that one row may play
  std::int64_t proof = std::int64_t{1} << 18;     ///< as PlanOptions::proof, of each point's best; some milliseconds
  const std::vector<Algorithm>* algorithms = nullptr;  ///< that choices are of; default all there are
};

/// One line of the answer. Its text forms read back to the same row.
struct SweepRow {
  std::string topology;
  Rank ranks = 0;
  Bytes bytes = 0;
  std::string algorithm = {}, params = {};            ///< "alltoall_mce", "phases=3,3"
  std::optional<Seconds> price = {}, simulated = {};  ///< none: it cannot run; it was not played
  Seconds bound = 0;
  bool best = false;  ///< of its point; exactly one is, unless none can run
  /// Why it cannot run, was not played, or is best and was not proven; "wrong: ..." where the algorithm has a mistake.
  std::string note = {};
  bool operator==(const SweepRow&) const = default;

  std::string choice() const { return params.empty() ? algorithm : algorithm + ":" + params; }
  /// What is known of its time: simulated, else priced; none when it cannot run or never ends.
  std::optional<Seconds> known() const { return simulated ? simulated : price; }
  std::optional<double> ratio() const;  ///< known() to the bound
};

/// The rows of one point.
std::vector<SweepRow> sweep_point(const SweepQuestion& question, std::size_t point);

/// Answers the points from `first` on with some threads, and hands them over one after the other in their order, in
/// the thread of the caller. Rows do not depend on the number of threads. Stops early, between points, once `stop` is
/// true; how many points were handed over.
std::size_t sweep(const SweepQuestion& question, std::size_t first, int threads,
                  const std::function<void(std::vector<SweepRow>)>& use, const std::atomic<bool>* stop = nullptr);

/// What a sweep is about in one line of JSON: equal questions have equal texts.
std::string to_text(const SweepQuestion& question);

enum class SweepForm { csv, json };
/// By the name's ending .csv or .json; throws Error(argument) for another.
SweepForm sweep_form(const std::string& path);

/// The file of a sweep: a head with the question, then rows. It is valid after every append: CSV whose first line is a
/// comment (#), or one JSON object. docs/decisions/0009 has both forms.
class SweepFile {
 public:
  /// Opens the file, or makes it. Rows of whole points that are there already are kept, what was written in part is
  /// dropped. Throws Error(argument) for a file of another question or of none, unless `force`, and for a file that
  /// another sweep is writing; Error(format) for a damaged one.
  SweepFile(const std::string& path, const SweepQuestion& question, bool force = false);
  ~SweepFile();
  SweepFile(const SweepFile&) = delete;
  SweepFile& operator=(const SweepFile&) = delete;

  /// The rows that it had when it was opened, of points 0, 1, ...
  const std::vector<SweepRow>& kept() const { return kept_; }
  /// Adds rows at the end; they are on the disk when this returns.
  void append(const std::vector<SweepRow>& rows);

 private:
  void read(std::string_view text, const SweepQuestion& question);
  void write_at_end(std::string_view text);

  std::string path_;
  SweepForm form_;
  int file_ = -1;
  std::int64_t end_ = 0;  ///< where the next row goes
  std::size_t rows_ = 0;  ///< before it
  std::vector<SweepRow> kept_;
};

/// A sweep that was written to a file or printed as JSON: its question, and the rows it has.
struct SweepAnswer {
  std::vector<Spec> points;
  Machine machine;  ///< constants and name; no origins
  bool simulated = false;
  std::size_t choices = 0;     ///< rows for each point
  std::vector<SweepRow> rows;  ///< of points[0], points[1], ...; fewer than points have when it was interrupted
};
/// Whether `text` begins as sweeps do in CSV.
bool is_sweep_csv(std::string_view text);
/// Throws Error for what no sweep has written, naming the row.
SweepAnswer parse_sweep(std::string_view text);

/// The rows of one network and size. It points into the rows it was made of.
struct SweepPoint {
  std::vector<const SweepRow*> rows;
  const SweepRow* best = nullptr;       ///< null when none can run
  const SweepRow* runner_up = nullptr;  ///< the fastest of another algorithm than the best one's; null: there is none
  /// An algorithm's fastest row; null when it cannot run.
  const SweepRow* fastest(std::string_view algorithm) const;
  /// How many times as long as the best one an algorithm takes at its fastest row; none when it cannot run.
  std::optional<double> loss(std::string_view algorithm) const;
};
std::vector<SweepPoint> points_of(const std::vector<SweepRow>& rows);

/// From which size to which the same algorithm is best on one network, with the same parameters.
struct SweepWinner {
  std::string topology;
  Bytes from = 0, to = 0;
  std::string algorithm;
  std::string params;                    ///< at each of these sizes
  double least_lead = 1, most_lead = 1;  ///< how many times as long the best other algorithm takes; 1: there is none
  std::string runner_up = {};            ///< the choice where the lead is least; empty when there is none
};
std::vector<SweepWinner> winners(const std::vector<SweepRow>& rows);

/// What the proofs of the best rows said. Rows keep it in their notes.
struct SweepProofs {
  std::size_t proven = 0, undecided = 0;
  std::vector<std::string> mistakes;  ///< "alltoall_x on ring:8, 64 B: wrong: ...": one for each algorithm
};
SweepProofs proofs_of(const std::vector<SweepRow>& rows);

/// What one algorithm for all sizes costs on one network, or on all (topology empty).
struct SweepFixed {
  std::string topology, algorithm;
  std::string params = {};     ///< that are the best at all these points; empty: they differ, or there are none
  bool same_params = true;     ///< at all these points
  double mean = 1, worst = 1;  ///< times the best of each point: geometric mean, largest
  Bytes worst_bytes = 0;
  std::string worst_topology;
};
/// For every network, and when there are several for all of them, the algorithm that can run at every point there and
/// whose mean is least; networks without such an algorithm are left out.
std::vector<SweepFixed> best_fixed(const std::vector<SweepRow>& rows);

/// "1,32,4KiB..1MiB,5..50+5,1..1000*10": sizes or counts, a range by powers of two unless it says by what it steps.
/// Sorted, each once. `what` opens errors.
std::vector<std::int64_t> parse_range(std::string_view text, std::string_view what,
                                      const std::function<std::int64_t(std::string_view)>& parse);

}  // namespace quadrille
