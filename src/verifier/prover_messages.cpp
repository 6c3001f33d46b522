// What one rank does in one round: every message checked at both ends, and the names it carries delivered.
#include <fmt/format.h>

#include "verifier/prover.hpp"

namespace quadrille::verifier {

namespace {

using What = Counterexample::Kind;

constexpr Rank anyone = -1;

/// Hands the segments of one kind on as they come, to one peer or to anyone: a message may have a million of them, and
/// keeping them costs more than looking at them.
template <class Visit>
class Passing final : public Steps {
 public:
  Passing(Kind kind, Rank peer, Visit visit) : kind_(kind), peer_(peer), visit_(visit) {}
  bool wants(Kind kind, Rank peer) const override { return kind == kind_ && (peer_ == anyone || peer == peer_); }
  std::optional<Rank> only_peer() const override { return peer_ == anyone ? std::nullopt : std::optional(peer_); }
  void add(const Transfer& x) override {
    if (x.slots.size > 0 && wants(x.kind, x.peer)) visit_(x);
  }

 private:
  Kind kind_;
  Rank peer_;
  Visit visit_;
};

/// Sender and receiver of what rank r sends or receives.
std::pair<Rank, Rank> message_of(Rank r, const Transfer& x) {
  return x.kind == Kind::send ? std::pair(r, x.peer) : std::pair(x.peer, r);
}

}  // namespace

Slot Prover::first_mark(Buffer buffer) const {
  if (buffer == Buffer::in) return 0;
  return tracked_slots(Buffer::in) + (buffer == Buffer::tmp ? tracked_slots(Buffer::out) : 0);
}

Prover::Found Prover::check_rank(Round t, Rank r) {
  messages_ = summary_.of(schedule_, t, r);
  if (messages_.empty()) return {};
  const Found wrong = check_messages(t, r);
  unmark(t, r);
  return wrong;
}

Prover::Found Prover::check_messages(Round t, Rank r) {
  for (const Summary::Message& m : messages_)
    if (m.peer < 0 || m.peer >= spec_.topology->nodes())
      return Counterexample{
          What::shape, t, r,
          fmt::format("rank {} names peer {}, and there are {} ranks", r, m.peer, spec_.topology->nodes())};
  const Limits limit = limits(r);
  Found wrong;
  Passing reads(Kind::send, anyone, [&](const Transfer& x) {
    if (!wrong) wrong = mark(t, r, x, limit);
  });
  schedule_.step(t, r, reads);
  // All reads are marked before the first write: a slot that is read in this round still holds what it held.
  for (const Summary::Message& m : messages_) {
    if (wrong) return wrong;
    if (m.kind == Kind::send) {
      ++sent_messages_;
    } else {
      ++matched_messages_;
      wrong = receive(t, r, m, limit);
    }
  }
  return wrong;
}

bool Prover::has(Rank r, Buffer buffer) const {
  return buffer == Buffer::tmp ? has_scratch(spec_, r) : blocks(spec_, buffer, r) > 0;
}

Prover::Limits Prover::limits(Rank r) const {
  Limits limit{};
  for (const Buffer b : {Buffer::in, Buffer::out, Buffer::tmp})
    limit[static_cast<std::size_t>(b)] = has(r, b) ? shape_.slots(b) : 0;
  return limit;
}

bool Prover::fits(const Slots& slots, Buffer buffer, const Limits& limit) {
  const bool single = slots.size == 1;  // lists of single slots are long: no division for them
  return slots.first >= 0 && slots.run >= 1 && (single || slots.size <= slots.run || slots.stride >= slots.run) &&
         (single ? slots.first : slots.last()) < limit[static_cast<std::size_t>(buffer)];
}

bool Prover::fits(const Transfer& x, const Limits& limit) const {
  if (!fits(x.slots, x.buffer, limit)) return false;
  if (x.kind == Kind::send) return true;
  if (x.buffer == Buffer::in) return false;
  return !x.combine.combines() || (quadrille::combines(spec_) && fits(x.operand(), x.combine.buffer, limit));
}

Counterexample Prover::unfit(Round t, Rank r, const Transfer& x) const {
  const std::string why =
      x.kind == Kind::recv && x.buffer == Buffer::in        ? "input is read only"
      : !has(r, x.buffer)                                   ? "this rank has no such buffer"
      : x.combine.combines() && !quadrille::combines(spec_) ? "it would combine, and the collective has no operator"
      : x.combine.combines() && !fits(x.operand(), x.combine.buffer, limits(r))
          ? fmt::format("its operand starts at slot {} of {}", x.combine.with, to_string(x.combine.buffer))
          : fmt::format("the buffer has {} slots", shape_.slots(x.buffer));
  const Slot last = x.slots.run >= 1 ? x.slots.last() : x.slots.first;
  return {What::shape,
          t,
          r,
          fmt::format("rank {} {} slots {} .. {} of {}: {}", r, x.kind == Kind::send ? "sends" : "receives into",
                      x.slots.first, last, to_string(x.buffer), why),
          message_of(r, x),
          Counterexample::Content{r, x.buffer, x.slots.first}};
}

Prover::Found Prover::mark(Round t, Rank r, const Transfer& x, const Limits& limit) {
  if (!fits(x, limit)) return unfit(t, r, x);
  if (skips(x)) return {};
  meter_.spend(x.slots.size);
  if (x.combine.combines()) return mark_combining(t, r, x);
  const bool writing = x.kind == Kind::recv;
  SlotMarks& marks = writing ? writes_ : reads_;
  const Slot base = first_mark(x.buffer);
  Found wrong;
  for_each_slot(x.slots, [&](Slot slot) {
    const Slot at = base + slot;
    if (writes_.test(at) || (writing && reads_.test(at)))
      if (!wrong) wrong = race(t, r, x, slot, writes_.test(at));
    marks.set(at);
  });
  return wrong;
}

/// Several receives may combine into a slot; the later ones then go on with what the ones before have made.
Prover::Found Prover::mark_combining(Round t, Rank r, const Transfer& x) {
  const bool in_place = x.combine.buffer == x.buffer && x.combine.with == x.slots.first;
  Found wrong;
  if (!in_place)
    for_each_slot(x.operand(), [&](Slot slot) {
      const Slot at = first_mark(x.combine.buffer) + slot;
      if (writes_.test(at) && !wrong)
        wrong =
            Counterexample{What::race,
                           t,
                           r,
                           fmt::format("rank {} takes slot {} of {} as an operand, which it also writes in this round",
                                       r, slot, to_string(x.combine.buffer)),
                           message_of(r, x),
                           Counterexample::Content{r, x.combine.buffer, slot}};
      reads_.set(at);
    });
  for_each_slot(x.slots, [&](Slot slot) {
    const Slot at = first_mark(x.buffer) + slot;
    const bool goes_on = in_place && combined_.test(at);
    if ((reads_.test(at) || (writes_.test(at) && !goes_on)) && !wrong) wrong = race(t, r, x, slot, writes_.test(at));
    writes_.set(at), combined_.set(at);
  });
  return wrong;
}

Counterexample Prover::race(Round t, Rank r, const Transfer& x, Slot slot, bool written) const {
  const auto does = [](bool writes) { return writes ? "receives into" : "sends"; };
  return {What::race,
          t,
          r,
          fmt::format("rank {} {} slot {} of {}, which it also {} in this round", r, does(x.kind == Kind::recv), slot,
                      to_string(x.buffer), does(written)),
          message_of(r, x),
          Counterexample::Content{r, x.buffer, slot}};
}

void Prover::unmark(Round t, Rank r) {
  Slot marked = 0;
  for (const Summary::Message& m : messages_) marked += m.slots;
  if (marked > reads_.words()) {  // cheaper than to visit the slots again
    reads_.clear_all();
    writes_.clear_all();
    combined_.clear_all();
    return;
  }
  const Limits limit = limits(r);
  const auto clear = [&](const Transfer& x) {
    if (!fits(x, limit) || skips(x)) return;
    const Slot base = first_mark(x.buffer);
    for_each_slot(x.slots, [&](Slot slot) {
      reads_.clear(base + slot);
      writes_.clear(base + slot);
      if (x.combine.combines()) combined_.clear(base + slot);
    });
    if (x.combine.combines())
      for_each_slot(x.operand(), [&](Slot slot) { reads_.clear(first_mark(x.combine.buffer) + slot); });
  };
  for (const Kind kind : {Kind::send, Kind::recv}) {
    Passing marked_here(kind, anyone, clear);
    schedule_.step(t, r, marked_here);
  }
}

Prover::Found Prover::receive(Round t, Rank r, const Summary::Message& message, const Limits& limit) {
  const auto& landed = recvs_.one(schedule_, t, r, Kind::recv, message.peer);
  for (const Transfer& x : landed)
    if (auto wrong = mark(t, r, x, limit)) return wrong;
  Delivery d{t, r, message.peer, limits(message.peer), SlotCursor(landed)};
  Passing arrivals(Kind::send, r, [&](const Transfer& x) { deliver(d, x); });
  schedule_.step(t, message.peer, arrivals);
  if (d.unfit) return d.unfit;
  if (d.sent == 0)
    return Counterexample{
        What::matching, t, r,
        fmt::format("rank {} waits for a message from rank {} that is not sent in round {}: without buffering "
                    "both wait for ever",
                    r, message.peer, t),
        std::pair(message.peer, r)};
  if (d.sent != message.slots)
    return Counterexample{
        What::matching, t, r,
        fmt::format("rank {} expects {} slots from rank {}, which sends {}", r, message.slots, message.peer, d.sent),
        std::pair(message.peer, r)};
  return d.wrong;
}

void Prover::deliver(Delivery& d, const Transfer& x) {
  d.sent += x.slots.size;
  if (!d.unfit && !fits(x, d.limit)) d.unfit = unfit(d.t, d.from, x);
  if (d.unfit || d.wrong) return;
  if (one_piece_ && !is_of_the_piece(d, x)) return;
  land(d, x);
}

bool Prover::is_of_the_piece(Delivery& d, const Transfer& x) const {
  const auto piece_of = [this](const Transfer& s) {
    const Slot piece = schedule_.piece(s.buffer, s.slots.first);
    return piece == schedule_.piece(s.buffer, s.slots.last()) ? piece : Slot{-1};
  };
  const Slot piece = piece_of(x);
  SlotCursor target = d.target;
  for (Slot left = x.slots.size; left > 0 && !target.done() && !d.wrong; left -= target.skip(left))
    if (piece < 0 || piece_of(target.transfer()) != piece)
      d.wrong = {What::shape, d.t, d.to,
                 fmt::format("rank {} receives pieces in another order than they are sent", d.to),
                 std::pair(d.from, d.to)};
  if (piece != 0) d.target = target;
  return piece == 0 && !d.wrong;
}

}  // namespace quadrille::verifier
