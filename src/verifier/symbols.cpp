#include "verifier/symbols.hpp"

#include "base/integer.hpp"
#include "traffic/traffic.hpp"

namespace quadrille::verifier {

Contents::Contents(const Spec& spec, const Schedule& schedule, Group group, bool one_piece)
    : spec_(spec), schedule_(schedule), group_(group), one_piece_(one_piece) {
  const Shape& shape = schedule.shape();
  const Slot pieces = one_piece ? std::min<Slot>(1, shape.cut.pieces()) : shape.cut.pieces();
  out_slots_ = shape.out * pieces;
  tmp_slots_ = shape.tmp * pieces;
  const Rank stored = traffic::representatives(group, spec.topology->nodes());
  arrays_.reserve(static_cast<std::size_t>(2 * stored));
  for (Rank r = 0; r < stored; ++r) {
    const Slot present = blocks(spec, Buffer::out, r) > 0 ? out_slots_ : 0;
    arrays_.emplace_back(present);
    arrays_.emplace_back(has_scratch(spec, r) ? tmp_slots_ : 0);
    for (Slot s = 0; s < present; ++s) {
      const Slot held = held_before(spec, Buffer::out, r, schedule.block(Buffer::out, s % shape.out, s / shape.out));
      if (held != no_block) write(r, Buffer::out, s, held);
    }
  }
}

void Contents::look(Round t, Rank owner, const Transfer& segment, View& v) const {
  if (v.owner != owner || v.buffer != segment.buffer) v = view(owner, segment.buffer);
  if (v.turned) v.twist = schedule_.twist(t, segment.buffer, segment.slots.first, v.by);
}

Contents::View Contents::view(Rank owner, Buffer buffer) const {
  View v;
  v.owner = owner;
  v.buffer = buffer;
  v.blocks = schedule_.shape().blocks(buffer);
  if (buffer == Buffer::in) return v;
  v.stored_at = representative_rank(owner, group_);
  v.turned = owner != v.stored_at;
  v.by_xor = group_ == Group::xor_all || group_ == Group::xor_even;
  v.by = v.by_xor ? owner ^ v.stored_at : owner - v.stored_at;
  v.array = &arrays_[index(v.stored_at, buffer)];
  if (v.by_xor) v.symbol_mask = renamed_block(spec_, group_, 0, v.by);
  return v;
}

Slot Contents::read(const View& v, Slot slot) const {
  if (v.buffer == Buffer::in)
    return held_before(spec_, Buffer::in, v.owner, schedule_.block(Buffer::in, slot % v.blocks, slot / v.blocks));
  if (!v.turned) return v.array->get(slot);
  if (v.by_xor) {  // renaming by xor renames packed pairs by xor, too: ranks are a power of two
    const Slot symbol = v.array->get(slot ^ v.twist);
    return symbol == no_block ? no_block : symbol ^ v.symbol_mask;
  }
  const Slot label = slot % v.blocks;
  return renamed_block(spec_, group_, v.array->get(slot - label + base::wrap(label - v.twist, v.blocks)), v.by);
}

}  // namespace quadrille::verifier
