#include "program/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/integer.hpp"
#include "collective/traits.hpp"

namespace quadrille::program {

namespace {

constexpr std::array<Buffer, 3> buffers{Buffer::in, Buffer::out, Buffer::tmp};
constexpr std::int64_t most_slots = std::int64_t{1} << 27;   ///< of one rank: what the search for reuse keeps in mind
constexpr std::int64_t most_rounds = std::int64_t{1} << 31;  ///< rounds times ranks

template <class T>
Bytes bytes_in(const std::vector<T>& list) {
  return static_cast<Bytes>(list.capacity() * sizeof(T));
}

template <std::size_t N>
Bytes sum(std::span<const Strided<N>> list) {
  return std::transform_reduce(list.begin(), list.end(), Bytes{0}, std::plus<>(),
                               [](const Strided<N>& x) { return x.length * x.count; });
}

}  // namespace

std::span<const std::size_t> Program::offered(std::size_t done) const {
  const auto by_step = [this](std::size_t send, std::size_t after) { return sends[send].after < after; };
  const auto first = std::lower_bound(offers.begin(), offers.end(), done, by_step);
  const auto last = std::lower_bound(first, offers.end(), done + 1, by_step);
  return std::span(offers).subspan(static_cast<std::size_t>(first - offers.begin()),
                                   static_cast<std::size_t>(last - first));
}

bool Program::goes_straight() const {
  const Bytes ranks = size[index(Buffer::in)];
  const auto one_each = [&](const std::vector<Message>& messages, Buffer buffer) {
    std::vector<bool> seen(static_cast<std::size_t>(ranks));
    for (const Message& m : messages) {
      const auto parts = bytes_of(m);
      if (m.bytes != 1 || parts.size() != 1 || parts.front().buffer[0] != buffer || parts.front().offset[0] != m.peer ||
          seen[static_cast<std::size_t>(m.peer)])
        return false;
      seen[static_cast<std::size_t>(m.peer)] = true;
    }
    return static_cast<Bytes>(messages.size()) == ranks - 1;
  };
  return size[index(Buffer::out)] == ranks && moves.empty() && one_each(sends, Buffer::in) &&
         one_each(receives, Buffer::out);
}

Bytes Program::memory() const {
  return bytes_in(steps) + bytes_in(sends) + bytes_in(receives) + bytes_in(extents) + bytes_in(uses) + bytes_in(moves) +
         bytes_in(combinings) + bytes_in(offers);
}

Bytes total_bytes(std::span<const Extent> extents) { return sum<1>(extents); }

Compiler::Compiler(const Spec& spec, const Schedule& schedule)
    : spec_(spec),
      schedule_(schedule),
      shape_(schedule.shape()),
      combines_(combines(spec)),
      whole_vector_(combines(spec) && collective::facts(spec).whole) {
  if (combines(spec)) check_vector();
  if (shape_.ranks != spec.ranks() || (!combines(spec) && shape_.cut.bytes != collective::block_bytes(spec)))
    throw Error(
        Error::Kind::internal,
        fmt::format("a schedule for {} ranks and blocks of {} B cannot perform a collective of {} ranks and {} B",
                    shape_.ranks, shape_.cut.bytes, spec.ranks(), spec.bytes));
  std::int64_t slots = 0;
  for (const Buffer b : buffers)
    slots = base::checked_add(slots, base::checked_multiply(shape_.blocks(b), shape_.cut.pieces(), "slots"), "slots");
  if (slots > most_slots || base::checked_multiply(shape_.rounds, shape_.ranks, "rounds x ranks") > most_rounds)
    throw Error(
        Error::Kind::budget,
        fmt::format("a schedule of {} slots a rank and {} rounds on {} ranks is too large to run (at most {} slots and "
                    "{} rounds x ranks); use larger packets, fewer ranks, or price it instead",
                    slots, shape_.rounds, shape_.ranks, most_slots, most_rounds));
  touched_.resize(static_cast<std::size_t>(slots));
  Slot first = 0;
  for (const Buffer b : buffers) {
    layouts_[index(b)] = {shape_.blocks(b), shape_.slots(b), first, shape_.uneven(b)};
    first += shape_.slots(b);
  }
  for (Slot piece = 0; slots > 0 && piece <= shape_.cut.pieces(); ++piece) starts_.push_back(shape_.cut.offset(piece));
}

Bytes Compiler::memory() const { return bytes_in(touched_) + bytes_in(starts_); }

Program Compiler::compile(Rank rank, bool barriers, Bytes room, Order order) {
  if (order == Order::lockstep)
    throw Error(Error::Kind::argument,
                "order lockstep: no rank knows when the others have ended a round; expected eager or dataflow");
  order_ = order;
  listed_.clear();
  program_ = {};
  program_.rank = rank;
  for (const Buffer b : {Buffer::in, Buffer::out}) program_.size[index(b)] = buffer_bytes(spec_, b, rank);
  before_out_ = combines(spec_) && rank < spec_.ranks() ? buffer_start(spec_, Buffer::out, rank) : 0;
  std::fill(touched_.begin(), touched_.end(), Touched{});
  settled_ = 0;
  for (Round t = 0; t < shape_.rounds; ++t) {
    compile_round(t, barriers && schedule_.barrier(t));
    if (program_.memory() > room) too_long(t);
  }
  program_.watched = order == Order::dataflow ? program_.sends.size() : settled_;
  order_offers();
  return std::move(program_);
}

void Compiler::compile_round(Round t, bool barrier) {
  transfers_ = collected_.all(schedule_, t, program_.rank);
  if (transfers_.empty() && !barrier) return;
  note_listed();
  for (const Transfer& x : transfers_)
    if (x.peer < 0 || x.peer >= spec_.topology->nodes())
      refuse(Error::Kind::internal, t, fmt::format("names rank {}", x.peer));
  sort_segments();
  step_ = static_cast<std::uint32_t>(program_.steps.size() + 1);
  settle_ = settled_;
  const auto first_receive =
      std::find_if(segments_.begin(), segments_.end(), [](const Segments& s) { return s.kind() == Kind::recv; });
  const auto to_itself = [&](const Segments& s) { return s.peer() == program_.rank; };
  const auto gives = std::find_if(segments_.begin(), first_receive, to_itself);
  const auto takes = std::find_if(first_receive, segments_.end(), to_itself);
  if ((gives == first_receive) != (takes == segments_.end()))
    refuse(Error::Kind::transport, t, "sends to itself without receiving, or the reverse");
  for (auto s = segments_.begin(); s != first_receive; ++s)
    if (s != gives) send(t, *s);
  for (auto s = first_receive; s != segments_.end(); ++s)
    if (s == takes)
      move(t, *gives, *s);
    else
      receive(t, *s);
  settled_ = settle_;
  program_.steps.push_back({t, barrier, settle_, program_.moves.size(), program_.receives.size(),
                            program_.combinings.size(), order_ == Order::dataflow ? program_.sends.size() : 0});
}

/// By kind, then by peer: as ahead() orders them, or what is received in a round that combines, as it is listed.
void Compiler::sort_segments() {
  senders_.clear();
  if (std::any_of(transfers_.begin(), transfers_.end(), [](const Transfer& x) { return x.combine.combines(); }))
    for (const Transfer& x : transfers_)
      if (x.kind == Kind::recv) senders_.try_emplace(x.peer, senders_.size());
  const auto key = [this](const Transfer& x) {
    const auto listed = x.kind == Kind::recv ? senders_.find(x.peer) : senders_.end();
    return std::pair(x.kind, listed == senders_.end() ? ahead(program_.rank, x.peer, spec_.topology->nodes())
                                                      : static_cast<Rank>(listed->second));
  };
  std::stable_sort(transfers_.begin(), transfers_.end(),
                   [&](const Transfer& a, const Transfer& b) { return key(a) < key(b); });
  segments_.clear();
  for (std::size_t i = 0, j = 0; i < transfers_.size(); i = j) {
    while (j < transfers_.size() && transfers_[j].kind == transfers_[i].kind &&
           transfers_[j].peer == transfers_[i].peer)
      ++j;
    segments_.push_back({std::span(transfers_).subspan(i, j - i)});
  }
}

void Compiler::send(Round t, const Segments& message) {
  Message m{.peer = message.peer(), .round = t, .first = program_.extents.size()};
  m.after = read(t, message, program_.extents);
  if (order_ == Order::dataflow) m.after = program_.steps.size();
  m.last = program_.extents.size();
  m.bytes = total_bytes(program_.bytes_of(m));
  program_.sends.push_back(m);
  if (order_ == Order::dataflow) listed_.push_back(receivers_.at(m.peer));
  program_.moved += m.bytes;
  for (const Transfer& x : message.list)
    for (Slot i = 0; i < x.slots.size; ++i)
      touched(x.buffer, x.slots[i]).sent = static_cast<std::uint32_t>(program_.sends.size());
}

void Compiler::receive(Round t, const Segments& message) {
  Message m{.peer = message.peer(), .round = t, .first = program_.extents.size()};
  const Free free = message.combine() ? use(t, m, message) : write(t, message, program_.extents);
  m.after = free.after;
  m.settle = free.settle;
  m.last = message.combine() ? m.first : program_.extents.size();
  if (!message.combine()) m.bytes = total_bytes(program_.bytes_of(m));
  program_.receives.push_back(m);
}

void Compiler::move(Round t, const Segments& from, const Segments& to) {
  from_.clear();
  to_.clear();
  read(t, from, from_);
  const Bytes bytes = total_bytes(from_);
  Message m{.peer = program_.rank, .round = t};
  if (to.combine())
    use(t, m, to);
  else
    write(t, to, to_);
  if (const Bytes room = to.combine() ? m.bytes : total_bytes(to_); bytes != room)
    refuse(Error::Kind::transport, t, fmt::format("moves {} B within itself to places of {} B", bytes, room));
  if (!to.combine()) {
    pair_up(from_, to_, program_.moves);
    program_.permuted += bytes;
    return;
  }
  if (m.in_turn)
    refuse(Error::Kind::transport, t, "combines its own bytes into a slot after those of others, and they come first");
  combine_up(from_, program_.uses_of(m), program_.extents, program_.combinings);
}

/// Returns after how many steps the bytes are final.
std::size_t Compiler::read(Round t, const Segments& message, std::vector<Extent>& extents) {
  std::uint32_t after = 0;
  lay_out(t, message, extents, [&](Touched& slot, Buffer, Slot) {
    slot.read = step_;
    after = std::max(after, slot.written);
  });
  return after;
}

Compiler::Free Compiler::write(Round t, const Segments& message, std::vector<Extent>& extents) {
  Free free;
  lay_out(t, message, extents, [&](Touched& slot, Buffer buffer, Slot number) {
    if (buffer == Buffer::in)
      refuse(Error::Kind::internal, t, fmt::format("writes slot {} of in, which is only read", number));
    if (slot.read == step_ || slot.written == step_)
      refuse(Error::Kind::internal, t,
             fmt::format("writes slot {} of {}, which it also {} in this round", number, to_string(buffer),
                         slot.read == step_ ? "reads" : "writes a second time"));
    free.after = std::max<std::size_t>({free.after, slot.read, slot.written});
    free.settle = std::max<std::size_t>(free.settle, slot.sent);
    slot.written = step_;
  });
  settle_ = std::max(settle_, free.settle);
  return free;
}

template <class Visit>
void Compiler::lay_out(Round t, const Segments& message, std::vector<Extent>& extents, Visit visit) {
  StridedBuilder<1> builder(extents);
  for (const Transfer& x : message.list) {
    slots_ += x.slots.size;
    for (Slot i = 0; i < x.slots.size; ++i) {
      const Slot slot = existing(t, x.buffer, x.slots[i]);
      visit(touched(x.buffer, slot), x.buffer, slot);
      add_slot(t, x.buffer, slot, builder);
    }
  }
  builder.finish();
}

Compiler::Touched& Compiler::touched(Buffer buffer, Slot slot) {
  return touched_[static_cast<std::size_t>(layouts_[index(buffer)].first + slot)];
}

void Compiler::order_offers() {
  program_.offers.resize(program_.sends.size());
  std::iota(program_.offers.begin(), program_.offers.end(), std::size_t{0});
  const auto key = [this](std::size_t n) {
    return std::pair(program_.sends[n].after, listed_.empty() ? 0 : listed_[n]);
  };
  std::stable_sort(program_.offers.begin(), program_.offers.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
}

/// A schedule lists first what others wait for longest, and simulations in order of rounds send in that order.
void Compiler::note_listed() {
  receivers_.clear();
  if (order_ != Order::dataflow) return;
  for (const Transfer& x : transfers_)
    if (x.kind == Kind::send) receivers_.try_emplace(x.peer, receivers_.size());
}

void Compiler::too_long(Round t) const {
  throw Error(
      Error::Kind::budget,
      fmt::format("the messages of rank {} up to round {} of {} already fill the memory allowed; use larger packets, "
                  "fewer ranks, or price the schedule instead",
                  program_.rank, t, shape_.rounds));
}

void Compiler::refuse(Error::Kind kind, Round t, const std::string& what) const {
  throw Error(kind, fmt::format("round {}: rank {} {}; quadrille verify finds such mistakes in a schedule", t,
                                program_.rank, what));
}

}  // namespace quadrille::program
