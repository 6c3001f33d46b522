#include "dropin/ranks/mismatch_watch.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace quadrille::dropin {

void MismatchWatch::compare() {
  const std::int64_t call = history_.call();
  if (told_ != call && notices_->send({rank_, number_, call, history_.last()}, places_)) told_ = call;
  for (const WaitNotice& notice : notices_->received(number_))
    if (history_.differs(notice.call, notice.calls))
      throw Error(Error::Kind::argument,
                  fmt::format("ranks {} and {} call different collectives, or one with different sizes or roots "
                              "(call {} of this communicator, or before)",
                              rank_, notice.rank, notice.call));
}

/// Others may be in a call of MPI's own, where they hear nothing.
void MismatchWatch::say_that_it_waits() {
  if (said_so_.exchange(true)) return;
  std::fputs(
      fmt::format("quadrille: rank {} of a communicator of {} has waited for a minute in its call {}; if nothing "
                  "else is slow, ranks may have called with different sizes or roots\n",
                  rank_, places_.size(), history_.call())
          .c_str(),
      stderr);
}

}  // namespace quadrille::dropin
