// How often operations were called, and how long that took: one rank's figures, as it sends them to rank 0.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dropin/decide/exchange_trial.hpp"
#include "dropin/decide/later_row.hpp"
#include "dropin/decide/row.hpp"

namespace quadrille::dropin {

/// Calls of one operation and size class on all communicators of one network, on one rank.
struct CallStats {
  Operation operation{};
  bool rounds = false;              ///< of reductions: as OperatorFacts
  Ending ending = Ending::at_once;  ///< others: of calls that plans have answered
  int size_class = 0;
  Rank ranks = 0;
  std::string topology = {};
  std::int64_t calls = 0, planned = 0;
  std::int64_t twice = 0;    ///< of these, answered by MPI and by a plan
  std::int64_t untimed = 0;  ///< and whose time is estimated
  Bytes bytes = 0;
  Seconds native_time = 0, planned_time = 0;
  std::int64_t failed = 0;  ///< for which MPI returned an error
  // Of calls that end later, whose planned_time is that in the calls that start them and wait:
  std::int64_t over = 0;           ///< that have ended
  Seconds lasted = 0, waited = 0;  ///< from start to end; of that, the program was in calls that wait
  /// A plan that was in use, was slower than MPI then, and gave way to it; seconds of a byte (exchanges: of a call)
  /// when both were compared last.
  std::string lost = {};
  double lost_native = 0, lost_plan = 0;
  std::string winner = {};  ///< of the last trial: "native" or an algorithm; empty: none was held
  /// Seconds per byte of the trial's choices, by name.
  std::vector<std::pair<std::string, double>> tried = {};

  std::int64_t native() const { return calls - planned + twice; }
  Seconds time() const { return native_time + planned_time; }
  /// What part of the time from start to end the program did not wait.
  double overlap() const { return lasted > 0 ? 1 - waited / lasted : 0; }
  Bytes mean() const { return bytes / calls; }
  /// Whether both are of one row.
  bool alike(const CallStats& o) const {
    return operation == o.operation && rounds == o.rounds && ending == o.ending && size_class == o.size_class &&
           topology == o.topology;
  }
};

/// What has been found for an operation whose calls are exchanges.
struct ExchangeResult {
  std::string choice = {};  ///< empty: there is no plan
  ExchangeTrial trial = ExchangeTrial();
};

/// What a communicator knows of its calls.
struct CommunicatorStats {
  Rank ranks = 0;
  std::string topology;
  const RowTable& rows;
  const LaterTable& later;
  std::function<ExchangeResult(Operation)> exchange;  ///< of operations whose calls are exchanges
};

/// Adds a communicator's rows.
void add(std::vector<CallStats>& all, const CommunicatorStats& communicator);

std::string to_text(const std::vector<CallStats>& all);
std::vector<CallStats> parse_call_stats(std::string_view text);

}  // namespace quadrille::dropin
