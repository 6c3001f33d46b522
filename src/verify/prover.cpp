#include "verify/prover.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"

namespace quadrille {

namespace {

using What = Counterexample::Kind;

/// How many names blocks can have.
Slot block_names(const Spec& spec) {
  const Rank p = spec.ranks();
  if (spec.collective == Collective::multibcast) return spec.sources->count();
  return spec.collective == Collective::alltoall ? p * p : p;
}

std::string_view name(Buffer b) { return b == Buffer::in ? "in" : b == Buffer::out ? "out" : "tmp"; }

}  // namespace

Prover::Prover(const Spec& spec, const Schedule& schedule, Group group, bool one_piece, Meter& meter)
    : spec_(spec),
      schedule_(schedule),
      shape_(schedule.shape()),
      group_(group),
      one_piece_(one_piece),
      meter_(meter),
      representatives_(representatives(group, spec.topology->nodes())),
      contents_(spec, schedule, group, one_piece),
      reads_(mark_index(Buffer::tmp, tracked_slots(Buffer::tmp))),
      writes_(reads_),
      names_(static_cast<Name>(block_names(spec) * (one_piece ? 1 : std::max<Slot>(1, shape_.cut.pieces())))) {
  constexpr Name few = Name{1} << 28;
  if (names_ <= few / static_cast<Name>(representatives_))
    received_.resize(names_ * static_cast<Name>(representatives_), false);
  else
    receipts_.resize(static_cast<std::size_t>(representatives_));
}

std::string Prover::block_text(Slot symbol, Slot piece) const {
  const std::string block = describe_block(spec_, symbol);
  return shape_.cut.pieces() > 1 && symbol != no_block ? fmt::format("piece {} of {}", piece, block) : block;
}

Slot Prover::mark_index(Buffer buffer, Slot slot) const {
  if (buffer == Buffer::in) return slot;
  return slot + tracked_slots(Buffer::in) + (buffer == Buffer::tmp ? tracked_slots(Buffer::out) : 0);
}

std::optional<Counterexample> Prover::run(const std::function<void(Round)>& progress) {
  for (Round t = 0; t < shape_.rounds; ++t) {
    if (auto wrong = round(t)) return wrong;
    if (progress) progress(t + 1);
  }
  return final_state();
}

Prover::Found Prover::round(Round t) {
  sent_messages_ = matched_messages_ = 0;
  for (Rank r = 0; r < representatives_; ++r)
    if (auto wrong = check_rank(t, r)) return wrong;
  if (sent_messages_ != matched_messages_) return unmatched_send(t);
  return {};
}

Prover::Found Prover::check_rank(Round t, Rank r) {
  messages_ = summary_.of(schedule_, t, r);
  if (messages_.empty()) return {};
  const Found wrong = check_messages(t, r);
  unmark(t, r);
  return wrong;
}

Prover::Found Prover::check_messages(Round t, Rank r) {
  for (const Summary::Message& m : messages_) {
    if (m.peer < 0 || m.peer >= spec_.topology->nodes())
      return Counterexample{
          What::shape, t, r,
          fmt::format("rank {} names peer {}, and there are {} ranks", r, m.peer, spec_.topology->nodes())};
    if (m.kind != Kind::send) continue;
    ++sent_messages_;
    if (auto wrong = mark(t, r, sends_.one(schedule_, t, r, Kind::send, m.peer))) return wrong;
  }
  // All reads are marked before the first write: a slot that is read in this round still holds what it held.
  for (const Summary::Message& m : messages_) {
    if (m.kind != Kind::recv) continue;
    ++matched_messages_;
    if (auto wrong = receive(t, r, m)) return wrong;
  }
  return {};
}

Prover::Found Prover::check_segment(Round t, Rank r, const Transfer& x) const {
  const auto refuse = [&](const std::string& why) -> Found {
    return Counterexample{
        What::shape, t, r,
        fmt::format("rank {} {} slots {} .. {} of {}: {}", r, x.kind == Kind::send ? "sends" : "receives into",
                    x.slots.first, x.slots.last(), name(x.buffer), why)};
  };
  const bool single = x.slots.size == 1;  // lists of single slots are long: no division for them
  if (x.slots.first < 0 || x.slots.run < 1 || (!single && x.slots.size > x.slots.run && x.slots.stride < x.slots.run) ||
      (single ? x.slots.first : x.slots.last()) >= shape_.slots(x.buffer))
    return refuse(fmt::format("the buffer has {} slots", shape_.slots(x.buffer)));
  if (x.kind == Kind::recv && x.buffer == Buffer::in) return refuse("input is read only");
  if (x.buffer == Buffer::tmp ? !has_scratch(spec_, r) : blocks(spec_, x.buffer, r) == 0)
    return refuse("this rank has no such buffer");
  return {};
}

Prover::Found Prover::mark(Round t, Rank r, const std::vector<Transfer>& segments) {
  for (const Transfer& x : segments) {
    const bool writing = x.kind == Kind::recv;
    if (auto wrong = check_segment(t, r, x)) return wrong;
    if (skips(x)) continue;
    meter_.spend(x.slots.size);
    Found wrong;
    for_each_slot(x.slots, [&](Slot slot) {
      const Slot at = mark_index(x.buffer, slot);
      if (!wrong && (writes_.test(at) || (writing && reads_.test(at))))
        wrong = {What::race, t, r,
                 fmt::format("rank {} {} slot {} of {}, which it also {} in this round", r,
                             writing ? "receives into" : "sends", slot, name(x.buffer),
                             writes_.test(at) ? "receives into" : "sends")};
      (writing ? writes_ : reads_).set(at);
    });
    if (wrong) return wrong;
  }
  return {};
}

void Prover::unmark(Round t, Rank r) {
  Slot marked = 0;
  for (const Summary::Message& m : messages_) marked += m.slots;
  if (marked > reads_.words()) {  // cheaper than to visit the slots again
    reads_.clear_all();
    writes_.clear_all();
    return;
  }
  for (const Summary::Message& m : messages_) {
    if (m.peer < 0 || m.peer >= spec_.topology->nodes()) continue;
    for (const Transfer& x : sends_.one(schedule_, t, r, m.kind, m.peer)) {
      if (check_segment(t, r, x) || skips(x)) continue;
      for_each_slot(x.slots, [&](Slot slot) {
        reads_.clear(mark_index(x.buffer, slot));
        writes_.clear(mark_index(x.buffer, slot));
      });
    }
  }
}

Prover::Found Prover::receive(Round t, Rank r, const Summary::Message& message) {
  const auto& landed = recvs_.one(schedule_, t, r, Kind::recv, message.peer);
  if (auto wrong = mark(t, r, landed)) return wrong;
  const auto& sent = sends_.one(schedule_, t, message.peer, Kind::send, r);
  Slot length = 0;
  for (const Transfer& x : sent) {
    if (auto wrong = check_segment(t, message.peer, x)) return wrong;
    length += x.slots.size;
  }
  if (length == 0)
    return Counterexample{
        What::matching, t, r,
        fmt::format("rank {} waits for a message from rank {} that is not sent in round {}: without buffering "
                    "both wait for ever",
                    r, message.peer, t)};
  if (length != message.slots)
    return Counterexample{
        What::matching, t, r,
        fmt::format("rank {} expects {} slots from rank {}, which sends {}", r, message.slots, message.peer, length)};
  if (!one_piece_) return deliver(t, r, message.peer, sent, landed);
  sent_ = sent;
  landed_ = landed;
  if (auto wrong = keep_one_piece(t, r, sent_, landed_)) return wrong;
  return deliver(t, r, message.peer, sent_, landed_);
}

Prover::Found Prover::keep_one_piece(Round t, Rank r, std::vector<Transfer>& sent,
                                     std::vector<Transfer>& landed) const {
  const auto pieces = [this](const std::vector<Transfer>& list) {
    std::vector<std::pair<Slot, Slot>> runs;  // piece, slots of it in a row
    for (const Transfer& x : list) {
      const Slot piece = schedule_.piece(x.buffer, x.slots.first);
      if (runs.empty() || runs.back().first != piece) runs.emplace_back(piece, 0);
      runs.back().second += x.slots.size;
    }
    return runs;
  };
  const auto straddles = [this](const Transfer& x) {
    return schedule_.piece(x.buffer, x.slots.first) != schedule_.piece(x.buffer, x.slots.last());
  };
  if (pieces(sent) != pieces(landed) || std::any_of(sent.begin(), sent.end(), straddles) ||
      std::any_of(landed.begin(), landed.end(), straddles))
    return Counterexample{What::shape, t, r,
                          fmt::format("rank {} receives pieces in another order than they are sent", r)};
  std::erase_if(sent, [this](const Transfer& x) { return skips(x); });
  std::erase_if(landed, [this](const Transfer& x) { return skips(x); });
  return {};
}

Prover::Found Prover::deliver(Round t, Rank r, Rank from, const std::vector<Transfer>& sent,
                              const std::vector<Transfer>& landed) {
  const Slot pieces = shape_.cut.pieces();
  std::size_t segment = sent.size();
  Contents::View view;
  SlotCursor target(landed);
  for (SlotCursor source(sent); !source.done(); source.next(), target.next()) {
    const Buffer from_buffer = source.transfer().buffer, to_buffer = target.transfer().buffer;
    if (source.segment() != segment) segment = source.segment(), view = contents_.view(t, from, source.transfer());
    const Slot piece = source.slot() / view.blocks;
    if (piece != target.slot() / shape_.blocks(to_buffer))
      return Counterexample{
          What::shape, t, r,
          fmt::format(
              "slot {} of {} at rank {} is piece {} and lands in slot {} of {} at rank {}, which is another piece",
              source.slot(), name(from_buffer), from, piece, target.slot(), name(to_buffer), r)};
    const Slot symbol = contents_.read(view, source.slot());
    if (symbol == no_block)
      return Counterexample{What::possession, t, from,
                            fmt::format("rank {} sends slot {} of {} to rank {} and holds nothing there", from,
                                        source.slot(), name(from_buffer), r)};
    contents_.write(r, to_buffer, target.slot(), symbol);
    if (from != r) {
      ++deliveries_;
      note_receipt(t, r, static_cast<Name>(symbol * (one_piece_ ? 1 : pieces) + piece));
    }
  }
  return {};
}

Prover::Found Prover::unmatched_send(Round t) {
  for (Rank r = 0; r < representatives_; ++r)
    for (const Summary::Message& m : std::vector<Summary::Message>(summary_.of(schedule_, t, r))) {
      if (m.kind != Kind::send) continue;
      bool expected = false;
      for (const Summary::Message& o : other_summary_.of(schedule_, t, m.peer))
        expected = expected || (o.kind == Kind::recv && o.peer == r);
      if (!expected)
        return Counterexample{
            What::matching, t, r,
            fmt::format("rank {} sends to rank {}, which does not receive from it in round {}: without "
                        "buffering the sender waits for ever",
                        r, m.peer, t)};
    }
  return Counterexample{What::symmetry, t, 0,
                        fmt::format("sends and receives of round {} do not balance over the ranks", t)};
}

Prover::Found Prover::final_state() const {
  const Slot pieces = one_piece_ ? std::min<Slot>(1, shape_.cut.pieces()) : shape_.cut.pieces();
  for (Rank r = 0; r < representatives_; ++r) {
    if (blocks(spec_, Buffer::out, r) == 0) continue;
    for (Slot s = 0; s < shape_.out * pieces; ++s) {
      const Slot piece = s / shape_.out;
      const Slot index = schedule_.block(Buffer::out, s % shape_.out, piece);
      const Slot wanted = wanted_after(spec_, r, index), held = contents_.held(r, Buffer::out, s);
      if (held == wanted) continue;
      return Counterexample{What::delivery, -1, r,
                            fmt::format("rank {} ends with {} at index {} of out and must have {}", r,
                                        block_text(held, piece), index, block_text(wanted, piece))};
    }
  }
  return {};
}

namespace {

/// The names that occur more than once, each as often as it occurs after the first time. Two passes over bit maps leave
/// only a few names to sort: sorting ten million of them would take longer than the whole proof.
std::vector<std::uint64_t> repeated(const std::deque<std::uint64_t>& names) {
  const std::uint64_t mask = std::bit_ceil(std::max<std::uint64_t>(64, 8 * names.size())) - 1;
  std::vector<bool> seen(mask + 1, false), again(mask + 1, false);
  const auto hash = [mask](std::uint64_t x) {
    x *= 0x9E3779B97F4A7C15ULL;
    return (x ^ (x >> 29)) & mask;
  };
  for (const std::uint64_t name : names) {
    const std::uint64_t h = hash(name);
    if (seen[h])
      again[h] = true;
    else
      seen[h] = true;
  }
  std::vector<std::uint64_t> suspects, result;
  for (const std::uint64_t name : names)
    if (again[hash(name)]) suspects.push_back(name);
  std::sort(suspects.begin(), suspects.end());
  for (std::size_t i = 1; i < suspects.size(); ++i)
    if (suspects[i] == suspects[i - 1]) result.push_back(suspects[i]);
  return result;
}

}  // namespace

void Prover::note_receipt(Round t, Rank r, Name name) {
  if (watched_ == std::pair(r, name)) watched_rounds_.push_back(t);
  if (received_.empty()) {
    receipts_[static_cast<std::size_t>(r)].push_back(name);
    return;
  }
  auto bit = received_[static_cast<Name>(r) * names_ + name];
  if (bit) {
    ++duplicates_;
    if (!first_twin_) first_twin_ = {r, name};
  }
  bit = true;
}

std::optional<Counterexample> Prover::duplicate() {
  for (std::size_t r = 0; r < receipts_.size(); ++r) {
    const std::vector<Name> twins = repeated(receipts_[r]);
    duplicates_ += static_cast<std::int64_t>(twins.size());
    if (!first_twin_ && !twins.empty()) first_twin_ = {static_cast<Rank>(r), twins.front()};
  }
  if (!first_twin_) return {};
  return describe_duplicate(first_twin_->first, first_twin_->second);
}

std::vector<Round> Prover::rounds_of(Rank r, Name name) const {
  Prover again(spec_, schedule_, group_, one_piece_, meter_);
  again.watched_ = {r, name};
  again.run();
  return again.watched_rounds_;
}

Counterexample Prover::describe_duplicate(Rank r, Name name) const {
  const std::vector<Round> rounds = rounds_of(r, name);
  const Slot pieces = one_piece_ ? 1 : shape_.cut.pieces();
  const auto name_of = static_cast<Slot>(name);
  return {What::duplicate, rounds.at(1), r,
          fmt::format("rank {} receives {} in round {} and again in round {}", r,
                      block_text(name_of / pieces, name_of % pieces), rounds[0], rounds[1])};
}

}  // namespace quadrille
