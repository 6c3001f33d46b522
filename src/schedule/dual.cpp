#include "schedule/dual.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "schedule/first_combines.hpp"
#include "schedule/vector.hpp"

namespace quadrille::schedule {

namespace {

class Dual final : public Schedule {
 public:
  Dual(SchedulePtr base, const Vector& vector, Results results, Rank root)
      : base_(std::move(base)),
        shape_(counted_in_bytes(base_->shape(), vector)),
        results_(results),
        root_(root),
        filled_(filled_slots(shape_)),
        first_(*base_, vector.turned, filled_, results == Results::own_block),
        rounds_(shape_.rounds) {
    if (base_->shape().in > 0 || base_->shape().tmp > 0)
      throw Error(Error::Kind::illegal, "a schedule that uses scratch memory cannot be run backwards as a reduction");
    shape_.in = shape_.out;
    shape_.tmp = results == Results::everywhere || shape_.ranks == 1 ? 0 : shape_.out;
    if (vector.offsets && results == Results::own_block && !labels_are_ranks(*base_))
      throw Error(Error::Kind::illegal, "blocks of different lengths need ranks that are numbered as the network");
    if (first_.group() != Group::none)
      for (Rank r = 0; r < std::min<Rank>(shape_.ranks, 2); ++r) note_mixed(r);
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
  Rounds alike(Round t) const override {
    const Rounds forwards = shape_.offsets ? Schedule::alike(rounds_ - 1 - t) : base_->alike(rounds_ - 1 - t);
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
  /// What becomes of a slot of the base's message: it is sent from a buffer, or combined into one.
  struct How {
    bool combines;
    Buffer buffer, operand;
    bool operator==(const How&) const = default;
  };
  How how(const FirstCombines::View& view, Round t, Rank r, const Transfer& x, Slot slot) const {
    using End = FirstCombines::View::End;
    const Buffer sum = sum_at(r);
    if (x.kind == Kind::recv) return {false, view.any(slot) ? sum : Buffer::in, Buffer::in};
    const bool begins = view.begins(slot, t, x.peer);
    const End end = first_.is_own(r, slot) ? view.ends(slot, t, x.peer) : End::not_yet;
    if (end == End::not_yet) return {true, sum, begins ? Buffer::in : sum};
    return {true, Buffer::out, begins ? Buffer::in : end == End::first ? sum : Buffer::out};
  }

  /// Turns the base's segments round, in parts whose slots are treated alike.
  class Turned final : public Steps {
   public:
    Turned(const Dual& dual, Round forwards, Rank r, Steps& out) : dual_(dual), t_(forwards), r_(r), out_(out) {}
    bool wants(Kind kind, Rank peer) const override {
      return out_.wants(kind == Kind::send ? Kind::recv : Kind::send, peer);
    }
    std::optional<Rank> only_peer() const override { return out_.only_peer(); }
    void add(const Transfer& whole) override {
      if (!wants(whole.kind, whole.peer)) return;
      Transfer x = whole;
      x.slots = slots_before(x.slots, dual_.filled_);
      if (x.slots.size <= 0) return;
      out_.pay(dual_.first_.visits());
      const FirstCombines::View view(dual_.first_, t_, r_, x);
      const auto how = [&](Slot slot) { return dual_.how(view, t_, r_, x, slot); };
      How now = how(x.slots.first);
      if (dual_.is_alike(t_, r_, x)) return hand_on(x.peer, x.slots, now);
      if (dual_.is_alike(view, t_, r_, x)) return hand_on(x.peer, x.slots, now);
      Slot begin = x.slots.first, size = 0;
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
  Buffer sum_at(Rank r) const {
    const bool in_place = results_ == Results::everywhere || (results_ == Results::at_root && r == root_);
    return in_place ? Buffer::out : Buffer::tmp;
  }
  using Message = std::uint64_t;
  static Message message(Round t, Rank representative, Kind kind, Rank peer) {
    return static_cast<Message>(t) << 32 | static_cast<Message>(peer) << 2 | static_cast<Message>(kind) << 1 |
           static_cast<Message>(representative);
  }
  /// Remembers the messages of a rank that stands for others whose slots are not all treated alike: who looks at other
  /// ranks then need not look at every slot.
  void note_mixed(Rank r) {
    Collected list;
    std::unordered_map<Message, How> first;
    const Rounds rounds = base_->active(r);
    for (Round t = rounds.first; t < rounds.end; ++t, first.clear())
      for (const Transfer& x : list.all(*base_, t, r)) {
        const FirstCombines::View view(first_, t, r, x);
        const Message key = message(t, r, x.kind, x.peer);
        const How common = first.try_emplace(key, how(view, t, r, x, x.slots.first)).first->second;
        for_each_slot(x.slots, [&](Slot slot) {
          if (how(view, t, r, x, slot) != common) mixed_.insert(key);
        });
      }
  }
  bool is_alike(Round t, Rank r, const Transfer& x) const {
    const Group group = first_.group();
    if (x.slots.size == 1) return true;
    if (group == Group::none) return false;
    const Rank zero = representative_rank(r, group), ranks = shape_.ranks;
    const Rank peer = group == Group::rotate ? base::wrap(x.peer - (r - zero), ranks) : x.peer ^ r ^ zero;
    return !mixed_.contains(message(t, zero, x.kind, peer));
  }

  /// The same, slot by slot.
  bool is_alike(const FirstCombines::View& view, Round t, Rank r, const Transfer& x) const {
    if (results_ != Results::own_block && view.stands_for_itself()) return view.alike(t, x);
    const How first = how(view, t, r, x, x.slots.first);
    bool alike = true;
    for_each_slot(x.slots, [&](Slot slot) { alike = alike && how(view, t, r, x, slot) == first; });
    return alike;
  }

  SchedulePtr base_;
  Shape shape_;
  Results results_;
  Rank root_;
  Slot filled_;  ///< as filled_slots() has it
  FirstCombines first_;
  Round rounds_;
  std::unordered_set<Message> mixed_;
};

}  // namespace

bool labels_are_ranks(const Schedule& allgather) {
  const Shape& shape = allgather.shape();
  for (Slot label = 0; label < shape.out; ++label)
    for (Slot piece = 0; piece < shape.cut.pieces(); ++piece)
      if (allgather.block(Buffer::out, label, piece) != label) return false;
  return true;
}

SchedulePtr dual(SchedulePtr base, const Vector& vector, Results results, Rank root) {
  return std::make_shared<Dual>(std::move(base), vector, results, root);
}

}  // namespace quadrille::schedule
