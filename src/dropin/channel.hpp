// A communicator of the program as the drop-in sees it: what was called on it, and what is decided for it. Every rank
// decides the same, because all that decisions rest on is the same everywhere or has been agreed on.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "dropin/buffers.hpp"
#include "dropin/bulletin.hpp"
#include "dropin/contest.hpp"
#include "dropin/counter.hpp"
#include "dropin/settings.hpp"
#include "dropin/stopwatch.hpp"
#include "dropin/straight.hpp"
#include "mpi/state.hpp"

namespace quadrille::dropin {

/// Calls of one operation and size class on one communicator.
struct Row {
  std::int64_t calls = 0, planned = 0;
  std::int64_t twice = 0;                     ///< of these, answered both ways
  Bytes bytes = 0;                            ///< of all calls
  Seconds native_time = 0, planned_time = 0;  ///< of trials and duels, and of plans
  Stopwatch native;                           ///< calls that were MPI's without any trial or duel
  bool native_only = false;                   ///< decided
  int seen = 0;                               ///< calls before the contest
  Contest contest = {};
};

/// As of Stopwatch::took.
[[gnu::visibility("hidden")]] inline Ticks close_calls = 0;

/// A call that goes to MPI, and is due to be timed. Apart from the others, which are many.
template <class Native>
[[gnu::noinline]] int timed(Row& row, const Native& native) {
  const Ticks begin = ticks();
  const int code = native();
  row.native.took(begin, ticks(), close_calls);
  return code;
}

/// What all channels share.
struct Common {
  Settings settings;
  std::string mpi;                     ///< "Open MPI v4.1.4"
  std::unique_ptr<Bulletin> bulletin;  ///< where plans are possible
  std::atomic<int> private_communicators{0};
  std::atomic<std::int64_t> homes{0};  ///< private communicators so far that this rank is rank 0 of, or might be
  std::atomic<bool> complained{false};
};

class Channel {
 public:
  Channel(MPI_Comm comm, Common& common);

  bool between() const { return between_; }    ///< an inter-communicator: not watched
  bool deciding() const { return deciding_; }  ///< plans are possible here
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  const std::string& topology() const { return topology_; }
  /// Of an alltoallv, whose bytes no rank knows, for all calls.
  Row& row(Operation operation, Bytes bytes) {
    const bool any_size = operation == Operation::alltoallv;
    const std::size_t at =
        static_cast<std::size_t>(operation) * size_classes + static_cast<std::size_t>(any_size ? 0 : size_class(bytes));
    Row* const known = rows_[at].get();
    return known != nullptr ? *known : new_row(at, operation, bytes);
  }
  /// Every row with a call.
  void each_row(const std::function<void(Operation, int size_class, const Row&)>& use) const;

  /// Remembers that the next call in order is this one; ranks that wait long compare.
  void note(Operation operation, Bytes bytes, int root) {
    const std::uint64_t what = static_cast<std::uint64_t>(root) << 4 | static_cast<std::uint64_t>(operation);
    const std::uint64_t before = history_[static_cast<std::size_t>(call_++) % history_.size()];
    history_[static_cast<std::size_t>(call_) % history_.size()] =
        (std::rotl(before, 29) ^ (static_cast<std::uint64_t>(bytes) * 0x9e3779b97f4a7c15u + what)) *
        0xff51afd7ed558ccdu;
  }
  /// Answers a call by whatever is decided, or decides. An MPI error code.
  int perform(const Request& request, Row& row, const Buffers& buffers, const std::function<int()>& native);
  /// The same for an MPI_Alltoallv that brings this rank so many bytes.
  int exchange(Row& row, const Exchange& call, Bytes bytes, const std::function<int()>& native);
  /// Whether the next MPI_Alltoallv is MPI's, with nothing to be done but to count it.
  bool rests_with_mpi() const { return straight_ && !broken_ && !apart_ && straight_->duel.rests_with_mpi(); }
  void count(Bytes bytes) { straight_->duel.count(static_cast<double>(bytes)); }
  /// Whether MPI would take these arguments, where they stand for at least so many bytes. What it would not goes to it
  /// all the same: the error is MPI's own. Where plans are possible.
  bool accepts(const View& view, Bytes bytes) const { return accepted(view, bytes, common_.bulletin->comm()); }
  bool accepts(const Exchange& call) const {
    return call.understood(ranks_) && committed(call.out.type, common_.bulletin->comm()) &&
           committed(call.sent().type, common_.bulletin->comm());
  }
  /// Null before there is one.
  const Straight* straight() const { return straight_.get(); }
  /// Of a rank that waits long at the end: whether others still wait in a call it has not seen.
  void listen();
  /// Frees what MPI holds for it; statistics stay.
  void release();

 private:
  struct Hash {
    std::size_t operator()(const Request& request) const { return request.hash(); }
  };
  /// One request on this communicator; a plan for each way of its row.
  struct Prepared {
    int calls = 0;
    std::vector<std::unique_ptr<mpi::plan_handle>> plans;
    std::vector<bool> refused;
  };

  static constexpr int calls_before = 2;  ///< that are native: what is called once or twice is not worth a plan

  Row& new_row(std::size_t at, Operation operation, Bytes bytes);
  bool ensure_home();
  bool all_ask(const Request& request);
  void open(const Request& request, Row& row);
  std::string ways_for(const Request& request) const;
  int take_turn(const Request& request, Row& row, const Buffers& buffers, const std::function<int()>& native);
  void conclude(Operation operation, Row& row);
  mpi::plan_handle* plan_for(const Request& request, const Row& row, std::size_t way);
  void run(mpi::plan_handle& plan, const Request& request, const Buffers& buffers);
  std::string straight_way(Bytes bytes) const;
  bool make_straight(const std::string& choice, bool known);
  void open_straight(Row& row, Bytes bytes);
  bool balanced(const Exchange& call);
  void look_at_sizes();
  void run_straight(const Exchange& call);
  int answer_twice(Row& row, const Exchange& call, Bytes bytes, const std::function<int()>& native);
  static int by_mpi(Row& row, const std::function<int()>& native);
  int fail(const char* what);
  Circumstances circumstances() const;

  template <class Ready>
  void await(Ready ready);
  void look_around();
  void complain();

  Common& common_;
  MPI_Comm comm_;
  int rank_ = 0, ranks_ = 1;
  bool between_ = false, deciding_ = false, broken_ = false;
  bool apart_ = false;  ///< ranks have asked for different things: from then on all calls are MPI's
  std::string topology_;
  std::array<std::unique_ptr<Row>, operations * size_classes> rows_;
  std::unordered_map<Request, Prepared, Hash> prepared_;
  int plans_ = 0;
  std::shared_ptr<mpi::communicator::state> home_;
  std::int64_t home_number_ = 0;  ///< of no other private communicator of the program
  std::vector<int> places_;       ///< of its ranks, among all
  std::unique_ptr<Straight> straight_;
  Staging staging_;

  std::int64_t call_ = 0;
  std::array<std::uint64_t, 64> history_{};  ///< after each of the last calls, a hash of all calls until then
  std::int64_t announced_ = -1;
};

}  // namespace quadrille::dropin
