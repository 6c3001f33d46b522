// Broadcasts, all-gathers and exchanges of MPIs.
#include <algorithm>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/mpis/schedules.hpp"
#include "algorithm/mpis/trees.hpp"
#include "algorithm/pattern/shift.hpp"

namespace quadrille::algorithm::mpis {

namespace {

constexpr auto out_buffer = Buffer::out;

/// A schedule that is told by a function, and its shape.
template <class Step>
class Told final : public Schedule {
 public:
  Told(Shape shape, Step step) : shape_(std::move(shape)), step_(std::move(step)) {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override { step_(t, r, out); }

 private:
  Shape shape_;
  Step step_;
};
template <class Step>
SchedulePtr told(Shape shape, Step step) {
  return std::make_shared<Told<Step>>(std::move(shape), std::move(step));
}

/// The parent of every rank in binary(), and the round in which the first segment comes.
struct SplitTree {
  explicit SplitTree(Rank ranks) : children(binary(ranks, {})), parent(children.size(), 0), first(children.size(), 0) {
    for (std::size_t r = 0; r < children.size(); ++r)
      for (std::size_t i = 0; i < children[r].size(); ++i) {
        const auto child = static_cast<std::size_t>(children[r][i]);
        parent[child] = static_cast<Rank>(r);
        first[child] = (r == 0 ? 0 : first[r] + 1) + static_cast<Round>(i);
        last = std::max(last, first[child]);
      }
  }
  Children children;
  std::vector<Rank> parent;
  std::vector<Round> first;
  Round last = 0;
};

}  // namespace

SchedulePtr split_binary(const Spec& spec, const Params& params) {
  const Rank p = spec.ranks(), root = spec.root;
  const std::int64_t packets = segments_of(params, spec.bytes / 2);
  const auto tree = std::make_shared<const SplitTree>(p);
  const Round swap = tree->last + 2 * (packets - 1) + 1;
  const Shape shape{.ranks = p, .rounds = swap + 1, .out = 1, .cut = kit::packet_cut(spec.bytes, packets, 2)};
  return told(shape, [=](Round t, Rank rank, Steps& out) {
    const Rank r = base::wrap(rank - root, p);
    const auto named = [&](Rank name) { return (name + root) % p; };
    const auto half = [&](bool right) { return contiguous(right ? packets : 0, packets); };
    if (t == swap) {
      if (r == 0 && p % 2 == 0) out.send(named(p - 1), out_buffer, half(true));
      if (r == 0) return;
      const bool right = r % 2 == 0, alone = r == p - 1 && !right;
      const Rank other = alone ? 0 : right ? r - 1 : r + 1;
      if (!alone) out.send(named(other), out_buffer, half(right));
      return out.recv(named(other), out_buffer, half(!right));
    }
    const auto segment = [&](Rank to) {  // that comes to the rank in this round; -1: none
      const Round since = t - tree->first[static_cast<std::size_t>(to)];
      const bool comes = since >= 0 && since % 2 == 0 && since / 2 < packets;
      return comes ? since / 2 + (to % 2 == 0 ? packets : 0) : -1;
    };
    if (r != 0 && segment(r) >= 0)
      out.recv(named(tree->parent[static_cast<std::size_t>(r)]), out_buffer, contiguous(segment(r), 1));
    for (const Rank child : tree->children[static_cast<std::size_t>(r)])
      if (segment(child) >= 0) out.send(named(child), out_buffer, contiguous(segment(child), 1));
  });
}

SchedulePtr scatter_ring(const Spec& spec, const Params&) {
  const Rank p = spec.ranks(), root = spec.root;
  const Round scatter = base::log2_ceil(p);
  const Shape shape{
      .ranks = p, .rounds = scatter + p - 1, .out = 1, .cut = {.bytes = spec.bytes, .parts = std::max<Slot>(p, 1)}};
  return told(shape, [=](Round t, Rank rank, Steps& out) {
    const Rank r = base::wrap(rank - root, p);
    const auto named = [&](Rank name) { return (name + root) % p; };
    if (t < scatter) {
      const Rank reach = base::bit(static_cast<int>(scatter - 1 - t));
      const auto pieces = [&](Rank of) { return contiguous(of, std::min(reach, p - of)); };
      if (r % (2 * reach) == 0 && r + reach < p) out.send(named(r + reach), out_buffer, pieces(r + reach));
      if (r % (2 * reach) == reach) out.recv(named(r - reach), out_buffer, pieces(r));
      return;
    }
    const Round s = t - scatter;
    if (r != p - 1) out.send(named(r + 1), out_buffer, contiguous(base::wrap(r - s, p), 1));  // the root lacks nothing
    if (r != 0) out.recv(named(r - 1), out_buffer, contiguous(base::wrap(r - 1 - s, p), 1));
  });
}

SchedulePtr gather_bcast(const Spec& spec, const Params&) {
  const Rank p = spec.ranks();
  const Shape shape{.ranks = p, .rounds = 1 + base::log2_ceil(p), .out = p, .cut = {.bytes = spec.bytes}};
  return told(shape, [=](Round t, Rank r, Steps& out) {
    if (t == 0) {
      if (r != 0) return out.send(0, out_buffer, contiguous(r, 1));
      for (Rank from = 1; from < p; ++from) out.recv(from, out_buffer, contiguous(from, 1));
      return;
    }
    const Rank informed = base::bit(static_cast<int>(t - 1));
    if (r < informed && r + informed < p) out.send(r + informed, out_buffer, contiguous(0, p));
    if (r >= informed && r < 2 * informed) out.recv(r - informed, out_buffer, contiguous(0, p));
  });
}

SchedulePtr bit_doubling(const Spec& spec, const Params&) {
  const Rank p = spec.ranks();
  const Shape shape{.ranks = p, .rounds = base::log2_ceil(p), .out = p, .cut = {.bytes = spec.bytes}};
  return told(shape, [=](Round t, Rank r, Steps& out) {
    const Rank bit = base::bit(static_cast<int>(t)), peer = r ^ bit;
    out.send(peer, out_buffer, contiguous(r & ~(bit - 1), bit));
    out.recv(peer, out_buffer, contiguous(peer & ~(bit - 1), bit));
  });
}

SchedulePtr neighbor_exchange(const Spec& spec, const Params&) {
  const Rank p = spec.ranks();
  const Shape shape{.ranks = p, .rounds = p / 2, .out = p, .cut = {.bytes = spec.bytes}};
  // The pairs of blocks that an even rank receives: its own one's, then from its left and its right by turns.
  const auto pair_of = [=](Rank even, Round t) {
    const Rank far = 2 * ((t + 1) / 2);
    return base::wrap(t % 2 == 1 ? even - far : even + far, p);
  };
  return told(shape, [=](Round t, Rank r, Steps& out) {
    const Rank even = r & ~Rank{1};
    const bool is_even = r == even;
    if (t == 0) {
      const Rank peer = r ^ 1;
      out.send(peer, out_buffer, contiguous(r, 1));
      return out.recv(peer, out_buffer, contiguous(peer, 1));
    }
    // To the rank that is not of its pair in odd rounds; an odd rank does what an even one does, mirrored.
    const bool right = is_even == (t % 2 == 0);
    const Rank peer = base::wrap(right ? r + 1 : r - 1, p);
    const auto got = [&](Rank of, Round in) {  // first block of what a rank receives in a round
      const Rank base_even = of & ~Rank{1};
      if (in == 0) return base_even;
      return of == base_even ? pair_of(base_even, in) : base::wrap(2 * base_even - pair_of(base_even, in), p);
    };
    out.send(peer, out_buffer, contiguous(got(r, t - 1), 2));
    out.recv(peer, out_buffer, contiguous(got(r, t), 2));
  });
}

SchedulePtr batches(const Spec& spec, const Params& params) {
  const Rank p = spec.ranks(), given = params.get("batch", 0);
  const Rank batch = given <= 0 ? std::max<Rank>(p - 1, 1) : given;
  const Shape shape{
      .ranks = p, .rounds = base::ceil_div(p - 1, batch), .in = p, .out = p, .cut = {.bytes = spec.bytes}};
  return told(shape, [=](Round t, Rank r, Steps& out) {
    for (Rank d = t * batch + 1; d <= std::min((t + 1) * batch, p - 1); ++d) {
      const Rank to = (r + d) % p, from = base::wrap(r - d, p);
      out.send(to, Buffer::in, contiguous(to, 1));
      out.recv(from, out_buffer, contiguous(from, 1));
    }
  });
}

SchedulePtr xor_pairs(const Spec& spec, const Params&) {
  const Rank p = spec.ranks();
  const Shape shape{.ranks = p, .rounds = p - 1, .in = p, .out = p, .cut = {.bytes = spec.bytes}};
  return told(shape, [=](Round t, Rank r, Steps& out) {
    const Rank peer = r ^ (t + 1);
    out.send(peer, Buffer::in, contiguous(peer, 1));
    out.recv(peer, out_buffer, contiguous(peer, 1));
  });
}

}  // namespace quadrille::algorithm::mpis
