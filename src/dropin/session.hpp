// The drop-in in one process: from MPI_Init to MPI_Finalize.
#pragma once

#include <mpi.h>

#include <atomic>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "dropin/channel.hpp"
#include "dropin/report.hpp"

namespace quadrille::dropin {

/// Calls are looked at: between start() and finish(), unless switched off.
inline std::atomic<bool> watching{false};
/// Other ranks of this host can read this one's arena; stays so when all else has ended.
inline std::atomic<bool> sharing{false};
/// Grows whenever a communicator ends: what was remembered of one is then worthless.
inline std::atomic<std::uint64_t> ended{1};

class Session {
 public:
  static Session& get();

  /// Right after MPI was started; collective over all ranks, whatever the settings.
  void start();
  /// Right before MPI is ended; collective.
  void finish();
  /// What belongs to a communicator; null for what is not watched. Local.
  Channel* channel(MPI_Comm comm) {
    const std::uint64_t now = ended.load(std::memory_order_acquire);
    if (comm != last_.comm || last_.at != now) last_ = {comm, look_up(comm), now};
    return last_.found;
  }
  /// The program has freed this communicator; frees what belonged to it here.
  void freed(MPI_Comm handle);

 private:
  /// What a thread has asked for last; all zero at first. Found without a call, as the library is there from the start.
  struct Last {
    MPI_Comm comm;
    Channel* found;
    std::uint64_t at;  ///< `ended` then
  };
  [[gnu::tls_model("initial-exec")]] static inline thread_local constinit Last last_{};

  Channel* look_up(MPI_Comm comm);
  bool was_freed(MPI_Comm comm);
  void sweep();
  static int end_of(MPI_Comm comm, int key, void* channel, void* session);
  void end(Channel* channel);
  bool settle_places();
  void settle_messages();
  void wait_for_all();
  std::vector<Tally> tallies() const;

  Common common_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Channel>> channels_, ended_;
  std::vector<Tally> past_;
  std::unordered_set<MPI_Comm> freed_;
  std::atomic<bool> any_freed_{false};
  std::atomic<int> threads_{0};  ///< that have called a collective
  int key_ = MPI_KEYVAL_INVALID;
  int rank_ = 0, ranks_ = 1, neighbours_ = 0;
  Clock::time_point begin_{};
};

}  // namespace quadrille::dropin
