#include "schedule/dual.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"

namespace quadrille::schedule {

namespace {

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
  if (!vector.offsets) return shape;
  if (cut.edges || cut.packet_bytes > 0)
    throw Error(Error::Kind::illegal, "blocks of different lengths cannot be cut in packets of one length");
  shape.offsets = vector.offsets;
  return shape;
}

/// Nearest ranks first, those below before those above: where the contributions of neighbours are next to each other,
/// results then take them in the order of ranks.
bool comes_before(Rank self, Rank a, Rank b) {
  if ((a < self) != (b < self)) return a < self;
  return a < self ? a > b : a < b;
}

/// Of every slot of out at a rank: the message in which it is first combined into, which is one of the last round in
/// which the base sends it. Kept for all ranks where they are few, else for those that stand for others.
class FirstCombines {
 public:
  FirstCombines(const Schedule& base, Rank turned)
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

  struct Message {
    std::uint32_t round = 0;  ///< counted from 1; 0: the base never sends the slot
    std::uint32_t peer = 0;
  };
  /// Whether a rank's combines of a round are in the order of comes_before; else in that of the base.
  bool in_order() const { return in_order_; }
  bool before(Rank self, Rank a, Rank b) const { return comes_before(self ^ turned_, a ^ turned_, b ^ turned_); }
  /// What is known of rank r's slots, for one segment of the base.
  class View {
   public:
    View(const FirstCombines& all, Round t, Rank r, const Transfer& segment);
    /// Whether rank r combines anything into the slot.
    bool any(Slot slot) const { return at(slot).round > 0; }
    /// When what rank r combines of its own block is the result: at the first, or a later message of the last round.
    enum class End { not_yet, first, later };
    End ends(Slot slot, Round t, Rank peer) const {
      const Message m = all_.own_[static_cast<std::size_t>(zero_ * all_.pieces() + slot / all_.base_.shape().out)];
      if (m.round != static_cast<std::uint32_t>(t + 1)) return End::not_yet;
      return renamed(static_cast<Rank>(m.peer)) == peer ? End::first : End::later;
    }
    /// Whether that begins with the message of base round t that it sends to the peer.
    bool begins(Slot slot, Round t, Rank peer) const {
      const Message m = at(slot);
      return m.round == static_cast<std::uint32_t>(t + 1) && renamed(static_cast<Rank>(m.peer)) == peer;
    }

   private:
    Message at(Slot slot) const;
    Rank renamed(Rank peer) const {
      return by_ == 0 ? peer : all_.group_ == Group::rotate ? (peer + by_) % all_.base_.shape().ranks : peer ^ by_;
    }
    const FirstCombines& all_;
    Rank zero_ = 0, by_ = 0;
    Slot twist_ = 0;
  };

 private:
  void note(Round t, Rank r, const Transfer& x) {
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
  bool sooner(Rank r, const Message& a, const Message& b) const {
    return a.round == b.round && in_order_ && before(r, static_cast<Rank>(a.peer), static_cast<Rank>(b.peer));
  }
  Slot pieces() const { return base_.shape().cut.pieces(); }

  const Schedule& base_;
  Rank turned_;
  Slot slots_;
  bool in_order_;
  Group group_ = Group::none;
  std::vector<Message> sends_;
  std::vector<Message> own_;  ///< of every piece of a rank's own block, the first one, in which the result is complete
};

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

class Dual final : public Schedule {
 public:
  Dual(SchedulePtr base, const Vector& vector, Results results, Rank root)
      : base_(std::move(base)),
        shape_(counted_in_bytes(base_->shape(), vector)),
        results_(results),
        root_(root),
        first_(*base_, vector.turned),
        rounds_(shape_.rounds) {
    if (base_->shape().in > 0 || base_->shape().tmp > 0)
      throw Error(Error::Kind::illegal, "a schedule that uses scratch memory cannot be run backwards as a reduction");
    shape_.in = shape_.out;
    shape_.tmp = results == Results::everywhere || shape_.ranks == 1 ? 0 : shape_.out;
    if (vector.offsets && results == Results::own_block)
      for (Slot label = 0; label < shape_.out; ++label)
        for (Slot piece = 0; piece < shape_.cut.pieces(); ++piece)
          if (base_->block(Buffer::out, label, piece) != label)
            throw Error(Error::Kind::illegal,
                        "blocks of different lengths need ranks that are numbered as the network");
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    const Round forwards = rounds_ - 1 - t;
    Turned turned(*this, forwards, r, out);
    base_->step(forwards, r, turned);
    turned.finish();
  }
  Rounds active(Rank r) const override {
    const Rounds forwards = base_->active(r);
    return {rounds_ - forwards.end, rounds_ - forwards.first};
  }
  Symmetry symmetry() const override {
    return results_ == Results::at_root || shape_.out != shape_.ranks || shape_.offsets ? Symmetry{}
                                                                                        : base_->symmetry();
  }
  Slot twist(Round t, Buffer, Slot first, Rank by) const override {
    return base_->twist(rounds_ - 1 - t, Buffer::out, first, by);
  }
  Slot block(Buffer, Slot label, Slot piece) const override {
    return results_ == Results::own_block ? base_->block(Buffer::out, label, piece) : label;
  }

 private:
  /// Turns the base's segments round, in parts whose slots are treated alike.
  class Turned final : public Steps {
   public:
    Turned(const Dual& dual, Round forwards, Rank r, Steps& out) : dual_(dual), t_(forwards), r_(r), out_(out) {}
    bool wants(Kind kind, Rank peer) const override {
      return out_.wants(kind == Kind::send ? Kind::recv : Kind::send, peer);
    }
    void add(const Transfer& x) override {
      if (x.slots.size <= 0 || !wants(x.kind, x.peer)) return;
      const FirstCombines::View view(dual_.first_, t_, r_, x);
      const auto how = [&](Slot slot) {
        return x.kind == Kind::send ? combining(view, slot, x.peer) : sending(view, slot);
      };
      const How first = how(x.slots.first);
      bool alike = true;
      for_each_slot(x.slots, [&](Slot slot) { alike = alike && how(slot) == first; });
      if (alike) return hand_on(x.peer, x.slots, first);
      Slot begin = x.slots.first, size = 0;
      How now = first;
      for_each_slot(x.slots, [&](Slot slot) {
        const How next = how(slot);
        if (next == now && slot == begin + size) return void(++size);
        hand_on(x.peer, contiguous(begin, size), now);
        begin = slot, size = 1, now = next;
      });
      hand_on(x.peer, contiguous(begin, size), now);
    }

    /// Combines come last, in the order in which they are to be done.
    void finish() {
      if (dual_.first_.in_order())
        std::stable_sort(combines_.begin(), combines_.end(), [this](const Transfer& a, const Transfer& b) {
          return a.peer != b.peer && dual_.first_.before(r_, a.peer, b.peer);
        });
      for (const Transfer& x : combines_) out_.add(x);
    }

   private:
    struct How {
      bool combines;
      Buffer buffer, operand;
      bool operator==(const How&) const = default;
    };
    How combining(const FirstCombines::View& view, Slot slot, Rank peer) const {
      using End = FirstCombines::View::End;
      const Buffer sum = dual_.sum(r_);
      const bool begins = view.begins(slot, t_, peer);
      const End end = dual_.is_own(r_, slot) ? view.ends(slot, t_, peer) : End::not_yet;
      if (end == End::not_yet) return {true, sum, begins ? Buffer::in : sum};
      return {true, Buffer::out, begins ? Buffer::in : end == End::first ? sum : Buffer::out};
    }
    How sending(const FirstCombines::View& view, Slot slot) const {
      return {false, view.any(slot) ? dual_.sum(r_) : Buffer::in, Buffer::in};
    }
    void hand_on(Rank peer, const Slots& slots, const How& how) {
      if (!how.combines) return out_.send(peer, how.buffer, slots);
      const auto side = peer < r_ ? Combine::Incoming::left : Combine::Incoming::right;
      combines_.push_back(
          {Kind::recv, how.buffer, peer, slots, {.incoming = side, .buffer = how.operand, .with = slots.first}});
    }

    const Dual& dual_;
    Round t_;
    Rank r_;
    Steps& out_;
    std::vector<Transfer> combines_;
  };

  /// Where a rank's partial result is.
  Buffer sum(Rank r) const {
    const bool in_place = results_ == Results::everywhere || (results_ == Results::at_root && r == root_);
    return in_place ? Buffer::out : Buffer::tmp;
  }
  /// Whether the slot is of the block whose result stays at the rank; it is complete only in the last of its rounds.
  bool is_own(Rank r, Slot slot) const {
    return results_ == Results::own_block && base_->block(Buffer::out, slot % shape_.out, slot / shape_.out) == r;
  }

  SchedulePtr base_;
  Shape shape_;
  Results results_;
  Rank root_;
  FirstCombines first_;
  Round rounds_;
};

class OfElements final : public Schedule {
 public:
  OfElements(SchedulePtr base, const Vector& vector)
      : base_(std::move(base)), shape_(counted_in_bytes(base_->shape(), vector)) {
    shape_.in = shape_.out;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override { base_->step(t, r, out); }
  Rounds active(Rank r) const override { return base_->active(r); }
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

bool has_empty(const Shape& shape) {
  for (Slot label = 0; label < (shape.offsets ? shape.out : std::min<Slot>(shape.out, 1)); ++label)
    for (Slot piece = 0; piece < shape.cut.pieces(); ++piece)
      if (shape.piece_offset(Buffer::out, label, piece) == shape.piece_offset(Buffer::out, label, piece + 1))
        return true;
  return false;
}

class WithoutEmpty final : public Schedule {
 public:
  explicit WithoutEmpty(SchedulePtr base) : base_(std::move(base)) {}
  const Shape& shape() const override { return base_->shape(); }
  void step(Round t, Rank r, Steps& out) const override {
    Filled filled(*base_, out);
    base_->step(t, r, filled);
  }
  Rounds active(Rank r) const override { return base_->active(r); }
  bool barrier(Round t) const override { return base_->barrier(t); }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(b, label, piece); }

 private:
  class Filled final : public Steps {
   public:
    Filled(const Schedule& schedule, Steps& out) : schedule_(schedule), out_(out) {}
    bool wants(Kind kind, Rank peer) const override { return out_.wants(kind, peer); }
    void add(const Transfer& x) override {
      if (x.slots.size <= 0 || schedule_.bytes(x.buffer, x.slots) == 0) return;
      Transfer part = x;
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
    Steps& out_;
  };
  SchedulePtr base_;
};

}  // namespace

bool keeps_order(Rank ranks, Slot slots) { return slots <= (Slot{1} << 22) / std::max<Rank>(1, ranks); }

SchedulePtr dual(SchedulePtr base, const Vector& vector, Results results, Rank root) {
  return std::make_shared<Dual>(std::move(base), vector, results, root);
}
SchedulePtr of_elements(SchedulePtr base, const Vector& vector) {
  return std::make_shared<OfElements>(std::move(base), vector);
}
SchedulePtr then(SchedulePtr first, SchedulePtr second) {
  return std::make_shared<Then>(std::move(first), std::move(second));
}
SchedulePtr without_empty(SchedulePtr base) {
  return has_empty(base->shape()) ? std::make_shared<WithoutEmpty>(std::move(base)) : base;
}

}  // namespace quadrille::schedule
