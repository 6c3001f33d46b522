// A communicator of the program as the drop-in sees it: what was called on it, and what is decided for it. Every rank
// decides the same, because all that decisions rest on is the same everywhere or has been agreed on.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "dropin/bulletin.hpp"
#include "dropin/calls/counter.hpp"
#include "dropin/calls/stopwatch.hpp"
#include "dropin/decide/budget.hpp"
#include "dropin/decide/contest.hpp"
#include "dropin/decide/watch.hpp"
#include "dropin/perform/buffers.hpp"
#include "dropin/perform/straight.hpp"
#include "dropin/settings.hpp"
#include "mpi/state.hpp"

namespace quadrille::dropin {

/// Calls of one operation and size class on one communicator.
struct Row {
  std::int64_t calls = 0, planned = 0;
  std::int64_t twice = 0;                     ///< of these, answered both ways
  Bytes bytes = 0;                            ///< of all calls
  Seconds native_time = 0, planned_time = 0;  ///< of trials and duels, and of plans
  Stopwatch native;                           ///< calls that were MPI's without any trial or duel
  std::int64_t failed = 0;                    ///< calls for which MPI returned an error
  bool native_only = false;                   ///< decided
  /// Calls that are native at first: what is called once or twice is not worth a plan.
  static constexpr std::int64_t calls_before = 2;
  std::int64_t seen = 0;                   ///< calls before the contest
  std::int64_t ask_at = calls_before + 1;  ///< the call of these before which ranks talk about a contest
  Contest contest = {};
  Seconds native_call = 0;  ///< of MPI before the contest, the longest mean of all ranks
  Seconds cost = 0;         ///< of the contest on this rank, beyond what its calls would have taken
  Seconds turn = 0;         ///< of that, the last turn's
  static constexpr std::int64_t first_pause = 8, longest_pause = 1024;
  std::int64_t pause = first_pause, paused = 0;  ///< calls that are MPI's while the contest is too expensive
  Watch watch = {};                              ///< of the plan in use
  std::string lost = {};                         ///< the plan that was in use, and was slower than MPI then

  /// What was decided on another communicator of the same ranks.
  void take_over(Row& other);
};

/// As of Stopwatch::took.
[[gnu::visibility("hidden")]] inline Ticks close_calls = 0;

/// When Session::look() is due; asked for where a call was timed anyway.
[[gnu::visibility("hidden")]] inline std::atomic<Ticks> next_look = std::numeric_limits<Ticks>::max();
void look_now();  ///< Session's
inline void look_if_due(Ticks now) {
  if (now > next_look.load(std::memory_order_relaxed)) [[unlikely]]
    look_now();
}

/// A call that goes to MPI, and is due to be timed. Apart from the others, which are many.
template <class Native>
[[gnu::noinline]] int timed(Row& row, const Native& native) {
  const Ticks begin = ticks();
  const int code = native();
  const Ticks end = ticks();
  row.native.took(begin, end, close_calls);
  look_if_due(end);
  return code;
}

/// One request on the communicators of some ranks; a plan for each way of its row.
struct Prepared {
  int calls = 0;
  std::vector<std::unique_ptr<mpi::plan_handle>> plans;
  std::vector<bool> refused;
};
struct RequestHash {
  std::size_t operator()(const Request& request) const { return request.hash(); }
};
using Rows = std::array<std::unique_ptr<Row>, operations * size_classes>;

/// What the ranks of a communicator have made and decided. When the communicator is freed, the next one of the same
/// ranks gets it.
struct Household {
  std::int64_t number = 0;  ///< of no other; the same on all its ranks
  std::shared_ptr<mpi::communicator::state> home;
  std::unordered_map<Request, Prepared, RequestHash> prepared;
  int plans = 0;
  std::unique_ptr<Straight> straight;
};

/// What all channels share.
struct Common {
  Settings settings;
  std::string mpi;                     ///< "Open MPI v4.1.4"
  std::unique_ptr<Bulletin> bulletin;  ///< where plans are possible
  std::atomic<int> private_communicators{0};
  std::atomic<std::int64_t> homes{0};  ///< private communicators so far that this rank is rank 0 of, or might be
  std::atomic<bool> complained{false};

  Clock::time_point begin{};                          ///< right after MPI_Init
  std::atomic<Seconds> spent{0};                      ///< on trials, by this rank
  std::atomic<Seconds> opening{Budget::first_guess};  ///< what the last trial took to begin with
  std::atomic<Seconds> agreeing{0};                   ///< how long ranks needed to agree before trials, in all
  std::atomic<std::int64_t> agreed{0};                ///< how often
  std::atomic<std::int64_t> trials{0};                ///< that this rank has begun
  std::atomic<bool> keeping{true};                    ///< what was made for a communicator that is freed
  std::mutex mutex;                                   ///< of what follows
  struct Kept {
    Household household;
    Rows rows;
  };
  using Ranks = std::vector<int>;  ///< of MPI_COMM_WORLD, in a communicator's order
  static constexpr std::size_t most_kept = 16, most_found = 4096;
  std::multimap<Ranks, Kept> kept;
  std::map<std::pair<Ranks, std::size_t>, std::string> found;  ///< by ranks and row: "native", or a plan
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
    const std::size_t at = place_of(operation, bytes);
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
  bool rests_with_mpi() const { return made_.straight && !broken_ && !apart_ && made_.straight->duel.rests_with_mpi(); }
  void count(Bytes bytes) { made_.straight->duel.count(static_cast<double>(bytes)); }
  /// Whether MPI would take these arguments, where they stand for at least so many bytes. What it would not goes to it
  /// all the same: the error is MPI's own. Where plans are possible.
  bool accepts(const View& view, Bytes bytes) const { return accepted(view, bytes, common_.bulletin->comm()); }
  bool accepts(const Exchange& call) const {
    return call.understood(ranks_) && committed(call.out.type, common_.bulletin->comm()) &&
           committed(call.sent().type, common_.bulletin->comm());
  }
  /// Null before there is one.
  const Straight* straight() const { return made_.straight.get(); }
  /// Of a rank that waits long at the end: whether others still wait in a call it has not seen.
  void listen();
  /// Frees what MPI holds for it; statistics stay.
  void release();

 private:
  static std::size_t place_of(Operation operation, Bytes bytes) {
    const bool any_size = operation == Operation::alltoallv;
    return static_cast<std::size_t>(operation) * size_classes +
           static_cast<std::size_t>(any_size ? 0 : size_class(bytes));
  }
  /// What all ranks say before something is decided, put together.
  struct Meeting {
    bool room = false;          ///< for one more private communicator
    std::int64_t number = 0;    ///< a new one
    std::int64_t kept = 0;      ///< the number of a household that all have; 0: there is none
    bool same_found = false;    ///< all know the same of this row
    bool affordable = false;    ///< a trial is
    std::int64_t patience = 0;  ///< where it is not: by how much more calls there shall be before the next
    Seconds native_call = 0;
  };

  Row& new_row(std::size_t at, Operation operation, Bytes bytes);
  Meeting meet(const Request& request, const Row& row, const std::string& found);
  bool settle(const Meeting& meeting);
  void take_over(std::int64_t number);
  bool keep();
  std::string found(std::size_t place) const;
  void remember(std::size_t place, const std::string& choice);
  void differ(const Request& request);
  void largest(std::vector<std::int64_t>& values);
  bool all_ask(const Request& request, std::vector<double>* values = nullptr);
  bool may_go_on(const Request& request, Row& row);
  void look_at_plan(const Request& request, Row& row);
  /// A call that the plan in use answers, or MPI where both are compared; and how long it took.
  template <class Plan>
  std::pair<int, Seconds> by_plan_or_mpi(Row& row, Plan plan, const std::function<int()>& native);
  int use(const Request& request, Row& row, mpi::plan_handle& plan, const Buffers& buffers,
          const std::function<int()>& native);
  void open(const Request& request, Row& row);
  void begin_contest(const Request& request, Row& row, std::string ways);
  std::string ways_for(const Request& request) const;
  int hold_turn(const Request& request, Row& row, const Buffers& buffers, const std::function<int()>& native);
  int take_turn(const Request& request, Row& row, const Buffers& buffers, const std::function<int()>& native);
  void conclude(const Request& request, Row& row);
  void drop_losers(const Request& request, const Row& row);
  mpi::plan_handle* plan_for(const Request& request, const Row& row, std::size_t way);
  void run(mpi::plan_handle& plan, const Request& request, const Buffers& buffers);
  std::string straight_way(Bytes bytes) const;
  bool make_straight(const std::string& choice, bool known);
  void open_straight(Row& row, Bytes bytes);
  bool balanced(const Exchange& call);
  void look_at_sizes();
  void run_straight(const Exchange& call);
  int use_straight(Row& row, const Exchange& call, const std::function<int()>& native);
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
  Rows rows_;
  Household made_;
  std::int64_t home_number_ = 0;  ///< of no other communicator's home in the program, also where it is the same home
  std::vector<int> places_;       ///< of its ranks, among all; where plans are possible
  Staging staging_;

  std::int64_t call_ = 0;
  std::array<std::uint64_t, 64> history_{};  ///< after each of the last calls, a hash of all calls until then
  std::int64_t announced_ = -1;
};

}  // namespace quadrille::dropin
