// Ranks that wait long for each other find out whether they wait in the same call. MPI leaves it to the program that
// they do; where they do not, a plan must not hang longer than MPI would.
#include <fmt/format.h>

#include <cstdio>

#include "dropin/channel_await.hpp"

namespace quadrille::dropin {

void Channel::note(Operation operation, Bytes bytes, int root) {
  const std::uint64_t before = history_[static_cast<std::size_t>(call_) % history_.size()];
  const std::uint64_t now = Request{.operation = operation, .bytes = bytes, .root = root}.hash();
  ++call_;
  history_[static_cast<std::size_t>(call_) % history_.size()] = before * 0x9e3779b97f4a7c15u + now;
}

/// False: nothing more has come from the others.
bool Channel::hear(Announcement& heard) const {
  const mpi::Peers& peers = home_->peers;
  int there = 0;
  MPI_Status status;
  mpi::check(PMPI_Iprobe(MPI_ANY_SOURCE, peers.largest_tag(), peers.comm(), &there, &status), "hearing the others");
  if (there == 0) return false;
  mpi::check(PMPI_Recv(&heard, sizeof(Announcement), MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, peers.comm(),
                       MPI_STATUS_IGNORE),
             "hearing the others");
  return true;
}

/// Tells the others once which call this rank waits in, and compares what they tell with what it has done itself.
void Channel::look_around() {
  const mpi::Peers& peers = home_->peers;
  const int tag = peers.largest_tag();  // of no plan
  if (announced_ != call_ && mpi::all_done(outgoing_requests_, 0, outgoing_requests_.size())) {
    announced_ = call_;
    outgoing_ = {{rank_, home_number_, call_, history_[static_cast<std::size_t>(call_) % history_.size()]}};
    outgoing_requests_.assign(static_cast<std::size_t>(ranks_), MPI_REQUEST_NULL);
    for (int r = 0; r < ranks_; ++r)
      if (r != rank_)
        mpi::check(PMPI_Isend(outgoing_.data(), sizeof(Announcement), MPI_BYTE, r, tag, peers.comm(),
                              &outgoing_requests_[static_cast<std::size_t>(r)]),
                   "telling the others");
  }
  for (Announcement heard{}; hear(heard);) {
    const auto size = static_cast<std::int64_t>(history_.size());
    if (heard.home != home_number_ || heard.call > call_ || heard.call <= call_ - size) continue;
    if (heard.what != history_[static_cast<std::size_t>(heard.call % size)])
      throw Error(Error::Kind::argument,
                  fmt::format("ranks {} and {} call different collectives, or one with different sizes or roots "
                              "(call {} of this communicator, or before)",
                              rank_, heard.rank, heard.call));
  }
}

/// Others may be in a call of MPI's own, where they hear nothing.
void Channel::complain() {
  if (common_.complained.exchange(true)) return;
  std::fputs(
      fmt::format("quadrille: rank {} of a communicator of {} has waited for a minute in its call {}; if nothing "
                  "else is slow, ranks may have called with different sizes or roots\n",
                  rank_, ranks_, call_)
          .c_str(),
      stderr);
}

void Channel::listen() {
  if (!home_ || broken_) return;
  try {
    look_around();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

}  // namespace quadrille::dropin
