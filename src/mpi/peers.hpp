// A communicator of our own: errors come back as exceptions, and who waits gives the core away.
#pragma once

#include <mpi.h>
#include <sched.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::mpi {

/// An error that MPI reports. It may be this rank's alone; the others may wait for it in vain.
class MpiError final : public Error {
 public:
  explicit MpiError(const std::string& message) : Error(Kind::transport, message) {}
};

/// Throws MpiError with MPI's own words when `code` is not MPI_SUCCESS.
void check(int code, std::string_view what);

/// Writes a line to stderr before the job may be ended, and gives the launcher time to pass it on: an MPICH that is
/// told to abort loses what it has not read by then.
void last_words(const std::string& line);

/// How often a rank that waits looks before it gives its core away, from then on each time. Where ranks share cores:
/// some microseconds, as long as a message within a node takes. Where each has one, longer than most collectives take:
/// whoever gives a core away to a program that has nothing to do with this one gets it back after milliseconds.
constexpr int looks_on_shared_core = 64, looks_on_own_core = 4096;
inline std::atomic<int> looks_before_yielding{looks_on_shared_core};

/// Waits without MPI's blocking calls: those of MPICH keep the core to themselves, and where ranks share cores the one
/// that everybody waits for then gets none.
template <class Ready>
void wait_until(Ready ready) {
  const int looks = looks_before_yielding.load(std::memory_order_relaxed);
  for (int i = 0; !ready(); ++i)
    if (i >= looks) sched_yield();
}
/// Whether these requests are complete; then they are free, or inactive. The last first, which is mostly the last to
/// be: MPI_Testall of MPICH asks the network for news for every eight requests, also when all are complete, and where a
/// rank sleeps until there are news, 128 of them took 20 ms.
bool all_done(std::vector<MPI_Request>& requests, std::size_t first, std::size_t last);

/// The ranks of a duplicate that nobody else sends messages on. Not copied; freed with the object, unless MPI has been
/// finalized before.
class Peers {
 public:
  /// Collective over `comm`. Throws Error(argument) for an inter-communicator or MPI_COMM_NULL.
  explicit Peers(MPI_Comm comm);
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  int largest_tag() const { return largest_tag_; }

  /// By messages, so that ranks leave it closely one after the other: in MPI_Ibarrier a rank that has its last message
  /// already finds out only by asking the network for more, where it may sleep.
  void barrier() const;
  template <class T>
  void reduce_to_all(std::vector<T>& values, MPI_Op op) const {
    all_reduce(values.data(), static_cast<int>(values.size()), type_of(T{}), op);
  }
  /// The values of all ranks, in their order; as many from each.
  std::vector<std::int64_t> gather_to_all(const std::vector<std::int64_t>& values) const;
  /// The text of rank `from` on all ranks.
  std::string broadcast(std::string text, int from) const;

  /// Collective: returns when `prepare` has succeeded on all ranks and gave all the same text, which says what is asked
  /// for. Otherwise throws the same Error on all ranks: the first failing rank's, or Error(argument) with the texts of
  /// rank 0 and of the first that differs.
  void agree(const std::function<std::string()>& prepare) const;
  /// Collective: runs `work` and throws the first failing rank's Error on all ranks.
  void together(const std::function<void()>& work) const;

 private:
  static MPI_Datatype type_of(std::int64_t) { return MPI_INT64_T; }
  static MPI_Datatype type_of(double) { return MPI_DOUBLE; }
  void all_reduce(void* values, int count, MPI_Datatype type, MPI_Op op) const;
  int lowest(bool chosen) const;
  void wait(MPI_Request& request, std::string_view what) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, ranks_ = 1, largest_tag_ = 32767;
};

/// Collective: what every rank calls the computer it is on.
std::vector<std::string> hosts_of_ranks(const Peers& peers);

}  // namespace quadrille::mpi
