// Reductions of MPIs.
#include <algorithm>

#include "algorithm/kit/vectors.hpp"
#include "algorithm/mpis/schedules.hpp"

namespace quadrille::algorithm::mpis {

namespace {

/// Blocks of a vector that is labelled by ranks, told by a function.
template <class Step>
class Blocks final : public Schedule {
 public:
  Blocks(const Spec& spec, Round rounds, Slot tmp, Step step) : step_(std::move(step)) {
    const Rank p = spec.ranks();
    shape_ = {.ranks = p, .rounds = rounds, .in = p, .out = p, .tmp = tmp, .cut = {.bytes = spec.bytes}};
    shape_.cut.unit = spec.element;
    shape_.offsets = spec.offsets;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override { step_(t, r, out); }

 private:
  Step step_;
  Shape shape_;
};
template <class Step>
SchedulePtr blocks(const Spec& spec, Round rounds, Slot tmp, Step step) {
  return schedule::without_empty(std::make_shared<Blocks<Step>>(spec, rounds, tmp, std::move(step)));
}

}  // namespace

SchedulePtr halving_gather(const Spec& spec, const Params&) {
  const Rank p = spec.ranks(), root = spec.root;
  const Round n = base::log2_ceil(p);
  // What rank `name` has left of the pieces when so many bits are through.
  const auto left = [=](Rank name, Round bits) {
    Slot first = 0, size = p;
    for (Round b = 0; b < bits; ++b) {
      size /= 2;
      if ((name >> b & 1) != 0) first += size;
    }
    return contiguous(first, size);
  };
  return kit::vector_schedule(spec, 2 * n, 1, {[=](Round t, Rank rank, Steps& out) {
                                const Rank r = rank ^ root;
                                const Buffer sum = r == 0 ? Buffer::out : Buffer::tmp;
                                if (t < n) {
                                  const Rank name = r ^ base::bit(static_cast<int>(t)), peer = name ^ root;
                                  const Buffer have = t == 0 ? Buffer::in : sum;
                                  const Slots kept = left(r, t + 1);
                                  out.send(peer, have, left(name, t + 1));
                                  return out.combine(peer, sum, kept, kit::onto(rank, peer, have, kept.first));
                                }
                                const Round bit = 2 * n - 1 - t;
                                const Rank low = base::bit(static_cast<int>(bit));
                                if ((r & ~(2 * low - 1)) != 0) return;  // has sent what it had
                                const Rank peer = (r ^ low) ^ root;
                                if ((r & low) != 0) return out.send(peer, sum, left(r, bit + 1));
                                out.recv(peer, sum, left(r ^ low, bit + 1));
                              }},
                              1, p);
}

SchedulePtr segmented_ring(const Spec& spec, const Params& params) {
  const Rank p = spec.ranks();
  const Bytes block = base::ceil_div(spec.bytes, p);
  const std::int64_t size = params.get("segment", 0), whole = std::max<std::int64_t>(1, block / spec.element);
  const std::int64_t packets = size <= 0 ? 1 : std::min(whole, base::ceil_div(block, size));
  const Round ring = p - 1;
  return kit::vector_schedule(
      spec, packets * ring + ring, 0, {[=](Round t, Rank r, Steps& out) {
        if (p == 1) return;
        const Rank to = (r + 1) % p, from = base::wrap(r - 1, p);
        if (t < packets * ring) {
          const std::int64_t packet = t / ring, s = t % ring;
          const auto slot = [&](Rank of) { return contiguous(base::wrap(of, p) * packets + packet, 1); };
          out.send(to, s == 0 ? Buffer::in : Buffer::out, slot(r - s));
          const Slots got = slot(from - s);
          return out.combine(from, Buffer::out, got, kit::onto(r, from, Buffer::in, got.first));
        }
        const Round s = t - packets * ring;
        const auto whole_block = [&](Rank of) { return contiguous(base::wrap(of, p) * packets, packets); };
        out.send(to, Buffer::out, whole_block(r + 1 - s));
        out.recv(from, Buffer::out, whole_block(r - s));
      }},
      packets, p);
}

SchedulePtr reduce_scatterv(const Spec& spec, const Params&) {
  const Rank p = spec.ranks();
  const Round up = base::log2_ceil(p);
  return blocks(spec, up + 1, p, [=](Round t, Rank r, Steps& out) {
    const Slots all = contiguous(0, p);
    if (t == up) {
      if (r != 0) return out.recv(0, Buffer::out, contiguous(r, 1));
      out.move(0, Buffer::tmp, contiguous(0, 1), Buffer::out, contiguous(0, 1));
      for (Rank to = 1; to < p; ++to) out.send(to, Buffer::tmp, contiguous(to, 1));
      return;
    }
    const Rank distance = base::bit(static_cast<int>(t));
    if (r % distance != 0) return;
    const bool combined = t > 0 && r + 1 < p;
    const Buffer have = combined ? Buffer::tmp : Buffer::in;
    if ((r & distance) != 0)
      out.send(r - distance, have, all);
    else if (r + distance < p)
      out.combine(r + distance, Buffer::tmp, all, kit::onto(r, r + distance, have));
  });
}

SchedulePtr doubling_scatter(const Spec& spec, const Params&) {
  const Rank p = spec.ranks();
  const Round n = base::log2_ceil(p);
  // Partial sums of even and of odd rounds: what a round sends it does not write.
  return blocks(spec, n + 1, 2 * p, [=](Round t, Rank r, Steps& out) {
    const auto place = [&](Round after) { return (after % 2) * p; };
    if (t == n) return out.move(r, Buffer::tmp, contiguous(place(n) + r, 1), Buffer::out, contiguous(r, 1));
    const Rank bit = base::bit(static_cast<int>(t)), peer = r ^ bit;
    const Buffer have = t == 0 ? Buffer::in : Buffer::tmp;
    const Slot from = t == 0 ? 0 : place(t), to = place(t + 1);
    const auto others = [&](Rank of, auto visit) {  // blocks outside the group of 2^t ranks
      const Rank first = of & ~(bit - 1), end = first + bit;
      if (first > 0) visit(0, first);
      if (end < p) visit(end, p - end);
    };
    others(r, [&](Slot first, Slot size) { out.send(peer, have, contiguous(from + first, size)); });
    // Of blocks of other ranks of its own group a rank has no sum, and needs none: those are dropped.
    const Rank group = r & ~(bit - 1);
    const auto take = [&](Slot first, Slot end, bool needed) {
      const Slots s = contiguous(to + first, end - first);
      if (first >= end) return;
      if (needed)
        out.combine(peer, Buffer::tmp, s, kit::onto(r, peer, have, from + first));
      else
        out.recv(peer, Buffer::tmp, s);
    };
    others(peer, [&](Slot first, Slot size) {
      const auto upto = [&](Slot edge) { return std::clamp<Slot>(edge, first, first + size); };
      take(first, upto(group), true);
      take(upto(group), upto(r), false);
      take(upto(r), upto(r + 1), true);
      take(upto(r + 1), upto(group + bit), false);
      take(upto(group + bit), first + size, true);
    });
  });
}

}  // namespace quadrille::algorithm::mpis
