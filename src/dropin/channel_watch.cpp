// Ranks that wait long for each other find out whether they wait in the same call. MPI leaves it to the program that
// they do; where they do not, a plan must not hang longer than MPI would.
#include <fmt/format.h>

#include <cstdio>

#include "dropin/channel_await.hpp"

namespace quadrille::dropin {

/// Tells the others once which call this rank waits in, and compares what they tell with what it has done itself.
void Channel::look_around() {
  const auto size = static_cast<std::int64_t>(history_.size());
  if (announced_ != call_ &&
      common_.bulletin->tell({rank_, home_number_, call_, history_[static_cast<std::size_t>(call_ % size)]}, places_))
    announced_ = call_;
  for (const Announcement& heard : common_.bulletin->heard(home_number_)) {
    if (heard.call > call_ || heard.call <= call_ - size) continue;
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

/// What happened may be this rank's alone, so it is an error of the call, as MPI's own are.
int Channel::fail(const char* what) {
  mpi::last_words(fmt::format("quadrille: rank {}: {}\n", rank_, what));
  broken_ = true;
  for (auto& [request, prepared] : made_.prepared)
    for (auto& plan : prepared.plans) static_cast<void>(plan.release());  // one of them may be under way
  static_cast<void>(made_.straight.release());
  PMPI_Comm_call_errhandler(comm_, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}

void Channel::listen() {
  if (!made_.home || broken_) return;
  try {
    look_around();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

}  // namespace quadrille::dropin
