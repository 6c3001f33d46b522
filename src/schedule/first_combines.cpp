#include "schedule/first_combines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/dual.hpp"
#include "schedule/vector.hpp"

namespace quadrille::schedule {

namespace {

bool is_named_as_ranks(const Schedule& base) {
  for (Slot slot = 0; slot < base.shape().slots(Buffer::out); ++slot)
    if (base.block(Buffer::out, slot % base.shape().out, slot / base.shape().out) != slot % base.shape().out)
      return false;
  return true;
}

}  // namespace

FirstCombines::FirstCombines(const Schedule& base, Rank turned, Slot filled, bool own_blocks)
    : base_(base),
      turned_(turned),
      slots_(base.shape().slots(Buffer::out)),
      in_order_(keeps_order(base.shape().ranks, slots_)),
      own_blocks_(own_blocks) {
  group_ = in_order_ ? Group::none : base.symmetry().group;
  kept_ = group_ == Group::none ? base.shape().ranks : std::min<Rank>(base.shape().ranks, 2);
  kept_slots_ = group_ == Group::none ? std::min(slots_, filled) : slots_;
  constexpr std::int64_t most = std::int64_t{1} << 27, few = 1 << 22;
  if (base::checked_multiply(kept_, kept_slots_, "slots") > most)
    throw Error(Error::Kind::budget,
                fmt::format("a reduction with {} slots at each of {} ranks is too large; use larger packets or fewer "
                            "ranks",
                            kept_slots_, kept_));
  named_as_ranks_ = own_blocks_ && is_named_as_ranks(base_);
  rows_ = std::make_unique<Row[]>(static_cast<std::size_t>(kept_));
  if (kept_ * kept_slots_ > few) return;
  for (Rank r = 0; r < kept_; ++r) known(r);
}

const FirstCombines::Row& FirstCombines::known(Rank kept) const {
  Row& row = rows_[static_cast<std::size_t>(kept)];
  std::call_once(row.once, [&] {
    started_ = true;
    find(kept, row);
  });
  return row;
}

void FirstCombines::find(Rank r, Row& row) const {
  row.sends.resize(static_cast<std::size_t>(kept_slots_));
  if (own_blocks_) row.own.resize(static_cast<std::size_t>(pieces()));
  Collected list;
  const Schedule::Rounds rounds = base_.active(r);
  for (Round t = rounds.first; t < rounds.end; ++t)
    for (const Transfer& x : list.all(base_, t, r)) note(t, r, x, row);
}

void FirstCombines::note(Round t, Rank r, const Transfer& x, Row& row) const {
  if (x.buffer != Buffer::out || x.peer == r)
    throw Error(Error::Kind::illegal, "a schedule that rearranges blocks cannot be run backwards as a reduction");
  if (x.kind != Kind::send) return;
  const Message sent{static_cast<std::uint32_t>(t + 1), static_cast<std::uint32_t>(x.peer)};
  for_each_slot(slots_before(x.slots, kept_slots_), [&](Slot s) {
    if (s >= kept_slots_) return;
    Message& m = row.sends[static_cast<std::size_t>(s)];
    if (m.round < sent.round || sooner(r, sent, m)) m = sent;
    if (!is_own(r, s)) return;
    Message& own = row.own[static_cast<std::size_t>(s / base_.shape().out)];
    if (own.round == 0 || sooner(r, sent, own)) own = sent;
  });
}

bool FirstCombines::before(Rank self, Rank a, Rank b) const {
  self ^= turned_, a ^= turned_, b ^= turned_;
  if ((a < self) != (b < self)) return a < self;
  return a < self ? a > b : a < b;
}

FirstCombines::View::View(const FirstCombines& all, Round t, Rank r, const Transfer& segment)
    : all_(all), zero_(all.kept_as(r)), row_(all.known(zero_)) {
  if (zero_ == r) return;
  by_ = all.group_ == Group::rotate ? r - zero_ : r ^ zero_;
  twist_ = all.base_.twist(t, Buffer::out, segment.slots.first, by_);
}

FirstCombines::Message FirstCombines::View::at(Slot slot) const {
  if (by_ != 0 && all_.group_ != Group::rotate) slot ^= twist_;
  if (by_ != 0 && all_.group_ == Group::rotate) {
    const Slot blocks = all_.base_.shape().out, label = slot % blocks;
    slot = slot - label + base::wrap(label - twist_, blocks);
  }
  return row_.sends[static_cast<std::size_t>(slot)];
}

bool FirstCombines::View::alike(Round t, const Transfer& segment) const {
  const Message* const sends = row_.sends.data();
  const Message sent{static_cast<std::uint32_t>(t + 1), static_cast<std::uint32_t>(segment.peer)};
  std::int64_t yes = 0;
  if (segment.kind == Kind::recv)
    for_each_slot(segment.slots, [&](Slot s) { yes += sends[s].round > 0; });
  else
    for_each_slot(segment.slots, [&](Slot s) { yes += sends[s] == sent; });
  return yes == 0 || yes == segment.slots.size;
}

bool keeps_order(Rank ranks, Slot slots) { return slots <= (Slot{1} << 22) / std::max<Rank>(1, ranks); }

}  // namespace quadrille::schedule
