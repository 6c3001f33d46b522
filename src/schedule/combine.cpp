#include "schedule/combine.hpp"

#include <algorithm>

#include "base/integer.hpp"

namespace quadrille::schedule {

namespace {

/// Hands every segment on, changed by `change` (which may drop it by leaving its size 0). `back` names, in the part's
/// ranks, a peer that the consumer asks about; a generator with long lists thus still learns what is wanted.
template <class Change, class Back>
class Through final : public Steps {
 public:
  Through(Steps& out, Change change, Back back) : out_(out), change_(change), back_(back) {}
  bool wants(Kind kind, Rank peer) const override { return back_(out_, kind, peer); }
  void pay(std::int64_t visits) override { out_.pay(visits); }
  void add(const Transfer& x) override {
    Transfer changed = x;
    change_(changed);
    out_.add(changed);
  }

 private:
  Steps& out_;
  Change change_;
  Back back_;
};

class HalfSplit final : public Schedule {
 public:
  HalfSplit(SchedulePtr base, TopologyPtr colours)
      : base_(std::move(base)), colours_(std::move(colours)), shape_(base_->shape()) {
    shape_.rounds = base::checked_multiply(shape_.rounds, 2, "rounds");
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const int half = static_cast<int>(t % 2);
    const bool sends = *colours_->colour(r) == half;
    const auto now = [=](Kind kind, Rank peer) { return peer == r ? half == 0 : (kind == Kind::send) == sends; };
    Through part(
        out,
        [&](Transfer& x) {
          if (!now(x.kind, x.peer)) x.slots.size = 0;
        },
        [&](const Steps& o, Kind kind, Rank peer) { return now(kind, peer) && o.wants(kind, peer); });
    base_->step(t / 2, r, part);
  }
  Rounds active(Rank r) const override {
    const Rounds whole = base_->active(r);
    return {2 * whole.first, 2 * whole.end};
  }
  bool barrier(Round t) const override { return t % 2 == 0 && base_->barrier(t / 2); }
  Symmetry symmetry() const override {
    const Symmetry s = base_->symmetry();
    return {s.group == Group::xor_all || s.group == Group::xor_even ? Group::xor_even : Group::none, s.pieces_alike};
  }
  Slot twist(Round t, Buffer b, Slot first, Rank by) const override { return base_->twist(t / 2, b, first, by); }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(b, label, piece); }
  const Schedule* unsplit() const override { return base_.get(); }

 private:
  SchedulePtr base_;
  TopologyPtr colours_;
  Shape shape_;
};

class Relabelled final : public Schedule {
 public:
  Relabelled(SchedulePtr base, Renaming names) : base_(std::move(base)), names_(std::move(names)) {}
  const Shape& shape() const override { return base_->shape(); }
  void step(Round t, Rank r, Steps& out) const override {
    Through part(
        out, [&](Transfer& x) { x.peer = names_.to(x.peer); },
        [&](const Steps& o, Kind kind, Rank peer) { return o.wants(kind, names_.to(peer)); });
    base_->step(t, names_.from(r), part);
  }
  Rounds active(Rank r) const override { return base_->active(names_.from(r)); }
  bool barrier(Round t) const override { return base_->barrier(t); }
  Slot block(Buffer b, Slot label, Slot piece) const override {
    const Slot inner = base_->block(b, label, piece);
    return shape().blocks(b) == shape().ranks ? names_.to(inner) : inner;
  }

 private:
  SchedulePtr base_;
  Renaming names_;
};

class Reversed final : public Schedule {
 public:
  explicit Reversed(SchedulePtr base) : base_(std::move(base)), shape_(base_->shape()) {
    std::swap(shape_.in, shape_.out);
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const auto other = [](Kind kind) { return kind == Kind::send ? Kind::recv : Kind::send; };
    Through part(
        out,
        [&](Transfer& x) {
          x.kind = other(x.kind);
          x.buffer = swapped(x.buffer);
        },
        [&](const Steps& o, Kind kind, Rank peer) { return o.wants(other(kind), peer); });
    base_->step(shape_.rounds - 1 - t, r, part);
  }
  Rounds active(Rank r) const override {
    const Rounds forwards = base_->active(r);
    return {shape_.rounds - forwards.end, shape_.rounds - forwards.first};
  }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(swapped(b), label, piece); }

 private:
  static Buffer swapped(Buffer b) { return b == Buffer::in ? Buffer::out : b == Buffer::out ? Buffer::in : b; }
  SchedulePtr base_;
  Shape shape_;
};

class Rotated final : public Schedule {
 public:
  Rotated(SchedulePtr base, Bytes bytes)
      : base_(std::move(base)), shape_(base_->shape()), n_(base::log2_floor(shape_.ranks)) {
    shape_.cut = {.bytes = bytes, .parts = n_};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (int p = 0; p < n_; ++p) {
      Through part(
          out,
          [&](Transfer& x) {
            x.slots.first += p * shape_.blocks(x.buffer);
            if (x.combine.combines()) x.combine.with += p * shape_.blocks(x.combine.buffer);
            x.peer = base::rotate_left(x.peer, p, n_);
          },
          [&](const Steps& o, Kind kind, Rank peer) { return o.wants(kind, base::rotate_left(peer, p, n_)); });
      base_->step(t, base::rotate_right(r, p, n_), part);
    }
  }
  Rounds active(Rank r) const override {
    Rounds any{shape_.rounds, 0};
    for (int p = 0; p < n_; ++p) {
      const Rounds one = base_->active(base::rotate_right(r, p, n_));
      any = {std::min(any.first, one.first), std::max(any.end, one.end)};
    }
    return any;
  }
  bool barrier(Round t) const override { return base_->barrier(t); }
  Symmetry symmetry() const override { return {base_->symmetry().group, true}; }
  Slot twist(Round t, Buffer b, Slot first, Rank by) const override {
    const Slot blocks = shape_.blocks(b);
    return base_->twist(t, b, first % blocks, base::rotate_right(by, static_cast<int>(first / blocks), n_));
  }
  Slot block(Buffer b, Slot label, Slot piece) const override {
    const Slot inner = base_->block(b, label, 0);
    return shape_.blocks(b) == shape_.ranks ? base::rotate_left(inner, static_cast<int>(piece), n_) : inner;
  }

 private:
  SchedulePtr base_;
  Shape shape_;
  int n_;
};

}  // namespace

SchedulePtr half_split(SchedulePtr base, TopologyPtr colours) {
  return std::make_shared<HalfSplit>(std::move(base), std::move(colours));
}
SchedulePtr relabel(SchedulePtr base, Renaming names) {
  return std::make_shared<Relabelled>(std::move(base), std::move(names));
}
SchedulePtr relabel_xor(SchedulePtr base, Rank root) {
  if (root == 0) return base;
  const auto name = [root](Rank r) { return r ^ root; };
  return relabel(std::move(base), {name, name});
}
SchedulePtr relabel_shift(SchedulePtr base, Rank root) {
  if (root == 0) return base;
  const Rank p = base->shape().ranks;
  return relabel(std::move(base), {[=](Rank r) { return (r + root) % p; }, [=](Rank r) { return (r - root + p) % p; }});
}
SchedulePtr reverse(SchedulePtr base) { return std::make_shared<Reversed>(std::move(base)); }
SchedulePtr rotated(SchedulePtr base, Bytes bytes) { return std::make_shared<Rotated>(std::move(base), bytes); }

}  // namespace quadrille::schedule
