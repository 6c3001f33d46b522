// Where slots of a phase lie in the whole schedule's buffers.
#include "schedule/lots.hpp"

#include <algorithm>
#include <span>

namespace quadrille::schedule {

namespace {

/// Bytes before a piece, in the vector or in its block. Scratch of another number of blocks than the vector has is no
/// part of one.
Bytes offset(const Phase& phase, Buffer buffer, Slot label, Slot piece) {
  const Shape& shape = phase.inner->shape();
  const bool apart = buffer == Buffer::tmp && shape.tmp != shape.out;
  const Bytes in_block = phase.unit * shape.piece_offset(buffer, label, piece);
  if (!phase.vector || apart) return in_block;
  return in_block + (phase.stride > 0 ? label * phase.stride : phase.unit * shape.block_offset(buffer, label));
}

/// The number by which the smaller collective knows a label; scratch is numbered as the results where it has as many.
Slot known_as(const Schedule& schedule, Buffer buffer, Slot label, Slot piece) {
  const Shape& shape = schedule.shape();
  if (buffer != Buffer::tmp) return schedule.block(buffer, label, piece);
  return shape.tmp == shape.out ? schedule.block(Buffer::out, label, piece) : label;
}

bool is_named_as_it_is(const Schedule& schedule) {
  const Shape& shape = schedule.shape();
  for (const Buffer buffer : {Buffer::in, Buffer::out})
    for (Slot label = 0; label < shape.blocks(buffer); ++label)
      for (Slot piece = 0; piece < shape.cut.pieces(); ++piece)
        if (schedule.block(buffer, label, piece) != label) return false;
  return true;
}

}  // namespace

Lots::Lots(const Phase& phase, const Shape& whole)
    : phase_(&phase), inner_(phase.inner->shape()), whole_(whole), named_as_it_is_(is_named_as_it_is(*phase.inner)) {
  if (whole_.cut.bytes > 0)
    pieces_a_byte_ = static_cast<double>(whole_.cut.pieces()) / static_cast<double>(whole_.cut.bytes);
}

void Lots::append_edges(const Phase& phase, Bytes bytes, std::vector<Bytes>& edges) {
  const Shape& shape = phase.inner->shape();
  for (const Buffer buffer : {Buffer::in, Buffer::out, Buffer::tmp})
    for (Slot label = 0; label < shape.blocks(buffer); ++label)
      for (Slot piece = 0; piece <= shape.cut.pieces(); ++piece)
        for (const Bytes base : phase.bases) {
          const Bytes edge = base + offset(phase, buffer, label, piece);
          if (edge < bytes) edges.push_back(edge);
        }
}

Bytes Lots::extent(const Phase& phase) {
  const Shape& shape = phase.inner->shape();
  Bytes end = 0;
  for (const Buffer buffer : {Buffer::in, Buffer::out, Buffer::tmp})
    if (const Slot blocks = shape.blocks(buffer); blocks > 0)
      end = std::max(end, offset(phase, buffer, blocks - 1, shape.cut.pieces()));
  return end;
}

Slot Lots::piece_at(Bytes edge) const {
  if (!whole_.cut.edges) return edge > 0 ? 1 : 0;
  const std::vector<Bytes>& edges = *whole_.cut.edges;
  // Most are as far apart as others: then it is where the share of the bytes says.
  const auto guess = static_cast<std::size_t>(static_cast<double>(edge) * pieces_a_byte_ + 0.5);
  if (guess < edges.size() && edges[guess] >= edge && (guess == 0 || edges[guess - 1] < edge))
    return static_cast<Slot>(guess);
  return std::lower_bound(edges.begin(), edges.end(), edge) - edges.begin();
}

bool Lots::is_joined(Buffer buffer) const {
  const bool apart = buffer == Buffer::tmp && inner_.tmp != inner_.out;
  return inner_.blocks(buffer) == 1 ||
         (phase_->vector && phase_->stride == 0 && inner_.cut.pieces() == 1 && named_as_it_is_ && !apart);
}

Lots::Stretch Lots::stretch_of(Buffer buffer, Slot first, Slot last) const {
  const Slot blocks = inner_.blocks(buffer);
  const Slot piece = first / blocks, end = last / blocks;
  const Slot label = known_as(*phase_->inner, buffer, first % blocks, piece);
  const Slot end_label = first == last ? label : known_as(*phase_->inner, buffer, last % blocks, end);
  return {label, offset(*phase_, buffer, label, piece), offset(*phase_, buffer, end_label, end + 1)};
}

void Lots::append_lot(const Lot& lot, Slot first, Slot end, std::vector<Part>& parts) const {
  const Slot blocks = whole_.blocks(lot.buffer);
  if (lot.count == 1 && blocks == 1) return parts.push_back({lot.buffer, contiguous(first, end - first)});
  if (lot.count == 1) return parts.push_back({lot.buffer, {first * blocks + lot.label, 1, blocks, end - first}});
  const Slot at = first * blocks + lot.label;
  parts.push_back({lot.buffer, lot.stride == 1 ? contiguous(at, lot.count) : Slots{at, 1, lot.stride, lot.count}});
}

void Lots::append(Rank r, Buffer buffer, const Slots& slots, std::vector<Part>& parts, std::vector<Lot>& lots) const {
  const Bytes bytes = whole_.cut.bytes;
  each_stretch(buffer, slots, [&](const Stretch& stretch) {
    lots.clear();
    const bool part = phase_->vector && (buffer != Buffer::tmp || inner_.tmp == inner_.out);
    phase_->place(r, buffer, part ? 0 : stretch.label, lots);
    if (phase_->vector) {
      const Bytes base = lots.front().base;
      const Slot first = piece_at(std::min(bytes, base + stretch.begin));
      const Slot end = piece_at(std::min(bytes, base + stretch.end));
      if (first < end) append_lot(lots.front(), first, end, parts);
      return;
    }
    const Slot first = piece_at(stretch.begin), end = piece_at(stretch.end);
    for (Slot piece = first; piece < end; ++piece)
      for (const Lot& lot : lots)
        if (lot.count > 0) append_lot(lot, piece, piece + 1, parts);
  });
}

void Placed::rename(const Transfer& x, Rank peer, std::vector<Transfer>& all) {
  parts_.clear(), operands_.clear(), all.clear();
  lots_.append(r_, x.buffer, x.slots, parts_, named_);
  Transfer part = x;
  part.peer = peer;
  const auto give = [&](const Lots::Part& to, const Slots& slots, const Lots::Part& operand, Slot with) {
    part.buffer = to.buffer, part.slots = slots;
    if (x.combine.combines()) part.combine.buffer = operand.buffer, part.combine.with = with;
    all.push_back(part);
  };
  if (!x.combine.combines()) {
    for (const Lots::Part& p : parts_) give(p, p.slots, p, 0);
    return;
  }
  lots_.append(r_, x.combine.buffer, x.operand(), operands_, named_);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Lots::Part &to = parts_[i], &operand = operands_[i];
    const Slots &a = to.slots, &b = operand.slots;
    if (a.run == b.run && a.stride == b.stride)
      give(to, a, operand, b.first);
    else
      for (Slot j = 0; j < a.size; ++j) give(to, contiguous(a[j], 1), operand, b[j]);
  }
}

void Placed::add(const Transfer& x, Rank peer) {
  if (!x.combine.again) flush();
  if (waiting_ == alike_.size()) alike_.emplace_back();
  rename(x, peer, alike_[waiting_++]);
}

/// Slot by slot, unless all of them are divided alike already: operands may lie in another rhythm than results.
void Placed::divide_alike() {
  const std::span<std::vector<Transfer>> waiting(alike_.data(), waiting_);
  const auto alike = [&](const std::vector<Transfer>& segments) {
    return std::equal(segments.begin(), segments.end(), waiting.front().begin(), waiting.front().end(),
                      [](const Transfer& a, const Transfer& b) { return a.slots.size == b.slots.size; });
  };
  if (std::all_of(waiting.begin(), waiting.end(), alike)) return;
  for (std::vector<Transfer>& segments : waiting) {
    std::vector<Transfer> single;
    for (const Transfer& x : segments)
      for (Slot i = 0; i < x.slots.size; ++i) {
        single.push_back(x);
        single.back().slots = contiguous(x.slots[i], 1);
        single.back().combine.with = x.operand()[i];
      }
    segments = std::move(single);
  }
}

/// A segment that takes the same again comes right behind the one that took it first.
void Placed::flush() {
  if (waiting_ > 1) divide_alike();
  for (std::size_t i = 0; waiting_ > 0 && i < alike_.front().size(); ++i)
    for (std::size_t j = 0; j < waiting_; ++j) hand_on(alike_[j][i], waiting_ == 1);
  waiting_ = 0;
}

void Placed::hand_on(const Transfer& x, bool may_join) {
  const bool follows = may_join && joins_ && has_last_ && x.kind == last_.kind && x.buffer == last_.buffer &&
                       x.peer == last_.peer && x.slots.size == 1 && last_.combine.incoming == x.combine.incoming &&
                       last_.combine.buffer == x.combine.buffer &&
                       (last_.slots.size == 1 || last_.slots.run == 1 || last_.slots.run == last_.slots.size);
  if (follows) {
    Slots& s = last_.slots;
    const Slot stride = s.size == 1 ? x.slots.first - s.first : s.run == s.size ? 1 : s.stride;
    const Slot ahead = x.slots.first - s.first;
    if (stride > 0 && ahead == stride * s.size &&
        (!x.combine.combines() || x.combine.with - last_.combine.with == ahead)) {
      s = stride == 1 ? contiguous(s.first, s.size + 1) : Slots{s.first, 1, stride, s.size + 1};
      return;
    }
  }
  if (has_last_) out_.add(last_);
  last_ = x, has_last_ = true, joins_ = may_join;
}

void Placed::finish() {
  flush();
  if (has_last_) out_.add(last_);
  has_last_ = false;
}

}  // namespace quadrille::schedule
