#include "algorithm/scatter.hpp"

#include <memory>

#include "algorithm/support.hpp"

namespace quadrille {

namespace {

/// A rank y in [2^j, 2^(j+1)) receives, in round j, blocks y + i*2^(j+1): its own, i = 0, in out and the others in tmp
/// slots i - 1, from where every later round takes those at one stride. No tmp slot is used twice.
class ScatterTree final : public Schedule {
 public:
  ScatterTree(Rank ranks, Bytes bytes)
      : shape_{.ranks = ranks,
               .rounds = log2_ceil(ranks),
               .in = ranks,
               .out = 1,
               .tmp = ranks / 2 - 1,
               .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank half = bit(static_cast<int>(t));
    if (r < half && r + half < shape_.ranks) {
      const Slot size = blocks_of(r + half, half);
      if (r == 0) {
        out.send(half, Buffer::in, {half, 1, 2 * half, size});
      } else {
        const Rank mine = bit(log2_floor(r) + 1);  // distance between the blocks it was given
        out.send(r + half, Buffer::tmp, {half / mine - 1, 1, 2 * half / mine, size});
      }
    } else if (r >= half && r < 2 * half) {
      out.recv(r - half, Buffer::out, contiguous(0, 1));
      out.recv(r - half, Buffer::tmp, contiguous(0, blocks_of(r, half) - 1));
    }
  }

 private:
  Slot blocks_of(Rank y, Rank half) const { return ceil_div(shape_.ranks - y, 2 * half); }
  Shape shape_;
};

/// The block for distance d crosses the h-th link in round i*(up - d) + h, counted from 1; a relay keeps it for one
/// round, in one of two tmp slots by turns.
class ScatterChain final : public Schedule {
 public:
  ScatterChain(Rank ranks, Bytes bytes, Rank up, Rank down, Round interval)
      : up_(up), down_(down), interval_(interval) {
    shape_ = {.ranks = ranks,
              .rounds = interval * (up - 1) + 1,
              .in = ranks,
              .out = 1,
              .tmp = up > 1 ? 2 : 0,
              .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    if (r <= up_) walk(t, r, r, 1, out);
    if (r == 0 || r > up_) walk(t, r, r == 0 ? 0 : shape_.ranks - r, -1, out);
  }

 private:
  /// What rank r does at this distance from the root on the side that `direction` points to.
  void walk(Round t, Rank r, Rank distance, Rank direction, Steps& out) const {
    const Rank reach = direction > 0 ? up_ : down_;
    const Rank p = shape_.ranks;
    if (const Rank d = leaving(t, distance, reach); d > 0) {
      const Buffer buffer = r == 0 ? Buffer::in : Buffer::tmp;
      out.send(wrap(r + direction, p), buffer, contiguous(r == 0 ? wrap(direction * d, p) : (t + 1) % 2, 1));
    }
    if (distance == 0) return;
    if (const Rank d = leaving(t, distance - 1, reach); d > 0)
      out.recv(wrap(r - direction, p), d == distance ? Buffer::out : Buffer::tmp,
               contiguous(d == distance ? 0 : t % 2, 1));
  }
  /// The distance for which the block is that leaves distance `tail` in round t, counted from 0; 0 if none does.
  Rank leaving(Round t, Rank tail, Rank reach) const {
    const Round since = t - tail;
    if (since < 0 || since % interval_ != 0) return 0;
    const Rank d = up_ - since / interval_;
    return d > tail && d <= reach ? d : 0;
  }

  Rank up_, down_;
  Round interval_;
  Shape shape_;
};

}  // namespace

SchedulePtr scatter_tree_schedule(Rank ranks, Bytes bytes) { return std::make_shared<ScatterTree>(ranks, bytes); }

SchedulePtr scatter_chain_schedule(Rank ranks, Bytes bytes, Rank up, Rank down, Round interval) {
  return std::make_shared<ScatterChain>(ranks, bytes, up, down, interval);
}

Cost scatter_chain_cost(Bytes bytes, Rank up, Round interval) {
  const Round rounds = interval * (up - 1) + 1;
  return neighbour_cost(rounds, rounds * bytes);
}

}  // namespace quadrille
