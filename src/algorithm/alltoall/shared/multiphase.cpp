#include "algorithm/alltoall/shared/multiphase.hpp"

#include <numeric>

#include "algorithm/kit/support.hpp"

namespace quadrille {

Partition equipartition(std::int64_t d, std::int64_t k) {
  Partition parts(static_cast<std::size_t>(k), d / k);
  for (std::int64_t i = 0; i < d % k; ++i) ++parts[static_cast<std::size_t>(k - 1 - i)];
  return parts;
}

std::vector<Partition> partitions(std::int64_t d) {
  std::vector<Partition> all;
  Partition prefix;
  const auto extend = [&](auto&& self, std::int64_t rest, std::int64_t least) -> void {
    for (std::int64_t part = least; 2 * part <= rest; ++part) {
      prefix.push_back(part);
      self(self, rest - part, part);
      prefix.pop_back();
    }
    prefix.push_back(rest);
    all.push_back(prefix);
    prefix.pop_back();
  };
  extend(extend, d, 1);
  return all;
}

}  // namespace quadrille

namespace quadrille::algorithm::alltoall {

Cost multiphase_cost(const Partition& phases, Bytes bytes, bool charge_identity) {
  const std::int64_t d = std::accumulate(phases.begin(), phases.end(), std::int64_t{0});
  const std::int64_t ranks = base::bit(static_cast<int>(d));
  Cost cost;
  for (const std::int64_t n : phases) {
    const std::int64_t partners = base::bit(static_cast<int>(n));
    cost.startups += partners - 1;
    cost.hops += n * partners / 2;
    cost.bytes =
        base::checked_add(cost.bytes, base::checked_multiply(ranks - ranks / partners, bytes, "bytes"), "bytes");
    if (phases.size() > 1 || charge_identity)
      cost.permuted = base::checked_add(cost.permuted, base::checked_multiply(ranks, bytes, "bytes"), "bytes");
    ++cost.barriers;
  }
  return cost;
}

}  // namespace quadrille::algorithm::alltoall

namespace quadrille {

namespace {

/// Lists L0 = in, L1, ..., Lk = out: Li is in `out` or in the second half of tmp, alternating so that the last is out.
/// Phase i reads L(i-1), receives into T (first half of tmp) at the same positions, then permutes both into Li. After
/// i phases that span D dimensions a list's position is the destination, its high D bits replaced by the source's and
/// all turned left by D. [docs/how-it-works/derivations.md]
class Multiphase final : public Schedule {
 public:
  Multiphase(Partition phases, Bytes bytes, bool charge_identity, bool barriers)
      : phases_(std::move(phases)), barriers_(barriers) {
    permutes_ = phases_.size() > 1 || charge_identity;
    int spanned = 0;
    Round start = 0;
    for (const std::int64_t n : phases_) {
      starts_.push_back(start);
      spanned_.push_back(spanned);
      start += base::bit(static_cast<int>(n)) - 1 + (permutes_ ? 1 : 0);
      spanned += static_cast<int>(n);
    }
    spanned_.push_back(spanned);
    d_ = spanned;
    const Rank p = base::bit(d_);
    shape_ = {.ranks = p,
              .rounds = start,
              .in = p,
              .out = p,
              .tmp = permutes_ ? (phases_.size() > 1 ? 2 * p : p) : 0,
              .cut = {.bytes = bytes}};
  }

  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    const std::size_t i = phase(t);
    const int n = static_cast<int>(phases_[i]);
    const int stop = d_ - spanned_[i] - n;
    const Slot run = base::bit(d_ - n);
    const Round j = t - starts_[i] + 1;
    const Place from = list(i);
    if (j < base::bit(n)) {
      const Rank peer = r ^ (j << stop);
      const Slot at = digit(peer, stop, n) * run;
      out.send(peer, from.buffer, contiguous(from.base + at, run));
      out.recv(peer, permutes_ ? Buffer::tmp : Buffer::out, contiguous(at, run));
    } else {
      permute(i, r, n, digit(r, stop, n), run, out);
    }
  }

  bool barrier(Round t) const override { return barriers_ && t == starts_[phase(t)]; }
  Symmetry symmetry() const override { return {Group::xor_all, false}; }

  Slot twist(Round t, Buffer buffer, Slot first, Rank by) const override {
    const std::size_t i = phase(t);
    if (buffer == Buffer::in) return by;
    const bool received = permutes_ ? buffer == Buffer::tmp && first < shape_.ranks : true;
    const bool before = received || list(i).buffer == buffer;
    return base::rotate_left(by, spanned_[before ? i : i + 1] % d_, d_);
  }

 private:
  struct Place {
    Buffer buffer;
    Slot base;
  };
  static Slot digit(Rank r, int stop, int n) { return (r >> stop) & (base::bit(n) - 1); }
  std::size_t phase(Round t) const {
    std::size_t i = phases_.size() - 1;
    while (starts_[i] > t) --i;
    return i;
  }
  /// Where the list stands after i phases.
  Place list(std::size_t i) const {
    if (i == 0) return {Buffer::in, 0};
    if ((phases_.size() - i) % 2 == 0) return {Buffer::out, 0};
    return {Buffer::tmp, shape_.ranks};
  }
  /// Position v*run + w goes to w*2^n + v; the run of the rank's own v was not exchanged and is still in the old list.
  void permute(std::size_t i, Rank r, int n, Slot own, Slot run, Steps& out) const {
    if (!out.wants(Kind::send, r) && !out.wants(Kind::recv, r)) return;
    const Place old = list(i), fresh = list(i + 1);
    const Slot values = base::bit(n);
    const auto source = [&](Slot v) { return v == own ? old : Place{Buffer::tmp, 0}; };
    if (values <= run) {
      for (Slot v = 0; v < values; ++v)
        out.move(r, source(v).buffer, contiguous(source(v).base + v * run, run), fresh.buffer,
                 {fresh.base + v, 1, values, run});
      return;
    }
    for (Slot w = 0; w < run; ++w) {
      const auto section = [&](Slot v, Slot size) {
        if (size > 0)
          out.move(r, source(v).buffer, {source(v).base + v * run + w, 1, run, size}, fresh.buffer,
                   contiguous(fresh.base + w * values + v, size));
      };
      section(0, own);
      section(own, 1);
      section(own + 1, values - own - 1);
    }
  }

  Partition phases_;
  bool barriers_, permutes_ = false;
  int d_ = 0;
  std::vector<Round> starts_;
  std::vector<int> spanned_;
  Shape shape_;
};

}  // namespace

}  // namespace quadrille

namespace quadrille::algorithm::alltoall {

namespace {

/// Circuits of two phases would wait for each other; elsewhere a rank waits for what it needs, and for no more.
bool has_barriers(const Machine& machine) { return machine.switching == Switching::circuit; }

}  // namespace

SchedulePtr multiphase_schedule(const Partition& phases, Bytes bytes, bool charge_identity, bool barriers) {
  return std::make_shared<Multiphase>(phases, bytes, charge_identity, barriers);
}

std::string multiphase_illegal(const Spec& spec, const Machine& machine, const Partition& phases) {
  if (const std::string reason = kit::needs_hypercube(spec); !reason.empty()) return reason;
  if (phases.empty()) return {};
  const std::int64_t d = kit::dimension(spec);
  std::int64_t sum = 0, longest = 0;
  for (const std::int64_t n : phases) sum += n, longest = std::max(longest, n);
  if (sum != d)
    return fmt::format("phases {} add up to {}, and {} has {} dimensions; try phases={}", fmt::join(phases, ","), sum,
                       spec.topology->text(), d, fmt::join(equipartition(d, std::min<std::int64_t>(d, 2)), ","));
  if (longest > 1 && machine.switching == Switching::store_and_forward)
    return "a phase longer than 1 sends to ranks that are not neighbours, which needs circuit or wormhole switching; "
           "try alltoall_standard or --set switching=circuit";
  if (longest > 1 && kit::half_duplex(machine))
    return "a phase longer than 1 needs full-duplex links: different pairs use the two directions of a wire; try "
           "alltoall_standard or --set duplex=full";
  return {};
}

SchedulePtr multiphase_build(const Spec& spec, const Machine& machine, const Partition& phases, bool charge_identity) {
  return kit::split_if_half(multiphase_schedule(phases, spec.bytes, charge_identity, has_barriers(machine)), spec,
                            machine);
}

Cost multiphase_formula(const Spec& spec, const Machine& machine, const Partition& phases, bool charge_identity) {
  Cost cost = multiphase_cost(phases, spec.bytes, charge_identity);
  if (!has_barriers(machine)) cost.barriers = 0;
  if (kit::half_duplex(machine))
    cost.startups *= 2, cost.hops *= 2, cost.bytes = base::checked_multiply(cost.bytes, 2, "bytes");
  return cost;
}

}  // namespace quadrille::algorithm::alltoall
