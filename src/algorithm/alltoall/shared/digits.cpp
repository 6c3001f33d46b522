// Below, x is an offset as it is written: with `below` added to every digit. A position of weight w has rows of
// w * r numbers x, and a block is at its place in the row where all higher digits are 0: its home row.
//
// Before position j a block stands as far from its source as its digits below j say. It never returns to a place that
// is read: a block on its last journey lands in `out`, any other in region j of tmp, at its row, within the row
// backwards in x. So rows are read upwards by destination and filled upwards by source, and a message is O(digits)
// segments. A block that moves for the first time has 0 for every digit below j, and comes from `in`; else the last
// digit before j that is not 0 says in which region it is.
#include "algorithm/alltoall/shared/digits.hpp"

#include "algorithm/pattern/shift.hpp"

namespace quadrille::algorithm::alltoall {

std::vector<std::int64_t> Digits::weights() const {
  // With digits of either sign, too: n positions reach (r^n - 1) / 2 to both sides, the farthest rank is ranks / 2
  // away, and r^n is odd.
  std::vector<std::int64_t> all;
  for (std::int64_t weight = 1; weight < ranks; weight *= radix) all.push_back(weight);
  return all;
}

Slot Digits::origin() const {
  Slot sum = 0;
  if (below > 0)
    for (const std::int64_t weight : weights()) sum += below * weight;
  return sum;
}

std::int64_t Digits::values(std::int64_t weight) const {
  return std::min(radix - 1, last() / weight - first() / weight);
}

Slot Digits::blocks(std::int64_t weight, std::int64_t value) const {
  const auto before = [&](Slot x) {
    const Slot row = weight * radix;
    return x / row * weight + std::clamp<Slot>(x % row - (value + below) * weight, 0, weight);
  };
  return before(last() + 1) - before(first());
}

Slot Digits::arrivals(std::int64_t weight, std::int64_t value) const {
  const Slot row = weight * radix, from = origin() / row * row + (value + below) * weight;
  return std::max<Slot>(std::min(from + weight, last() + 1) - std::max(from, first()), 0);
}

namespace {

class ByDigits final : public Schedule {
 public:
  ByDigits(const Digits& digits, Bytes bytes, std::int64_t at_once)
      : digits_(digits), origin_(digits.origin()), first_(digits.first()), last_(digits.last()), at_once_(at_once) {
    Slot tmp = 0, least = 0;
    Round rounds = 0;
    for (const std::int64_t weight : digits.weights()) {
      Position at{.weight = weight, .row = weight * digits.radix, .region = tmp, .least = least};
      least += digits.below * weight;
      at.home = origin_ / at.row;
      at.lowest = first_ / at.row;
      Slot rows = last_ / at.row - at.lowest + 1;
      if (at.lowest == at.home) ++at.lowest, --rows;
      if (rows > 0 && at.lowest + rows - 1 == at.home) --rows;
      at.begin = rounds;
      rounds += base::ceil_div(digits.values(weight), at_once);
      tmp += rows * at.row;
      positions_.push_back(at);
    }
    shape_ = {.ranks = digits.ranks,
              .rounds = rounds,
              .in = digits.ranks,
              .out = digits.ranks,
              .tmp = tmp,
              .cut = {.bytes = bytes}};
  }

  const Shape& shape() const override { return shape_; }
  Symmetry symmetry() const override { return {Group::rotate, false}; }

  void step(Round t, Rank r, Steps& out) const override {
    const auto next =
        std::find_if(positions_.begin(), positions_.end(), [&](const Position& p) { return p.begin > t; });
    const auto j = static_cast<std::size_t>(next - positions_.begin()) - 1;
    const std::int64_t first = (t - positions_[j].begin) * at_once_, values = digits_.values(positions_[j].weight);
    for (std::int64_t i = first; i < std::min(first + at_once_, values); ++i) message(j, digits_.value(i), r, out);
  }

 private:
  struct Position {
    Slot weight, row;
    Slot region;      ///< where its rows begin in tmp
    Slot least;       ///< what digits 0 below this one add to x
    Slot lowest = 0;  ///< the first row there
    Slot home = 0;
    Round begin = 0;
    Slot place(Slot x) const { return region + (x / row - lowest) * row + row - 1 - x % row; }
  };
  /// In every row h the numbers h * row + low <= x < h * row + high, of those that are written.
  struct Runs {
    Slot row, low, high, first, last;
    Slot from(Slot h) const { return std::max(h * row + low, first); }
    Slot to(Slot h) const { return std::min(h * row + high, last + 1); }
    Slot top() const { return last < low ? -1 : (last - low) / row; }
    Slot bottom() const { return first < high ? 0 : (first - high) / row + 1; }
    /// Calls visit(largest x, length, rows) for rows bottom .. top: only the first and the last may be cut short.
    template <class Visit>
    void rows(Slot bottom, Slot top, Visit visit) const {
      const auto whole = [&](Slot h) { return to(h) - from(h) == high - low; };
      for (Slot h = bottom; h <= top;) {
        const Slot alike = whole(h) ? top - h + (whole(top) ? 1 : 0) : 1;
        visit(to(h) - 1, to(h) - from(h), alike);
        h += alike;
      }
    }
  };

  /// The message for a value of the digit at position j: all blocks that have it, wherever they are by now.
  void message(std::size_t j, std::int64_t value, Rank r, Steps& out) const {
    const Position& at = positions_[j];
    const Slot moved = value * at.weight, digit = (value + digits_.below) * at.weight;
    const Rank to = base::wrap(r + moved, digits_.ranks), from = base::wrap(r - moved, digits_.ranks);
    if (!out.wants(Kind::send, to) && !out.wants(Kind::recv, from)) return;
    const auto runs = [&](Slot low, Slot high) { return Runs{at.row, digit + low, digit + high, first_, last_}; };
    const auto pass_on = [&](const Position& was, const Runs& moving) {
      moving.rows(moving.bottom(), moving.top(), [&](Slot x, Slot length, Slot rows) {
        out.send(to, Buffer::tmp, {was.place(x), length, at.row, rows * length});
      });
      receive(moving, at, from, r, out);
    };
    // Downwards in x, so that what arrives lies side by side. Digits between the two positions are 0, that at `was` is
    // above or below 0, those under it anything.
    const auto none = [&](const Position& was) { return at.least - at.least % was.row; };
    const auto zero = [&](const Position& was) { return none(was) + digits_.below * was.weight; };
    for (std::size_t i = j; i-- > 0;) {
      const Position& was = positions_[i];
      pass_on(was, runs(zero(was) + was.weight, none(was) + was.row));
    }
    const Runs fresh = runs(at.least, at.least + 1);
    fresh.rows(fresh.bottom(), fresh.top(), [&](Slot x, Slot, Slot rows) {
      pattern::around(base::wrap(r + x - origin_, digits_.ranks), at.row, rows, digits_.ranks,
                      [&](const Slots& s) { out.send(to, Buffer::in, s); });
    });
    receive(fresh, at, from, r, out);
    for (std::size_t i = 0; i < j && digits_.below > 0; ++i)
      pass_on(positions_[i], runs(none(positions_[i]), zero(positions_[i])));
  }

  void receive(const Runs& runs, const Position& at, Rank from, Rank r, Steps& out) const {
    const auto keep = [&](Slot x, Slot length, Slot rows) {
      out.recv(from, Buffer::tmp, {at.place(x), length, at.row, rows * length});
    };
    const Slot bottom = runs.bottom(), top = runs.top();
    runs.rows(bottom, std::min(top, at.home - 1), keep);
    if (bottom <= at.home && at.home <= top)
      runs.rows(at.home, at.home, [&](Slot x, Slot length, Slot) {
        pattern::around(base::wrap(r - x + origin_, digits_.ranks), 1, length, digits_.ranks,
                        [&](const Slots& s) { out.recv(from, Buffer::out, s); });
      });
    runs.rows(std::max(bottom, at.home + 1), top, keep);
  }

  Digits digits_;
  Slot origin_, first_, last_;
  std::int64_t at_once_;
  std::vector<Position> positions_;
  Shape shape_;
};

}  // namespace

SchedulePtr digit_schedule(const Digits& digits, Bytes bytes, std::int64_t at_once) {
  return std::make_shared<ByDigits>(digits, bytes, at_once);
}

}  // namespace quadrille::algorithm::alltoall
