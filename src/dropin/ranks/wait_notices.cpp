#include "dropin/ranks/wait_notices.hpp"

#include <algorithm>

namespace quadrille::dropin {

bool WaitNotices::send(const WaitNotice& notice, const std::vector<int>& to) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(sent_, [](Sent& s) { return mpi::all_done(s.requests, 0, s.requests.size()); });
  for (const Sent& s : sent_)
    if (s.notice.communicator == notice.communicator) return false;
  Sent& s = sent_.emplace_back(Sent{notice, {}});
  for (const int r : to)
    if (r != rank())
      mpi::check(PMPI_Isend(&s.notice, sizeof(WaitNotice), MPI_BYTE, r, tag, comm(),
                            &s.requests.emplace_back(MPI_REQUEST_NULL)),
                 "telling the others");
  return true;
}

/// Probed and received in one: several threads may do so at once.
void WaitNotices::receive() {
  for (;;) {
    int there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    mpi::check(PMPI_Improbe(MPI_ANY_SOURCE, tag, comm(), &there, &message, MPI_STATUS_IGNORE), "hearing the others");
    if (there == 0) return;
    WaitNotice& notice = unasked_.emplace_back();
    mpi::check(PMPI_Mrecv(&notice, sizeof(WaitNotice), MPI_BYTE, &message, MPI_STATUS_IGNORE), "hearing the others");
    if (unasked_.size() > most_unasked) unasked_.pop_front();
  }
}

std::vector<WaitNotice> WaitNotices::received(std::int64_t communicator) {
  const std::scoped_lock lock(mutex_);
  receive();
  std::vector<WaitNotice> about;
  std::erase_if(unasked_, [&](const WaitNotice& notice) {
    if (notice.communicator != communicator) return false;
    about.push_back(notice);
    return true;
  });
  return about;
}

void WaitNotices::end() {
  peers_.barrier();
  const std::scoped_lock lock(mutex_);
  receive();
  for (Sent& s : sent_) mpi::all_done(s.requests, 0, s.requests.size());
}

}  // namespace quadrille::dropin
