// A vector in blocks of unequal lengths as one block, whose pieces are the pieces of those blocks.
#include "schedule/routed.hpp"

namespace quadrille::schedule {

namespace {

class OneBlock final : public Schedule {
 public:
  explicit OneBlock(SchedulePtr base)
      : base_(std::move(base)), shape_(base_->shape()), labels_(shape_.out), pieces_(shape_.cut.pieces()) {
    if (shape_.tmp != 0 && shape_.tmp != labels_)
      throw Error(Error::Kind::illegal, "its scratch has another form than its results");
    const auto edges = std::make_shared<std::vector<Bytes>>();
    for (Slot label = 0; label < labels_; ++label)
      for (Slot piece = 0; piece < pieces_; ++piece)
        edges->push_back(shape_.block_offset(Buffer::out, label) + shape_.piece_offset(Buffer::out, label, piece));
    edges->push_back(shape_.block_offset(Buffer::out, labels_));
    shape_.cut = {.bytes = edges->back(), .unit = shape_.cut.unit, .edges = edges};
    shape_.in = shape_.out = 1;
    shape_.tmp = shape_.tmp > 0 ? 1 : 0;
    shape_.offsets = nullptr;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    Renamed renamed(*this, out);
    base_->step(t, r, renamed);
  }
  Rounds active(Rank r) const override { return base_->active(r); }
  bool barrier(Round t) const override { return base_->barrier(t); }

 private:
  /// Of all buffers, which have as many labels.
  Slot named(Slot slot) const { return slot % labels_ * pieces_ + slot / labels_; }

  class Renamed final : public Steps {
   public:
    Renamed(const OneBlock& whole, Steps& out) : whole_(whole), out_(out) {}
    bool wants(Kind kind, Rank peer) const override { return out_.wants(kind, peer); }
    std::optional<Rank> only_peer() const override { return out_.only_peer(); }
    void pay(std::int64_t visits) override { out_.pay(visits); }
    void add(const Transfer& x) override {
      const Slots operand = x.operand();
      Transfer part = x;
      for (Slot i = 0; i < x.slots.size; ++i) {
        part.slots = contiguous(whole_.named(x.slots[i]), 1);
        part.combine.with = x.combine.combines() ? whole_.named(operand[i]) : 0;
        out_.add(part);
      }
    }

   private:
    const OneBlock& whole_;
    Steps& out_;
  };

  SchedulePtr base_;
  Shape shape_;
  Slot labels_, pieces_;
};

}  // namespace

SchedulePtr as_one_block(SchedulePtr base) { return std::make_shared<OneBlock>(std::move(base)); }

}  // namespace quadrille::schedule
