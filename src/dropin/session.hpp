// The drop-in in one process: from MPI_Init to MPI_Finalize.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/hash.hpp"
#include "dropin/calls/counted.hpp"
#include "dropin/program_communicator.hpp"
#include "dropin/report/report.hpp"
#include "dropin/report/trial_results.hpp"

namespace quadrille::dropin {

/// Calls are looked at: between start() and finish(), unless switched off.
inline std::atomic<bool> watching{false};
/// The program may call MPI from several threads at once.
[[gnu::visibility("hidden")]] inline bool threads_at_once = false;
/// Other ranks of this host can read this one's arena; stays so when all else has ended.
inline std::atomic<bool> sharing{false};
/// Grows whenever a communicator ends, or calls begin or cease to be looked at: what was remembered is then worthless.
[[gnu::visibility("hidden")]] inline constinit std::atomic<std::uint64_t> ended{1};

/// A line to stderr.
void say(const std::string& line);

class Session {
 public:
  static Session& get();

  /// Right after MPI was started; collective over all ranks, whatever the settings.
  void start();
  /// Right before MPI is ended; collective.
  void finish();
  /// What belongs to a communicator; null for what is not watched. Local.
  static ProgramCommunicator* communicator(MPI_Comm comm) {
    const Last& last = asked_for(comm);
    if (last.found == nullptr && last.between) [[unlikely]]
      count_between();
    return last.found;
  }
  /// The same for a call that is counted by its name where it goes to MPI.
  static ProgramCommunicator* communicator_of_named(MPI_Comm comm) { return asked_for(comm).found; }
  /// Now and then within calls: keeps what is known for an early end, and writes it to the files where it is time.
  void look() { look(false); }
  /// Right before the program is ended by MPI_Abort, on this rank.
  void aborting();
  /// The program has freed this communicator; frees what belonged to it here.
  void freed(MPI_Comm handle);

 private:
  /// What a thread has asked for last; all zero at first. Found without a call, as the library is there from the start.
  /// Of communicators in one place, the last.
  struct Last {
    MPI_Comm comm;
    ProgramCommunicator* found;
    std::uint64_t at;  ///< `ended` then
    bool between;      ///< an inter-communicator, which is counted only
  };
  static constexpr int places_bits = 5;
  [[gnu::tls_model("initial-exec"),
    gnu::visibility("hidden")]] static inline thread_local constinit std::array<Last, 1 << places_bits>
      last_{};
  static const Last& asked_for(MPI_Comm comm) {
    const std::uint64_t now = ended.load(std::memory_order_acquire);
    Last& last = last_[place(comm)];
    if (comm != last.comm || last.at != now) [[unlikely]] {
      last = {comm, nullptr, now, false};
      last.found = get().look_up(comm, last.between);
    }
    return last;
  }
  static std::size_t place(MPI_Comm comm) { return number_of(comm) * base::golden >> (64 - places_bits); }

  ProgramCommunicator* look_up(MPI_Comm comm, bool& between);
  bool was_freed(MPI_Comm comm);
  void sweep();
  static int end_of(MPI_Comm comm, int key, void* communicator, void* session);
  void end(ProgramCommunicator* communicator);
  void settle_hosts();
  bool settle_places();
  bool settle_machine();
  void settle_network(bool machine_was_measured);
  void settle_messages();
  void settle_bits();
  void settle_later();
  std::string no_thread() const;
  void wait_for_all();
  std::vector<CallStats> call_stats() const;
  Report own_report() const;
  void look(bool last);
  std::string all_stats(const std::string& mine, std::vector<int>& lengths) const;
  void publish(const std::array<double, 3>& most, const std::vector<CountedCalls>& counted, std::string_view texts,
               const std::vector<int>& lengths);

  ProgramState program_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ProgramCommunicator>> communicators_, ended_;
  std::vector<CallStats> past_;
  std::unordered_set<MPI_Comm> freed_;
  std::atomic<bool> any_freed_{false};
  std::atomic<int> threads_{0};  ///< that have called a collective
  int key_ = MPI_KEYVAL_INVALID;
  int rank_ = 0, ranks_ = 1, neighbours_ = 0;
  Clock::time_point begin_{}, written_{};
  NextWisdom next_wisdom_;
  std::atomic<bool> looking_{false};
};

}  // namespace quadrille::dropin
