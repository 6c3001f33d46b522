#include "mpi/execution.hpp"

#include <algorithm>
#include <numeric>

namespace quadrille::mpi {

namespace {

/// How many steps before its own a receive is posted at most: more would only make MPI's list of them longer.
constexpr std::size_t most_steps_ahead = 64;
/// MPI counts in int.
constexpr Bytes longest_piece = Bytes{1} << 30;

}  // namespace

Execution::Execution(const Peers& peers, program::Program program, int tag, Bytes segment, const Neighbours* neighbours)
    : peers_(peers),
      program_(std::move(program)),
      tag_(tag),
      segment_(segment > 0 ? std::min(segment, longest_piece) : longest_piece),
      neighbours_(neighbours),
      offers_(may_offer(neighbours)) {
  sends_.reserve(program_.sends.size());
  receives_.reserve(program_.receives.size());
  for (const program::Message& m : program_.sends) sends_.push_back(line(m, true));
  for (const program::Message& m : program_.receives) receives_.push_back(line(m, false));
  order_posts();
  staging_ = make_room(staging_bytes_, offers_);
}

Execution::~Execution() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0 && !active_) release();
  if (notices_ != nullptr && !active_) Arena::get().free_notices(notices_);
}

Execution::Line Execution::line(const program::Message& m, bool sends) {
  std::vector<MPI_Request>& requests = sends ? send_requests_ : receive_requests_;
  Line l{.peer = static_cast<int>(m.peer), .tag = tag_ + static_cast<int>(m.round), .bytes = m.bytes};
  l.first = requests.size();
  l.last = l.first + static_cast<std::size_t>((m.bytes + segment_ - 1) / segment_);
  requests.resize(l.last, MPI_REQUEST_NULL);
  if (m.bytes == 0) return l;
  const auto extents = program_.bytes_of(m);
  l.combines = !sends && m.combines();
  l.in_turn = m.in_turn;
  if (!l.combines && extents.size() == 1 && extents.front().count == 1) {
    l.buffer = extents.front().buffer[0];
    l.offset = extents.front().offset[0];
    return l;
  }
  const program::Extent together{.buffer = {Buffer::in}, .offset = {staging_bytes_}, .length = m.bytes};
  l.offset = staging_bytes_;
  staging_bytes_ += m.bytes;
  l.copy = l.combines ? combinings_.size() : copies_.size();
  if (sends)
    program::pair_up(extents, {&together, 1}, copies_);
  else if (l.combines)
    program::combine_up({&together, 1}, program_.uses_of(m), program_.extents, combinings_);
  else
    program::pair_up({&together, 1}, extents, copies_);
  l.copies = l.combines ? combinings_.size() : copies_.size();
  return l;
}

/// The first step at whose start a receive's place is free: steps settle more and more sends.
void Execution::order_posts() {
  const std::vector<program::Step>& steps = program_.steps;
  std::vector<std::size_t> at(receives_.size());
  for (std::size_t s = 0, n = 0; s < steps.size(); ++s)
    for (; n < steps[s].receives; ++n) {
      const program::Message& m = program_.receives[n];
      const auto settling =
          std::lower_bound(steps.begin(), steps.end(), m.settle,
                           [](const program::Step& step, std::size_t settle) { return step.settle < settle; });
      at[n] = std::max(m.after, static_cast<std::size_t>(settling - steps.begin()));
      if (s > most_steps_ahead) at[n] = std::max(at[n], s - most_steps_ahead);
    }
  posts_.resize(receives_.size());
  std::iota(posts_.begin(), posts_.end(), std::size_t{0});
  std::stable_sort(posts_.begin(), posts_.end(), [&](std::size_t a, std::size_t b) { return at[a] < at[b]; });
  posts_until_.resize(steps.size());
  for (std::size_t s = 0, n = 0; s < steps.size(); ++s) {
    while (n < posts_.size() && at[posts_[n]] <= s) ++n;
    posts_until_[s] = n;
  }
}

void Execution::send_from_in(Bytes offset, Bytes bytes) {
  for (Line& l : sends_) {
    if (l.apart() || l.buffer != Buffer::out || l.offset < offset || l.offset + l.bytes > offset + bytes) continue;
    l.buffer = Buffer::in;
    l.offset -= offset;
  }
}

Bytes Execution::memory() const {
  const auto bytes = [](const auto& list) { return static_cast<Bytes>(list.capacity() * sizeof(list[0])); };
  return program_.memory() + staging_bytes_ + bytes(sends_) + bytes(receives_) + bytes(copies_) + bytes(combinings_) +
         bytes(posts_) + bytes(posts_until_) + bytes(expected_) + bytes(send_requests_) + bytes(receive_requests_);
}

std::byte* Execution::place(const Line& l) {
  return (l.apart() ? staging_.get() : bases_[static_cast<std::size_t>(l.buffer)]) + l.offset;
}

template <class Visit>
void Execution::each_piece(const Line& l, Visit visit) {
  std::byte* at = place(l);
  Bytes left = l.bytes;
  for (std::size_t i = l.first; i < l.last; ++i, at += segment_, left -= segment_)
    visit(i, at, static_cast<int>(std::min(left, segment_)));
}

void Execution::post(std::vector<Line>& lines, std::size_t n, std::vector<MPI_Request>& requests, bool sends) {
  const Line& l = lines[n];
  if (l.bytes == 0) return;
  if (sends && l.apart())
    program::perform(std::span<const program::Copy>(copies_).subspan(l.copy, l.copies - l.copy), bases_, staged());
  if (!noticed(l) || (sends && !tell(l)))
    begin(l, requests, sends);
  else if (!sends)
    expected_.push_back(n);
}

void Execution::begin(const Line& l, std::vector<MPI_Request>& requests, bool sends) {
  if (persistent_) {
    check(MPI_Startall(static_cast<int>(l.last - l.first), requests.data() + l.first), "starting a message");
    return;
  }
  each_piece(l, [&](std::size_t i, std::byte* at, int bytes) {
    check(sends ? MPI_Isend(at, bytes, MPI_BYTE, l.peer, l.tag, peers_.comm(), &requests[i])
                : MPI_Irecv(at, bytes, MPI_BYTE, l.peer, l.tag, peers_.comm(), &requests[i]),
          sends ? "sending" : "receiving");
  });
}

void Execution::make_persistent() {
  const auto init = [this](const std::vector<Line>& lines, std::vector<MPI_Request>& requests, bool sends) {
    for (const Line& l : lines)
      each_piece(l, [&](std::size_t i, std::byte* at, int bytes) {
        check(sends ? MPI_Send_init(at, bytes, MPI_BYTE, l.peer, l.tag, peers_.comm(), &requests[i])
                    : MPI_Recv_init(at, bytes, MPI_BYTE, l.peer, l.tag, peers_.comm(), &requests[i]),
              "preparing a message");
      });
  };
  init(sends_, send_requests_, true);
  init(receives_, receive_requests_, false);
  persistent_ = true;
}

void Execution::release() {
  if (!persistent_) return;
  for (std::vector<MPI_Request>* requests : {&send_requests_, &receive_requests_})
    for (MPI_Request& r : *requests)
      if (r != MPI_REQUEST_NULL) MPI_Request_free(&r);
  persistent_ = false;
}

void Execution::lay(std::span<const Place> in, std::span<const Place> out, int tag) {
  release();
  used_ = false;
  const auto move = [&](std::vector<Line>& lines, std::span<const Place> places, std::vector<MPI_Request>& requests) {
    std::size_t pieces = 0;
    for (Line& l : lines) {
      const Place& place = places[static_cast<std::size_t>(l.peer)];
      l.tag = tag;
      l.offset = place.offset;
      l.bytes = place.bytes;
      l.first = pieces;
      l.last = pieces += static_cast<std::size_t>((l.bytes + segment_ - 1) / segment_);
    }
    requests.assign(pieces, MPI_REQUEST_NULL);
  };
  move(sends_, in, send_requests_);
  move(receives_, out, receive_requests_);
}

void Execution::start(const program::Bases& bases) {
  const bool again = used_ && bases == bases_;
  if (!again) release();
  bases_ = bases;
  if (again && !persistent_) make_persistent();
  used_ = active_ = true;
  step_ = settled_ = moved_ = combined_ = received_ = posted_ = taken_ = 0;
  ++run_;
  phase_ = Phase::entering;
  offer(0);
  advance();
}

void Execution::offer(std::size_t done) {
  for (const std::size_t n : program_.offered(done)) post(sends_, n, send_requests_, true);
}

bool Execution::advance() {
  if (!active_) return true;
  while (step_ < program_.steps.size())
    if (!proceed()) return waiting();
  const std::size_t settled = settled_ < sends_.size() ? sends_[settled_].first : send_requests_.size();
  if (!all_taken(sends_.size()) || !all_done(send_requests_, settled, send_requests_.size())) return waiting();
  active_ = false;
  return true;
}

/// What has come, apart, becomes what it is to be here.
void Execution::take(const Line& l, std::byte* from) {
  if (l.combines)
    program::perform(std::span<const program::Combining>(combinings_).subspan(l.copy, l.copies - l.copy), *reducer_,
                     staged(from - l.offset), bases_);
  else
    program::perform(std::span<const program::Copy>(copies_).subspan(l.copy, l.copies - l.copy),
                     staged(from - l.offset), bases_);
}

void Execution::finish_receive(Line& l) {
  if (!l.apart()) return;
  if (!l.fetched) return take(l, place(l));
  if (!l.in_turn) return;  // was taken when it came
  take(l, l.from);
  l.notice->taken.store(run_, std::memory_order_release);
}

/// Whether the first `sends` have been taken.
bool Execution::settle(std::size_t sends) {
  if (sends <= settled_) return true;
  if (!all_taken(sends) || !all_done(send_requests_, sends_[settled_].first, sends_[sends - 1].last)) return false;
  settled_ = sends;
  return true;
}

/// One phase of a step; false when it has to wait.
bool Execution::proceed() {
  const program::Step& step = program_.steps[step_];
  switch (phase_) {
    case Phase::entering:
      if (enter) enter(step_);
      if (step.barrier) check(MPI_Ibarrier(peers_.comm(), &barrier_), "a barrier");
      phase_ = Phase::gathering;
      return true;
    case Phase::gathering: {
      int done = 1;
      if (barrier_ != MPI_REQUEST_NULL) check(MPI_Test(&barrier_, &done, MPI_STATUS_IGNORE), "a barrier");
      if (done == 0) return false;
      phase_ = Phase::settling;
      return true;
    }
    case Phase::settling:
      if (!settle(step.settle)) return false;
      for (; posted_ < posts_until_[step_]; ++posted_) post(receives_, posts_[posted_], receive_requests_, false);
      program::perform(std::span<const program::Copy>(program_.moves).subspan(moved_, step.moves - moved_), bases_,
                       bases_);
      moved_ = step.moves;
      if (step.combinings > combined_)
        program::perform(
            std::span<const program::Combining>(program_.combinings).subspan(combined_, step.combinings - combined_),
            *reducer_, bases_, bases_);
      combined_ = step.combinings;
      phase_ = Phase::receiving;
      return true;
    case Phase::receiving:
      if (step.receives > received_ &&
          (!fetch(step.receives) ||
           !all_done(receive_requests_, receives_[received_].first, receives_[step.receives - 1].last)))
        return false;
      for (; received_ < step.receives; ++received_) finish_receive(receives_[received_]);
      phase_ = Phase::leaving;
      return true;
    case Phase::leaving:
      if (!settle(step.sent)) return false;
      if (leave) leave(step_);
      offer(++step_);
      phase_ = Phase::entering;
      return true;
  }
  return true;
}

}  // namespace quadrille::mpi
