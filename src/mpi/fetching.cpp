// Messages between neighbours that no MPI carries: the sender says where they are, and the receiver copies them from
// there to where they belong.
#include <algorithm>
#include <cstring>
#include <map>

#include "mpi/execution.hpp"

namespace quadrille::mpi {

namespace {

/// What is agreed on with one neighbour: a number for each message, in the order of rounds, which is the same at both
/// ends.
struct Talk {
  std::vector<std::int64_t> said, heard;
  std::size_t used = 0;
};

constexpr std::int64_t no_notice = 0;  // the first one is never given out

}  // namespace

void Execution::connect(bool any_length) {
  if (neighbours_ == nullptr || neighbours_->count() == 0) return;
  const auto near = [this, any_length](const Line& l) {
    return l.bytes > 0 && (any_length || l.bytes >= neighbours_->least()) && neighbours_->window(l.peer) != nullptr;
  };
  std::map<int, Talk> talks;
  const auto count = static_cast<std::size_t>(std::count_if(sends_.begin(), sends_.end(), near));
  if (offers_) notices_ = Arena::get().allocate_notices(count);
  Notice* next = notices_;
  for (Line& l : sends_) {
    if (!near(l)) continue;
    if (next != nullptr) l.notice = next++;
    fetches_ = fetches_ || l.notice != nullptr;
    talks[l.peer].said.push_back(l.notice != nullptr ? Arena::get().place(l.notice) : no_notice);
  }
  for (const Line& l : receives_)
    if (near(l)) talks[l.peer].heard.push_back(no_notice);
  std::vector<MPI_Request> requests;
  for (auto& [peer, talk] : talks) {
    if (!talk.heard.empty())
      check(MPI_Irecv(talk.heard.data(), static_cast<int>(talk.heard.size()), MPI_INT64_T, peer, tag_, peers_.comm(),
                      &requests.emplace_back()),
            "agreeing with a neighbour");
    if (!talk.said.empty())
      check(MPI_Isend(talk.said.data(), static_cast<int>(talk.said.size()), MPI_INT64_T, peer, tag_, peers_.comm(),
                      &requests.emplace_back()),
            "agreeing with a neighbour");
  }
  wait_until([&] { return all_done(requests, 0, requests.size()); });
  for (Line& l : receives_) {
    if (!near(l)) continue;
    Talk& talk = talks[l.peer];
    const std::int64_t place = talk.heard[talk.used++];
    if (place == no_notice) continue;
    l.notice = neighbours_->window(l.peer)->notices + place;
    fetches_ = true;
  }
}

/// False when the bytes do not lie in the arena: then they follow as a message.
bool Execution::tell(const Line& l) {
  const std::int64_t at = Arena::get().place(place(l), l.bytes);
  l.notice->place.store(at, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);  // also behind stores that programs made past the caches
  l.notice->ready.store(run_, std::memory_order_release);
  return at >= 0;
}

/// Whether its notice has come; if so the bytes are here, or their receive is posted.
bool Execution::look_at(Line& l) {
  if (l.notice->ready.load(std::memory_order_acquire) != run_) return false;
  const std::int64_t at = l.notice->place.load(std::memory_order_relaxed);
  l.fetched = at >= 0;
  if (!l.fetched) {
    begin(l, receive_requests_, false);
  } else {
    auto* const from = const_cast<std::byte*>(neighbours_->window(l.peer)->data + at);
    if (l.in_turn) {
      l.from = from;
      return true;
    }
    if (l.apart())
      take(l, from);
    else
      std::memcpy(place(l), from, static_cast<std::size_t>(l.bytes));
  }
  l.notice->taken.store(run_, std::memory_order_release);
  return true;
}

/// Whether the notices of the first `receives` have come. While one has not, one of a later receive may be seen to.
bool Execution::fetch(std::size_t receives) {
  std::erase_if(expected_, [&](std::size_t n) { return n < receives && look_at(receives_[n]); });
  bool missing = false;
  for (const std::size_t n : expected_) missing = missing || n < receives;
  if (!missing) return true;
  for (auto n = expected_.begin(); n != expected_.end(); ++n)
    if (*n >= receives && look_at(receives_[*n])) {
      expected_.erase(n);
      break;
    }
  return false;
}

bool Execution::all_taken(std::size_t sends) {
  for (; taken_ < sends; ++taken_) {
    const Line& l = sends_[taken_];
    if (noticed(l) && l.notice->taken.load(std::memory_order_acquire) != run_) return false;
  }
  return true;
}

/// Who waits for a notice makes no call of MPI, and others may wait for what only such calls bring forward. The call
/// must find nothing: MPICH looks no further than at a message that is there already. Nobody writes to itself.
bool Execution::waiting() {
  constexpr unsigned looks_between = 8;
  if (!fetches_ || ++looks_ % looks_between != 0) return false;
  int any = 0;
  check(MPI_Iprobe(peers_.rank(), MPI_ANY_TAG, peers_.comm(), &any, MPI_STATUS_IGNORE), "looking for messages");
  return false;
}

}  // namespace quadrille::mpi
