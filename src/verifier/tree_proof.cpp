#include "verifier/tree_proof.hpp"

#include <limits>

#include "base/integer.hpp"

namespace quadrille::verifier {

void Structure::land(Delivery& d, const Transfer& segment) {
  for (Slot left = segment.slots.size; left > 0 && !d.target.done();) left -= d.target.skip(left);
  if (d.from != d.to) deliveries_ += segment.slots.size;
}

TreeProof::Need TreeProof::Needs::get(Slot s) const {
  const Slot word = names_.get(s);
  if (word == no_block) return {};
  return {word / 2, word % 2 != 0, depths_[static_cast<std::size_t>(s)]};
}

void TreeProof::Needs::set(Slot s, const Need& need) {
  names_.set(s, need.name == no_block ? no_block : 2 * need.name + (need.whole ? 1 : 0));
  depths_[static_cast<std::size_t>(s)] = static_cast<std::uint16_t>(need.depth);
}

TreeProof::TreeProof(const Spec& spec, const Schedule& schedule, Group group, bool one_piece)
    : spec_(spec),
      schedule_(schedule),
      shape_(schedule.shape()),
      group_(group),
      one_piece_(one_piece),
      representatives_(traffic::representatives(group, spec.topology->nodes())) {
  needs_.reserve(static_cast<std::size_t>(3 * representatives_));
  for (Rank r = 0; r < representatives_; ++r)
    for (const Buffer b : {Buffer::in, Buffer::out, Buffer::tmp})
      needs_.emplace_back(one_piece ? shape_.blocks(b) : shape_.slots(b));
}

bool TreeProof::run() {
  if (spec_.ranks() < 2 || shape_.in != shape_.out) return false;
  begin();
  for (Round t = shape_.rounds - 1; t >= 0 && tree_; --t)
    if (!round(t)) return false;
  return tree_ && ends_well();
}

void TreeProof::begin() {
  const Slot pieces = one_piece_ ? 1 : shape_.cut.pieces();
  for (Rank r = 0; r < representatives_; ++r) {
    if (blocks(spec_, Buffer::out, r) == 0) continue;
    for (Slot s = 0; s < shape_.out * pieces; ++s) {
      const Contributions wanted =
          wanted_contributions(spec_, r, schedule_.block(Buffer::out, s % shape_.out, s / shape_.out));
      // Names are slots of `in`: there and in `out` they must mean the same part of the vector.
      const Slot label = s % shape_.out, piece = s / shape_.out;
      if (schedule_.block(Buffer::in, label, piece) != schedule_.block(Buffer::out, label, piece)) tree_ = false;
      if (wanted.none()) continue;
      if (wanted != Contributions{0, spec_.ranks()}) tree_ = false;
      needs(r, Buffer::out).set(s, {s, true, 0});
    }
  }
}

bool TreeProof::round(Round t) {
  updates_.clear();
  for (Rank r = 0; r < representatives_; ++r) {
    collect_landings(t, r);
    // Later combines of a round go on with what the earlier ones have made.
    for (auto landing = landings_.rbegin(); landing != landings_.rend(); ++landing) look_back(t, r, *landing);
  }
  for (const Update& u : updates_)
    if (!apply(u)) return false;
  return tree_;
}

/// Everything that rank r receives, slot by slot.
void TreeProof::collect_landings(Round t, Rank r) {
  landings_.clear();
  for (const Summary::Message& m : summary_.of(schedule_, t, r)) {
    if (m.kind != Kind::recv) continue;
    SlotCursor target(list_.one(schedule_, t, r, Kind::recv, m.peer));
    for (const Transfer& x : sends_.one(schedule_, t, m.peer, Kind::send, r))
      for_each_slot(x.slots, [&](Slot slot) {
        if (target.done()) return;
        const Slot index = target.index();
        if (!skips(x.buffer, slot))
          target.each_use([&](const Transfer& use) {
            landings_.push_back(
                {m.peer, x.buffer, slot, use.buffer, use.slots[index], use.combine, use.operand()[index]});
          });
        target.next();
      });
  }
}

/// What a slot must hold after a receive, its sender's slot or the operand must hold before.
void TreeProof::look_back(Round t, Rank r, const Landing& l) {
  Need n = needs(r, l.to_buffer).get(l.to);
  if (n.name == no_block) return;
  needs(r, l.to_buffer).set(l.to, {});
  if (l.combine.combines()) {
    n.whole = false, ++n.depth;
    if (!apply({r, l.combine.buffer, l.operand, n})) tree_ = false;
  }
  const Rank zero = representative_rank(l.peer, group_);
  const bool by_xor = group_ == Group::xor_all || group_ == Group::xor_even;
  const Rank by = by_xor ? l.peer ^ zero : l.peer - zero;
  if (by != 0) n.name = turned_back(t, Buffer::in, n.name, by);
  updates_.push_back({zero, l.from_buffer, by == 0 ? l.from : turned_back(t, l.from_buffer, l.from, by), n});
}

/// Several combines of a round go on in one slot: it needs the rest once.
bool TreeProof::apply(const Update& u) {
  const Need now = needs(u.rank, u.buffer).get(u.slot);
  if (u.need.depth > std::numeric_limits<std::uint16_t>::max()) return false;
  Need next = u.need;
  if (now.name != no_block) {
    if (now.name != next.name || !now.whole || !next.whole) return false;
    next.depth = std::max(next.depth, now.depth);
  }
  needs(u.rank, u.buffer).set(u.slot, next);
  if (u.buffer == Buffer::in) depth_ = std::max(depth_, next.depth);
  return true;
}

bool TreeProof::ends_well() const {
  const auto tracked = [this](Buffer b) { return one_piece_ ? shape_.blocks(b) : shape_.slots(b); };
  for (Rank r = 0; r < representatives_; ++r) {
    for (const Buffer b : {Buffer::out, Buffer::tmp})
      for (Slot s = 0; s < tracked(b); ++s)
        if (needs(r, b).get(s).name != no_block) return false;
    for (Slot s = 0; s < tracked(Buffer::in); ++s) {
      const Need n = needs(r, Buffer::in).get(s);
      const bool empty = schedule_.bytes(Buffer::in, contiguous(s, 1)) == 0;
      if (n.name == no_block ? !empty : n.name != s || n.whole) return false;
    }
  }
  return true;
}

Slot TreeProof::turned_back(Round t, Buffer buffer, Slot slot, Rank by) const {
  const Slot twist = schedule_.twist(t, buffer, slot, by);
  if (group_ == Group::xor_all || group_ == Group::xor_even) return slot ^ twist;
  const Slot blocks = shape_.blocks(buffer), label = slot % blocks;
  return slot - label + base::wrap(label - twist, blocks);
}

}  // namespace quadrille::verifier
