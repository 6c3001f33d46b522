#include "algorithm/scatter/shared/scattering.hpp"

#include <memory>

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::scatter {

namespace {

/// Every rank that holds the blocks of the ranks from itself on hands over the upper half of them, rounded down: one
/// run of memory, to the first of those ranks. The blocks wait in tmp, the own one first, which goes to its place in
/// the last round; a block that comes alone goes there at once. No tmp slot is used twice.
class ScatterTree final : public Schedule {
 public:
  ScatterTree(Rank ranks, Bytes bytes)
      : shape_{.ranks = ranks,
               .rounds = base::log2_ceil(ranks),
               .in = ranks,
               .out = 1,
               .tmp = tree_waits(ranks) ? ranks / 2 : 0,
               .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    Rank first = 0, size = shape_.ranks;  // the ranks whose blocks `first` holds, r among them
    Slot given = 0;                       // blocks that r was handed
    for (Round i = 0; i < t; ++i) {
      const Rank kept = base::ceil_div(size, 2);
      if (r < first + kept) {
        size = kept;
      } else {
        first += kept, size -= kept;
        if (r == first) given = size;
      }
    }
    const Rank kept = base::ceil_div(size, 2), other = first + kept;
    if (r == first)
      out.send(other, r == 0 ? Buffer::in : Buffer::tmp, contiguous(kept, size - kept));
    else if (r == other)
      out.recv(first, size - kept > 1 ? Buffer::tmp : Buffer::out, contiguous(0, size - kept));
    if (t + 1 == shape_.rounds && given > 1) out.move(r, Buffer::tmp, contiguous(0, 1), Buffer::out, contiguous(0, 1));
  }

 private:
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
  Rounds active(Rank r) const override {
    if (r == 0) return {0, shape_.rounds};
    const Rank distance = r <= up_ ? r : shape_.ranks - r;
    return {distance - 1, distance + interval_ * (up_ - distance)};
  }

 private:
  /// What rank r does at this distance from the root on the side that `direction` points to.
  void walk(Round t, Rank r, Rank distance, Rank direction, Steps& out) const {
    const Rank reach = direction > 0 ? up_ : down_;
    const Rank p = shape_.ranks;
    if (const Rank d = leaving(t, distance, reach); d > 0) {
      const Buffer buffer = r == 0 ? Buffer::in : Buffer::tmp;
      out.send(base::wrap(r + direction, p), buffer,
               contiguous(r == 0 ? base::wrap(direction * d, p) : (t + 1) % 2, 1));
    }
    if (distance == 0) return;
    if (const Rank d = leaving(t, distance - 1, reach); d > 0)
      out.recv(base::wrap(r - direction, p), d == distance ? Buffer::out : Buffer::tmp,
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

SchedulePtr tree_schedule(Rank ranks, Bytes bytes) { return std::make_shared<ScatterTree>(ranks, bytes); }

SchedulePtr chain_schedule(Rank ranks, Bytes bytes, Rank up, Rank down, Round interval) {
  return std::make_shared<ScatterChain>(ranks, bytes, up, down, interval);
}

Cost chain_cost(Bytes bytes, Rank up, Round interval) {
  const Round rounds = interval * (up - 1) + 1;
  return kit::neighbour_cost(rounds, rounds * bytes);
}

}  // namespace quadrille::algorithm::scatter
