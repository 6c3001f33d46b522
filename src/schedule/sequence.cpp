// What an all-reduce is put together from: a schedule of elements, two schedules in a row, nothing that is empty.
#include <algorithm>

#include "base/integer.hpp"
#include "schedule/vector.hpp"

namespace quadrille::schedule {

Shape counted_in_bytes(Shape shape, const Vector& vector) {
  Cut& cut = shape.cut;
  cut.bytes = base::checked_multiply(cut.bytes, vector.element, "bytes");
  cut.packet_bytes = base::checked_multiply(cut.packet_bytes, vector.element, "bytes");
  cut.unit = vector.element;
  if (cut.edges) {
    auto edges = std::make_shared<std::vector<Bytes>>(*cut.edges);
    for (Bytes& edge : *edges) edge *= vector.element;
    cut.edges = std::move(edges);
  }
  if (shape.out == 1) shape.offsets = nullptr;  // those of a single block say what its length says
  if (!vector.offsets) return shape;
  if (cut.edges || cut.packet_bytes > 0)
    throw Error(Error::Kind::illegal, "blocks of different lengths cannot be cut in packets of one length");
  shape.offsets = vector.offsets;
  return shape;
}

Slot filled_slots(const Shape& shape) {
  const Cut& cut = shape.cut;
  if (cut.edges || cut.packet_bytes > 0 || cut.packets > 1) return shape.slots(Buffer::out);
  if (!shape.offsets) return std::min(cut.parts, cut.bytes / cut.unit) * shape.out;
  const std::vector<Bytes>& offsets = *shape.offsets;
  const Slot labels = std::find(offsets.begin(), offsets.end(), offsets.back()) - offsets.begin();
  const bool gaps = std::adjacent_find(offsets.begin(), offsets.begin() + labels + 1) != offsets.begin() + labels + 1;
  return gaps || cut.parts > 1 ? shape.slots(Buffer::out) : labels;
}

Slots slots_before(const Slots& slots, Slot end) {
  if (slots.size <= 0 || slots.stride < slots.run || slots.last() < end) return slots;
  Slots left = slots;
  const Slot whole = std::max<Slot>(0, end - slots.first) / slots.stride;
  const Slot more = std::max<Slot>(0, end - slots.first) % slots.stride;
  left.size = std::min(slots.size, whole * slots.run + std::min(more, slots.run));
  return left;
}

namespace {

class OfElements final : public Schedule {
 public:
  OfElements(SchedulePtr base, const Vector& vector)
      : base_(std::move(base)), shape_(counted_in_bytes(base_->shape(), vector)) {
    shape_.in = shape_.out;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override { base_->step(t, r, out); }
  Rounds active(Rank r) const override { return base_->active(r); }
  Rounds alike(Round t) const override { return shape_.offsets ? Schedule::alike(t) : base_->alike(t); }
  bool barrier(Round t) const override { return base_->barrier(t); }
  Symmetry symmetry() const override { return shape_.offsets ? Symmetry{} : base_->symmetry(); }
  Slot twist(Round t, Buffer, Slot first, Rank by) const override { return base_->twist(t, Buffer::out, first, by); }

 private:
  SchedulePtr base_;
  Shape shape_;
};

class Then final : public Schedule {
 public:
  Then(SchedulePtr first, SchedulePtr second)
      : first_(std::move(first)), second_(std::move(second)), shape_(first_->shape()), border_(shape_.rounds) {
    shape_.rounds = base::checked_add(border_, second_->shape().rounds, "rounds");
    shape_.tmp = std::max(shape_.tmp, second_->shape().tmp);
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override { part(t).step(within(t), r, out); }
  Rounds active(Rank r) const override {
    const Rounds one = first_->active(r), two = second_->active(r);
    if (two.first >= two.end) return one;
    return {one.first < one.end ? one.first : border_ + two.first, border_ + two.end};
  }
  Rounds alike(Round t) const override {
    const Rounds same = part(t).alike(within(t));
    return {t - within(t) + same.first, t - within(t) + same.end};
  }
  bool barrier(Round t) const override { return part(t).barrier(within(t)); }
  Symmetry symmetry() const override {
    const Symmetry one = first_->symmetry(), two = second_->symmetry();
    return one.group == two.group ? Symmetry{one.group, one.pieces_alike && two.pieces_alike} : Symmetry{};
  }
  Slot twist(Round t, Buffer b, Slot first, Rank by) const override { return part(t).twist(within(t), b, first, by); }
  Slot block(Buffer b, Slot label, Slot piece) const override { return first_->block(b, label, piece); }

 private:
  const Schedule& part(Round t) const { return t < border_ ? *first_ : *second_; }
  Round within(Round t) const { return t < border_ ? t : t - border_; }
  SchedulePtr first_, second_;
  Shape shape_;
  Round border_;
};

class Overlapped final : public Schedule {
 public:
  Overlapped(SchedulePtr first, SchedulePtr second, Round shift)
      : first_(std::move(first)), second_(std::move(second)), shape_(first_->shape()), shift_(shift) {
    shape_.rounds = std::max(shape_.rounds, base::checked_add(shift, second_->shape().rounds, "rounds"));
    shape_.tmp = std::max(shape_.tmp, second_->shape().tmp);
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    if (t < first_->shape().rounds) first_->step(t, r, out);
    if (t >= shift_) second_->step(t - shift_, r, out);
  }
  Rounds active(Rank r) const override {
    const Rounds one = first_->active(r), two = second_->active(r);
    if (two.first >= two.end) return one;
    if (one.first >= one.end) return {shift_ + two.first, shift_ + two.end};
    return {std::min(one.first, shift_ + two.first), std::max(one.end, shift_ + two.end)};
  }
  Rounds alike(Round t) const override {
    const Round one_ends = first_->shape().rounds, two_ends = shift_ + second_->shape().rounds;
    const Rounds one = t < one_ends ? first_->alike(t) : Rounds{one_ends, shape_.rounds};
    Rounds two{0, shift_};
    if (t >= two_ends)
      two = {two_ends, shape_.rounds};
    else if (t >= shift_)
      two = second_->alike(t - shift_), two.first += shift_, two.end += shift_;
    return {std::max(one.first, two.first), std::min(one.end, two.end)};
  }
  Slot block(Buffer b, Slot label, Slot piece) const override { return first_->block(b, label, piece); }

 private:
  SchedulePtr first_, second_;
  Shape shape_;
  Round shift_;
};

/// Whether a block of so many bytes has elements for all pieces.
bool fills_all(const Cut& cut, Bytes bytes) {
  return !cut.edges && cut.packet_bytes == 0 && bytes / cut.unit / cut.parts >= cut.packets;
}

bool has_empty(const Shape& shape) {
  for (Slot label = 0; label < (shape.offsets ? shape.out : std::min<Slot>(shape.out, 1)); ++label) {
    const bool uneven = shape.uneven(Buffer::out);
    if (fills_all(shape.cut, uneven
                                 ? shape.block_offset(Buffer::out, label + 1) - shape.block_offset(Buffer::out, label)
                                 : shape.cut.bytes))
      continue;
    for (Slot piece = 0; piece < shape.cut.pieces(); ++piece)
      if (shape.piece_offset(Buffer::out, label, piece) == shape.piece_offset(Buffer::out, label, piece + 1))
        return true;
  }
  return false;
}

class WithoutEmpty final : public Schedule {
 public:
  explicit WithoutEmpty(SchedulePtr base) : base_(std::move(base)), filled_(filled_slots(base_->shape())) {}
  const Shape& shape() const override { return base_->shape(); }
  void step(Round t, Rank r, Steps& out) const override {
    Filled filled(*base_, filled_, out);
    base_->step(t, r, filled);
  }
  Rounds active(Rank r) const override { return base_->active(r); }
  Rounds alike(Round t) const override { return base_->alike(t); }
  bool barrier(Round t) const override { return base_->barrier(t); }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(b, label, piece); }

 private:
  class Filled final : public Steps {
   public:
    Filled(const Schedule& schedule, Slot filled, Steps& out) : schedule_(schedule), filled_(filled), out_(out) {}
    bool wants(Kind kind, Rank peer) const override { return out_.wants(kind, peer); }
    std::optional<Rank> only_peer() const override { return out_.only_peer(); }
    void pay(std::int64_t visits) override { out_.pay(visits); }
    void add(const Transfer& x) override {
      if (x.slots.size <= 0) return;
      Transfer part = x;
      const Shape& shape = schedule_.shape();
      if (filled_ < shape.slots(Buffer::out) && shape.blocks(x.buffer) == shape.out && x.slots.stride >= x.slots.run) {
        part.slots = slots_before(x.slots, filled_);
        return out_.add(part);
      }
      if (schedule_.bytes(x.buffer, x.slots) == 0) return;
      out_.pay(x.slots.size);
      const Slots operands = x.operand();
      for (Slot i = 0, size = 0; i <= x.slots.size; ++i) {
        const bool goes_on = i < x.slots.size && schedule_.bytes(x.buffer, contiguous(x.slots[i], 1)) > 0 &&
                             (size == 0 || x.slots[i] == x.slots[i - 1] + 1);
        if (!goes_on && size > 0) {
          part.slots = contiguous(x.slots[i - size], size);
          part.combine.with = operands[i - size];
          out_.add(part);
          size = 0;
        }
        if (i < x.slots.size && schedule_.bytes(x.buffer, contiguous(x.slots[i], 1)) > 0) ++size;
      }
    }

   private:
    const Schedule& schedule_;
    Slot filled_;
    Steps& out_;
  };
  SchedulePtr base_;
  Slot filled_;
};

}  // namespace

SchedulePtr of_elements(SchedulePtr base, const Vector& vector) {
  return std::make_shared<OfElements>(std::move(base), vector);
}
SchedulePtr then(SchedulePtr first, SchedulePtr second) {
  return std::make_shared<Then>(std::move(first), std::move(second));
}
SchedulePtr overlapped(SchedulePtr first, SchedulePtr second, Round shift) {
  return std::make_shared<Overlapped>(std::move(first), std::move(second), shift);
}
SchedulePtr without_empty(SchedulePtr base) {
  return has_empty(base->shape()) ? std::make_shared<WithoutEmpty>(std::move(base)) : base;
}

}  // namespace quadrille::schedule
