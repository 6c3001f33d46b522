// What ranks that wait long tell each other. It goes over one communicator that is there until MPI ends: an
// announcement may come late, when the communicator that it is about has been freed, and MPICH would give it to the
// next one.
#pragma once

#include <deque>
#include <list>
#include <mutex>
#include <vector>

#include "mpi/peers.hpp"

namespace quadrille::dropin {

/// A rank of a private communicator waits in this call of it.
struct Announcement {
  std::int64_t rank, home, call;
  std::uint64_t what;  ///< a hash of all its calls until then
};

class Bulletin {
 public:
  /// Collective over all ranks, as its end is.
  Bulletin() : peers_(MPI_COMM_WORLD) {}

  int rank() const { return peers_.rank(); }       ///< among all
  MPI_Comm comm() const { return peers_.comm(); }  ///< returns errors
  /// To all these ranks but this one. False while the last one about this communicator is on its way.
  bool tell(const Announcement& announcement, const std::vector<int>& to);
  /// What others have told about a communicator since it was asked last.
  std::vector<Announcement> heard(std::int64_t home);
  /// Nobody will ask about this communicator any more.
  void forget(std::int64_t home) { heard(home); }
  /// Collective, when nobody tells anything any more: receives what nobody has asked for.
  void end();

 private:
  struct Sent {
    Announcement announcement;
    std::vector<MPI_Request> requests;
  };
  static constexpr int tag = 0;
  static constexpr std::size_t most_unheard = 1024;  ///< of communicators that are gone, mostly

  void receive();

  const mpi::Peers peers_;
  std::mutex mutex_;
  std::list<Sent> sent_;
  std::deque<Announcement> unheard_;
};

}  // namespace quadrille::dropin
