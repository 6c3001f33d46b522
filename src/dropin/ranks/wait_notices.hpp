// What ranks that wait long send each other. It goes over one communicator that is there until MPI ends. A notice may
// come late, when the communicator that it is about has been freed, and MPICH would give it to the next one.
#pragma once

#include <deque>
#include <list>
#include <mutex>
#include <vector>

#include "mpi/peers.hpp"

namespace quadrille::dropin {

/// A rank waits in this call of a communicator.
struct WaitNotice {
  std::int64_t rank, communicator, call;
  std::uint64_t calls;  ///< CallHistory::last() there
};

class WaitNotices {
 public:
  /// Collective over all ranks, as its end is.
  WaitNotices() : peers_(MPI_COMM_WORLD) {}

  int rank() const { return peers_.rank(); }       ///< among all
  MPI_Comm comm() const { return peers_.comm(); }  ///< returns errors
  /// To all these ranks but this one. False while the last one about this communicator is on its way.
  bool send(const WaitNotice& notice, const std::vector<int>& to);
  /// What others have sent about a communicator since it was asked last.
  std::vector<WaitNotice> received(std::int64_t communicator);
  /// Nobody will ask about this communicator any more.
  void forget(std::int64_t communicator) { received(communicator); }
  /// Collective, when nobody sends anything any more: receives what nobody has asked for.
  void end();

 private:
  struct Sent {
    WaitNotice notice;
    std::vector<MPI_Request> requests;
  };
  static constexpr int tag = 0;
  static constexpr std::size_t most_unasked = 1024;  ///< of communicators that are gone, mostly

  void receive();

  const mpi::Peers peers_;
  std::mutex mutex_;
  std::list<Sent> sent_;
  std::deque<WaitNotice> unasked_;
};

}  // namespace quadrille::dropin
