// What this process has under way, of all communicators: it goes on within calls of MPI, and where the user wants it on
// a thread of its own.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "dropin/later/later_run.hpp"

namespace quadrille::dropin {

/// Requests of the program are requests of MPI: each waits for a message of this process to itself, on a communicator
/// that nobody else has, and is sent it at the end. So MPI's own calls wait for them, test them and free them, in any
/// language and together with others.
class Engine {
 public:
  static Engine& get();

  /// Local, after MPI has been started. `thread`: calls go on while the program computes. False where calls would not
  /// go on within MPI's.
  bool open(bool thread);
  /// Whether calls may be taken.
  static bool runs() { return runs_.load(std::memory_order_relaxed); }
  /// Whether calls go on on a thread of ours, too. The same on all ranks.
  bool has_thread() const { return thread_.joinable(); }
  /// Of the program's end: nothing goes on any more, and what is left of persistent calls is freed.
  void close();
  /// Collective over all ranks, after close(): frees private communicators, in the same order everywhere.
  void release_homes() { homes_.clear(); }

  /// `number`: as PlanStore::number(). Its communicator stays until the end: ranks free requests at any time.
  void keep(std::int64_t number, const std::shared_ptr<mpi::communicator::state>& home);

  /// Starts a non-blocking call on a run. An MPI error code.
  int start(const std::shared_ptr<LaterRun>& run, std::shared_ptr<const KeptBuffers> what, MPI_Request* request);
  /// A request for a persistent call that is inactive. An MPI error code.
  int prepare(std::shared_ptr<LaterRun> run, std::shared_ptr<LaterRow> row, std::shared_ptr<const KeptBuffers> what,
              MPI_Request* request);
  /// MPI_Start, where the request is one of ours: false where it is not.
  bool start_again(MPI_Request* request, int& code);
  /// The program frees it.
  void forget(MPI_Request request);
  /// Whether it may be one of ours; without a lock.
  static bool has_persistent() { return persistent_calls_.load(std::memory_order_relaxed) > 0; }
  bool is_persistent(MPI_Request request);

  /// What is under way goes on. How many calls have ended; -1: nothing was under way.
  static int advance();
  static bool active() { return active_calls_.load(std::memory_order_relaxed) > 0; }

  /// While it lives the program is in a call that waits.
  class Waiting {
   public:
    Waiting() : counts_(active_calls_.load(std::memory_order_relaxed) > 0) {
      if (counts_) [[unlikely]]
        get().begin_waiting();
    }
    ~Waiting() {
      if (counts_) [[unlikely]]
        get().end_waiting();
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    const bool counts_;
  };

 private:
  struct Persistent {
    std::shared_ptr<LaterRun> run;
    std::shared_ptr<LaterRow> row;
    std::shared_ptr<const KeptBuffers> what;
    int tag = 0;
  };
  /// The engine belongs to one thread at a time. Within MPI's calls nobody waits for it.
  class Lock {
   public:
    explicit Lock(Engine& engine);
    ~Lock() { engine_.taken_.clear(std::memory_order_release); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    Engine& engine_;
  };

  int new_tag(Ending ending);
  void take(const std::shared_ptr<LaterRun>& run, LaterRun::Call call);
  int go_on();
  bool one_goes_on(LaterRun& run, Ticks waited_until_now);
  Ticks waited() const;
  void begin_waiting();
  void end_waiting();
  void run_thread();

  [[gnu::visibility("hidden")]] static inline std::atomic<bool> runs_{false};
  [[gnu::visibility("hidden")]] static inline std::atomic<int> active_calls_{0}, persistent_calls_{0};
  std::atomic_flag taken_;
  MPI_Comm marks_ = MPI_COMM_NULL;
  int largest_tag_ = 32767, next_tag_ = 0, next_persistent_ = 0;
  std::vector<std::shared_ptr<LaterRun>> active_, abandoned_;
  std::unordered_map<MPI_Request, Persistent> persistent_;
  std::map<std::int64_t, std::shared_ptr<mpi::communicator::state>> homes_;
  std::atomic<int> waiting_{0};  ///< threads
  std::atomic<Ticks> waiting_since_{0}, waited_{0};
  std::thread thread_;
  std::atomic<bool> thread_ends_{false};
};

}  // namespace quadrille::dropin
