#include "algorithm/tea.hpp"

#include <mutex>

#include "algorithm/support.hpp"

namespace quadrille {

namespace {

/// Slots are named by owner, relative to the receiver: rank r gets z into slot r xor z.
class Tea : public Schedule {
 public:
  const Shape& shape() const override { return shape_; }
  Symmetry symmetry() const override { return {grouped() ? Group::xor_even : Group::xor_all, false}; }

  void step(Round t, Rank r, Steps& out) const override {
    const bool sends = !grouped() || popcount(r) % 2 == t % 2;
    std::vector<std::uint32_t> z;
    for (int j = 0; j < n_; ++j) {
      const Rank peer = r ^ bit(j);
      const bool send = sends && out.wants(Kind::send, peer);
      const bool recv = (!sends || !grouped()) && out.wants(Kind::recv, peer);
      if (send || recv) share(t, j, z);
      if (send)
        for (const std::int64_t owner : z) out.send(peer, Buffer::out, contiguous(peer ^ owner, 1));
      if (recv) receive(r, j, z, out);
    }
  }

 protected:
  Tea(int n, Bytes bytes, TeaSteps steps)
      : n_(n),
        steps_(steps),
        shape_{.ranks = bit(n), .rounds = tea_rounds(n, steps), .out = bit(n), .cut = {.bytes = bytes}} {}
  /// What crosses the links of dimension j in step t.
  virtual void share(Round t, int j, std::vector<std::uint32_t>& z) const = 0;
  virtual void receive(Rank r, int j, const std::vector<std::uint32_t>& z, Steps& out) const {
    for (const std::int64_t owner : z) out.recv(r ^ bit(j), Buffer::out, contiguous(r ^ owner, 1));
  }
  bool grouped() const { return steps_ == TeaSteps::grouped; }
  Spread::Weights weights(Round t) const { return tea_weights(n_, steps_, t); }

  int n_;
  TeaSteps steps_;
  Shape shape_;
};

/// A block comes over every link that it may cross. The copy over the lowest counts, the others fall into tmp, each in
/// a slot of its own: nothing is written twice in a round.
class Tea1 final : public Tea {
 public:
  Tea1(int n, Bytes bytes, TeaSteps steps) : Tea(n, bytes, steps) {
    for (Round t = 0; t < shape_.rounds; ++t) {
      Slot share = 0;
      for (int w = weights(t).low; w <= weights(t).high; ++w) share += binomial(n - 1, w - 1);
      most_ = std::max(most_, share);
    }
    shape_.tmp = most_ * (n - 1);
  }

 private:
  void share(Round t, int j, std::vector<std::uint32_t>& z) const override {
    z.clear();
    for (int w = weights(t).low; w <= weights(t).high; ++w) {
      const std::uint64_t end = std::uint64_t{1} << (n_ - 1);
      for (std::uint64_t x = (std::uint64_t{1} << (w - 1)) - 1; x < end; x = w == 1 ? end : next_of_weight(x))
        z.push_back(static_cast<std::uint32_t>(((x >> j << 1 | 1) << j) | (x & ((std::uint64_t{1} << j) - 1))));
    }
  }
  void receive(Rank r, int j, const std::vector<std::uint32_t>& z, Steps& out) const override {
    Slot spare = (j - 1) * most_;
    for (const std::int64_t owner : z)
      if ((owner & (bit(j) - 1)) == 0)
        out.recv(r ^ bit(j), Buffer::out, contiguous(r ^ owner, 1));
      else
        out.recv(r ^ bit(j), Buffer::tmp, contiguous(spare++, 1));
  }
  /// The next larger number with as many ones.
  static std::uint64_t next_of_weight(std::uint64_t x) {
    const std::uint64_t lowest = x & (~x + 1), ripple = x + lowest;
    return ripple | ((x ^ ripple) >> (std::countr_zero(x) + 2));
  }

  Slot most_ = 0;  ///< blocks on a link in the fullest step
};

class Tea2 final : public Tea {
 public:
  Tea2(int n, Bytes bytes, TeaSteps steps) : Tea(n, bytes, steps) {}

 private:
  void share(Round t, int j, std::vector<std::uint32_t>& z) const override {
    std::call_once(built_, [&] {
      std::vector<Spread::Weights> all;
      for (Round u = 0; u < shape_.rounds; ++u) all.push_back(weights(u));
      spread_ = std::make_unique<Spread>(n_, all);
    });
    spread_->members(static_cast<std::size_t>(t), j, z);
  }
  mutable std::once_flag built_;  // 2^n / n words: not before a step is asked for
  mutable std::unique_ptr<const Spread> spread_;
};

}  // namespace

Spread::Weights tea_weights(int n, TeaSteps steps, Round t) {
  const int h = static_cast<int>(t) + 1;
  return steps == TeaSteps::plain ? Spread::Weights{h, h} : Spread::Weights{std::max(h - 1, 1), std::min(h, n)};
}

SchedulePtr tea1_schedule(int n, Bytes bytes, TeaSteps steps) { return std::make_shared<Tea1>(n, bytes, steps); }
SchedulePtr tea2_schedule(int n, Bytes bytes, TeaSteps steps) { return std::make_shared<Tea2>(n, bytes, steps); }

Bytes tea1_packed(const Spec& spec, const Machine& machine, TeaSteps steps) {
  const int n = dimension(spec);
  Slot packed = 0;
  for (Round t = 0; t < tea_rounds(n, steps); ++t) {
    const auto [low, high] = tea_weights(n, steps, t);
    Slot share = 0;
    for (int w = low; w <= high; ++w) share += binomial(n - 1, w - 1);
    if (share < 2) continue;
    // A rank sends over n links, of which those up to n - low bring blocks that count; or it does one and then the
    // other.
    const int links = steps == TeaSteps::grouped ? n : half_duplex(machine) ? 2 * n : n + (n - low + 1);
    packed += links * share;
  }
  return checked_multiply(packed, spec.bytes, "bytes packed");
}

Bytes tea2_packed(const Spec& spec, TeaSteps steps) {
  const int n = dimension(spec);
  Slot packed = 0;
  for (Round t = 0; t < tea_rounds(n, steps); ++t) {
    Slot blocks = 0;  // on all links, which carry equally many but for one
    for (int w = tea_weights(n, steps, t).low; w <= tea_weights(n, steps, t).high; ++w) blocks += binomial(n, w);
    packed += blocks >= 2 * n ? blocks : 2 * std::max<Slot>(blocks - n, 0);
  }
  return checked_multiply(steps == TeaSteps::grouped ? packed : 2 * packed, spec.bytes, "bytes packed");
}

std::string tea_illegal(const Spec& spec, const Machine& machine, TeaSteps steps) {
  if (std::string reason = needs_hypercube(spec); !reason.empty()) return reason;
  if (steps == TeaSteps::grouped && !half_duplex(machine))
    return fmt::format(
        "grouping saves start-ups where the two directions of a wire take turns; full-duplex wires would idle half of "
        "the time; try {}",
        machine.ports == Ports::all ? "allgather_tea2 or --set duplex=half" : "--set duplex=half --set ports=all");
  if (std::string reason = needs_all_ports(machine); !reason.empty()) return reason;
  return {};
}

}  // namespace quadrille
