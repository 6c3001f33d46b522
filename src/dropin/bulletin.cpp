#include "dropin/bulletin.hpp"

#include <algorithm>

namespace quadrille::dropin {

bool Bulletin::tell(const Announcement& announcement, const std::vector<int>& to) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(sent_, [](Sent& s) { return mpi::all_done(s.requests, 0, s.requests.size()); });
  for (const Sent& s : sent_)
    if (s.announcement.home == announcement.home) return false;
  Sent& s = sent_.emplace_back(Sent{announcement, {}});
  for (const int r : to)
    if (r != rank())
      mpi::check(PMPI_Isend(&s.announcement, sizeof(Announcement), MPI_BYTE, r, tag, comm(),
                            &s.requests.emplace_back(MPI_REQUEST_NULL)),
                 "telling the others");
  return true;
}

/// Probed and received in one: several threads may do so at once.
void Bulletin::receive() {
  for (;;) {
    int there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    mpi::check(PMPI_Improbe(MPI_ANY_SOURCE, tag, comm(), &there, &message, MPI_STATUS_IGNORE), "hearing the others");
    if (there == 0) return;
    Announcement& heard = unheard_.emplace_back();
    mpi::check(PMPI_Mrecv(&heard, sizeof(Announcement), MPI_BYTE, &message, MPI_STATUS_IGNORE), "hearing the others");
    if (unheard_.size() > most_unheard) unheard_.pop_front();
  }
}

std::vector<Announcement> Bulletin::heard(std::int64_t home) {
  const std::scoped_lock lock(mutex_);
  receive();
  std::vector<Announcement> about;
  std::erase_if(unheard_, [&](const Announcement& a) {
    if (a.home != home) return false;
    about.push_back(a);
    return true;
  });
  return about;
}

void Bulletin::end() {
  peers_.barrier();
  const std::scoped_lock lock(mutex_);
  receive();
  for (Sent& s : sent_) mpi::all_done(s.requests, 0, s.requests.size());
}

}  // namespace quadrille::dropin
