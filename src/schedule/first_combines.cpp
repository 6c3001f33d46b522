#include "schedule/first_combines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/dual.hpp"

namespace quadrille::schedule {

FirstCombines::FirstCombines(const Schedule& base, Rank turned)
    : base_(base),
      turned_(turned),
      slots_(base.shape().slots(Buffer::out)),
      in_order_(keeps_order(base.shape().ranks, slots_)) {
  group_ = in_order_ ? Group::none : base.symmetry().group;
  const Rank kept = group_ == Group::none ? base.shape().ranks : std::min<Rank>(base.shape().ranks, 2);
  constexpr std::int64_t most = std::int64_t{1} << 27;
  if (base::checked_multiply(kept, slots_, "slots") > most)
    throw Error(Error::Kind::budget,
                fmt::format("a reduction with {} slots at each of {} ranks is too large; use larger packets or fewer "
                            "ranks",
                            slots_, kept));
  sends_.resize(static_cast<std::size_t>(kept * slots_));
  own_.resize(static_cast<std::size_t>(kept * pieces()));
  Collected list;
  for (Rank r = 0; r < kept; ++r) {
    const Schedule::Rounds rounds = base.active(r);
    for (Round t = rounds.first; t < rounds.end; ++t)
      for (const Transfer& x : list.all(base, t, r)) note(t, r, x);
  }
}

void FirstCombines::note(Round t, Rank r, const Transfer& x) {
  if (x.buffer != Buffer::out || x.peer == r)
    throw Error(Error::Kind::illegal, "a schedule that rearranges blocks cannot be run backwards as a reduction");
  if (x.kind != Kind::send) return;
  for_each_slot(x.slots, [&](Slot s) {
    Message& m = sends_[static_cast<std::size_t>(r * slots_ + s)];
    const auto round = static_cast<std::uint32_t>(t + 1);
    const Message sent{round, static_cast<std::uint32_t>(x.peer)};
    if (m.round < round || sooner(r, sent, m)) m = sent;
    if (base_.block(Buffer::out, s % base_.shape().out, s / base_.shape().out) != r) return;
    Message& own = own_[static_cast<std::size_t>(r * pieces() + s / base_.shape().out)];
    if (own.round == 0 || sooner(r, sent, own)) own = sent;
  });
}
bool FirstCombines::before(Rank self, Rank a, Rank b) const {
  self ^= turned_, a ^= turned_, b ^= turned_;
  if ((a < self) != (b < self)) return a < self;
  return a < self ? a > b : a < b;
}

FirstCombines::View::View(const FirstCombines& all, Round t, Rank r, const Transfer& segment)
    : all_(all), zero_(all.group_ == Group::none ? r : representative_rank(r, all.group_)) {
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
  return all_.sends_[static_cast<std::size_t>(zero_ * all_.slots_ + slot)];
}

bool keeps_order(Rank ranks, Slot slots) { return slots <= (Slot{1} << 22) / std::max<Rank>(1, ranks); }

}  // namespace quadrille::schedule
