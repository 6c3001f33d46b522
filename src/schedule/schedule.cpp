#include "quadrille/schedule.hpp"

#include <algorithm>

#include "base/integer.hpp"

namespace quadrille {

namespace {

/// Where piece `i` of `pieces` nearly equal ones starts, larger pieces first.
Bytes even_offset(Bytes bytes, Slot pieces, Slot i) { return i * (bytes / pieces) + std::min(i, bytes % pieces); }

}  // namespace

std::string_view to_string(Buffer buffer) {
  return buffer == Buffer::in ? "in" : buffer == Buffer::out ? "out" : "tmp";
}

Slot Cut::pieces() const {
  if (edges) return std::ssize(*edges) - 1;
  return packet_bytes > 0 ? base::ceil_div(bytes, packet_bytes) : parts * packets;
}

Bytes Cut::offset(Slot piece) const {
  if (edges) return (*edges)[static_cast<std::size_t>(piece)];
  if (packet_bytes > 0) return std::min(piece * packet_bytes, bytes);
  const Bytes units = unit == 1 ? bytes : bytes / unit;
  const Slot part = piece / packets;
  const Bytes start = even_offset(units, parts, part);
  if (piece % packets == 0) return start * unit;
  return (start + even_offset(even_offset(units, parts, part + 1) - start, packets, piece % packets)) * unit;
}

Bytes Shape::block_offset(Buffer b, Slot label) const {
  return uneven(b) ? (*offsets)[static_cast<std::size_t>(label)] : label * cut.bytes;
}

Bytes Shape::piece_offset(Buffer b, Slot label, Slot piece) const {
  if (!uneven(b)) return cut.offset(piece);
  Cut own = cut;
  own.bytes = block_offset(b, label + 1) - block_offset(b, label);
  return own.offset(piece);
}

const std::vector<Transfer>& Collected::all(const Schedule& schedule, Round t, Rank r) {
  everything_ = true;
  transfers_.clear();
  schedule.step(t, r, *this);
  return transfers_;
}

const std::vector<Transfer>& Collected::one(const Schedule& schedule, Round t, Rank r, Kind kind, Rank peer) {
  everything_ = false;
  kind_ = kind;
  peer_ = peer;
  transfers_.clear();
  schedule.step(t, r, *this);
  return transfers_;
}

const std::vector<Summary::Message>& Summary::of(const Schedule& schedule, Round t, Rank r) {
  schedule_ = &schedule;
  messages_.clear();
  if (!places_.empty()) places_.clear();  // which takes as long as it has ever been large
  schedule.step(t, r, *this);
  return messages_;
}

namespace {

/// Blocks cut in pieces lie apart in in and out, whose blocks are whole in memory.
bool lie_apart(const Shape& shape, Buffer buffer) {
  return buffer != Buffer::tmp && shape.blocks(buffer) > 1 && shape.cut.pieces() > 1;
}

/// Stretches of memory in a segment.
Slot runs_of(const Shape& shape, const Transfer& x) {
  const Slots& s = x.slots;
  if (s.size == 1) return 1;
  const bool of_one_block = s.run == 1 && s.stride == shape.blocks(x.buffer);  // piece after piece
  if (lie_apart(shape, x.buffer)) return of_one_block ? 1 : s.size;
  return s.run >= s.size || s.stride == s.run ? 1 : base::ceil_div(s.size, s.run);
}

/// Bytes of single pieces of blocks that differ in length.
Bytes uneven_pieces(const Shape& shape, Buffer buffer, const Slots& slots) {
  const Slot blocks = shape.blocks(buffer);
  if (slots.first < 0 || slots.last() >= shape.slots(buffer)) return 0;
  Bytes total = 0;
  for_each_slot(slots, [&](Slot slot) {
    const Slot label = slot % blocks, piece = slot / blocks;
    total += shape.piece_offset(buffer, label, piece + 1) - shape.piece_offset(buffer, label, piece);
  });
  return total;
}

Bytes uneven_bytes(const std::vector<Bytes>& offsets, const Slots& slots) {
  const auto at = [&](Slot i) { return offsets[static_cast<std::size_t>(i)]; };
  if (slots.first < 0 || slots.last() >= static_cast<Slot>(offsets.size()) - 1) return 0;
  Bytes total = 0;
  for (Slot done = 0; done < slots.size; done += slots.run) {
    const Slot first = slots[done];
    total += at(first + std::min(slots.run, slots.size - done)) - at(first);
  }
  return total;
}

/// Of runs of pieces of a block in equal parts: as many units each, and one more of those that come first.
Bytes bytes_of_runs(const Cut& cut, const Slots& slots) {
  const Bytes units = cut.bytes / cut.unit, larger = units % cut.parts;
  const Slot before = std::max<Slot>(0, larger - slots.first), runs = before / slots.stride;
  const Slot with_more = runs * slots.run + std::min(before - runs * slots.stride, slots.run);
  return (slots.size * (units / cut.parts) + std::min(with_more, slots.size)) * cut.unit;
}

/// Of pieces of one block.
Bytes bytes_of_pieces(const Cut& cut, const Slots& slots) {
  if (slots.stride >= slots.run && cut.packets == 1 && cut.packet_bytes == 0 && !cut.edges)
    return bytes_of_runs(cut, slots);
  Bytes total = 0;
  for (Slot i = 0; i < slots.size; i += slots.run)
    total += cut.offset(slots[i] + std::min(slots.run, slots.size - i)) - cut.offset(slots[i]);
  return total;
}

Bytes bytes_of(const Shape& s, Buffer buffer, const Slots& slots) {
  if (s.uneven(buffer)) return s.cut.pieces() > 1 ? uneven_pieces(s, buffer, slots) : uneven_bytes(*s.offsets, slots);
  const Cut& cut = s.cut;
  const Slot blocks = s.blocks(buffer), end = slots.last();
  const bool whole = cut.parts == 1 && cut.packets == 1 && cut.packet_bytes == 0 && !cut.edges;
  if (slots.first < 0 || end >= (whole ? blocks : s.slots(buffer))) return 0;
  if (whole) return slots.size * cut.bytes;  // lists of single slots are long: no division for them
  const Slot first = slots.first / blocks;
  const Slot last = end / blocks;
  if (first == last) return slots.size * cut.size(first);
  if (blocks == 1) return bytes_of_pieces(cut, slots);
  if (slots.run == 1 && slots.stride == blocks) return cut.offset(last + 1) - cut.offset(first);  // pieces of one block
  Bytes total = 0;
  Slot base = slots.first;
  for (Slot left = slots.size; left > 0; base += slots.stride)
    for (Slot at = base, end_of_run = base + std::min(slots.run, left); at < end_of_run;) {
      const Slot piece = at / blocks, alike = std::min(end_of_run, (piece + 1) * blocks) - at;
      total += alike * cut.size(piece);
      at += alike, left -= alike;
    }
  return total;
}

}  // namespace

/// A few messages are sooner looked through than looked up.
Summary::Message* Summary::find(Kind kind, Rank peer) {
  constexpr std::size_t few = 32;
  if (messages_.size() <= few) {
    const auto m = std::find_if(messages_.rbegin(), messages_.rend(),
                                [&](const Message& one) { return one.kind == kind && one.peer == peer; });
    return m == messages_.rend() ? nullptr : &*m;
  }
  const auto key = [](Kind k, Rank r) { return static_cast<std::uint64_t>(r) * 2 + (k == Kind::send ? 1 : 0); };
  for (std::size_t i = places_.size(); i < messages_.size(); ++i)
    places_.emplace(key(messages_[i].kind, messages_[i].peer), i);
  const auto found = places_.find(key(kind, peer));
  return found == places_.end() ? nullptr : &messages_[found->second];
}

void Summary::add(const Transfer& x) {
  if (x.slots.size <= 0) return;
  const Shape& shape = schedule_->shape();
  const Bytes bytes = bytes_of(shape, x.buffer, x.slots);
  const Bytes combined = x.combine.combines() ? bytes : 0;
  const Slot runs = runs_of(shape, x);
  Message* const m = find(x.kind, x.peer);
  if (m == nullptr) return messages_.push_back({x.kind, x.peer, x.slots.size, bytes, runs, combined, x});
  m->combined += combined;
  if (x.combine.again) return;  // nothing more arrives for it
  const bool joined = m->runs == 1 && runs == 1 && m->last.buffer == x.buffer &&
                      m->last.slots.last() + 1 == x.slots.first && !lie_apart(shape, x.buffer);
  m->slots += x.slots.size;
  m->bytes += bytes;
  m->runs += runs - joined;
  m->last = x;
}

Slot Schedule::twist(Round, Buffer buffer, Slot, Rank by) const {
  return buffer != Buffer::tmp && shape().blocks(buffer) == shape().ranks ? by : 0;
}

Bytes Schedule::bytes(Buffer buffer, const Slots& slots) const { return bytes_of(shape(), buffer, slots); }

}  // namespace quadrille
