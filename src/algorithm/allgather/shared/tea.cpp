#include "algorithm/allgather/shared/tea.hpp"

#include <mutex>

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::allgather {

namespace {

/// Slots are named by owner, relative to the receiver: rank r gets z into slot r xor z.
class Tea : public Schedule {
 public:
  const Shape& shape() const override { return shape_; }
  Symmetry symmetry() const override { return {grouped() ? Group::xor_even : Group::xor_all, false}; }

  void step(Round t, Rank r, Steps& out) const override {
    const bool sends = !grouped() || base::popcount(r) % 2 == t % 2;
    for (int j = 0; j < n_; ++j) {
      const Rank peer = r ^ base::bit(j);
      if (sends && out.wants(Kind::send, peer)) send(t, j, peer, out);
      if ((!sends || !grouped()) && out.wants(Kind::recv, peer)) receive(t, j, r, out);
    }
  }

 protected:
  Tea(int n, Bytes bytes, TeaSteps steps)
      : n_(n),
        steps_(steps),
        shape_{.ranks = base::bit(n), .rounds = tea_rounds(n, steps), .out = base::bit(n), .cut = {.bytes = bytes}} {}
  /// What crosses the links of dimension j in step t, seen from the end that sends to `receiver`, and from the other.
  virtual void send(Round t, int j, Rank receiver, Steps& out) const = 0;
  virtual void receive(Round t, int j, Rank receiver, Steps& out) const = 0;
  bool grouped() const { return steps_ == TeaSteps::grouped; }
  Spread::Weights weights(Round t) const { return tea_weights(n_, steps_, t); }

  int n_;
  TeaSteps steps_;
  Shape shape_;
};

/// A block comes over every link that it may cross. The copy over the lowest counts and travels first, the others fall
/// into tmp, where each has a slot of its own: nothing is written twice in a round.
class Tea1 final : public Tea {
 public:
  Tea1(int n, Bytes bytes, TeaSteps steps) : Tea(n, bytes, steps) {
    for (Round t = 0; t < shape_.rounds; ++t) most_ = std::max(most_, share(t));
    shape_.tmp = most_ * (n - 1);
  }

 private:
  void send(Round t, int j, Rank receiver, Steps& out) const override {
    const auto one = [&](Rank z) { out.send(receiver, Buffer::out, contiguous(receiver ^ z, 1)); };
    for (int w = weights(t).low; w <= weights(t).high; ++w) {
      each_counted(j, w, one);
      each_repeat(j, w, one);
    }
  }
  void receive(Round t, int j, Rank receiver, Steps& out) const override {
    const Rank from = receiver ^ base::bit(j);
    Slot spare = (j - 1) * most_;
    for (int w = weights(t).low; w <= weights(t).high; ++w) {
      each_counted(j, w, [&](Rank z) { out.recv(from, Buffer::out, contiguous(receiver ^ z, 1)); });
      const Slot repeats = base::binomial(n_ - 1, w - 1) - base::binomial(n_ - 1 - j, w - 1);
      if (repeats > 0) out.recv(from, Buffer::tmp, contiguous(spare, repeats));
      spare += repeats;
    }
  }
  /// Blocks on a link in step t.
  Slot share(Round t) const {
    Slot blocks = 0;
    for (int w = weights(t).low; w <= weights(t).high; ++w) blocks += base::binomial(n_ - 1, w - 1);
    return blocks;
  }
  /// Calls visit(z) for the words z of w ones of which j is the lowest.
  template <class Visit>
  void each_counted(int j, int w, Visit visit) const {
    each_of_weight(n_ - 1 - j, w - 1, [&](Rank above) { visit((above << 1 | 1) << j); });
  }
  /// Calls visit(z) for the words z of w ones of which j is one and not the lowest.
  template <class Visit>
  void each_repeat(int j, int w, Visit visit) const {
    const Rank low = base::bit(j) - 1;
    each_of_weight(n_ - 1, w - 1, [&](Rank others) {
      if ((others & low) != 0) visit((others & ~low) << 1 | base::bit(j) | (others & low));
    });
  }
  /// Calls visit(word) for the words of `length` bits with `ones` ones, in increasing order.
  template <class Visit>
  static void each_of_weight(int length, int ones, Visit visit) {
    if (ones > length) return;
    const std::uint64_t end = std::uint64_t{1} << length;
    for (std::uint64_t x = (std::uint64_t{1} << ones) - 1; x < end;) {
      visit(static_cast<Rank>(x));
      if (x == 0) return;
      const std::uint64_t lowest = x & (~x + 1), ripple = x + lowest;  // the next larger word with as many ones
      x = ripple | ((x ^ ripple) >> (std::countr_zero(x) + 2));
    }
  }

  Slot most_ = 0;  ///< blocks on a link in the fullest step
};

class Tea2 final : public Tea {
 public:
  Tea2(int n, Bytes bytes, TeaSteps steps) : Tea(n, bytes, steps) {}

 private:
  void send(Round t, int j, Rank receiver, Steps& out) const override {
    for (const Rank z : share(t, j)) out.send(receiver, Buffer::out, contiguous(receiver ^ z, 1));
  }
  void receive(Round t, int j, Rank receiver, Steps& out) const override {
    for (const Rank z : share(t, j)) out.recv(receiver ^ base::bit(j), Buffer::out, contiguous(receiver ^ z, 1));
  }
  std::vector<std::uint32_t> share(Round t, int j) const {
    std::call_once(built_, [&] {
      std::vector<Spread::Weights> all;
      for (Round u = 0; u < shape_.rounds; ++u) all.push_back(weights(u));
      spread_ = std::make_unique<Spread>(n_, all);
    });
    std::vector<std::uint32_t> z;
    spread_->members(static_cast<std::size_t>(t), j, z);
    return z;
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
  const int n = kit::dimension(spec);
  Slot packed = 0;
  for (Round t = 0; t < tea_rounds(n, steps); ++t) {
    const auto [low, high] = tea_weights(n, steps, t);
    Slot share = 0;
    for (int w = low; w <= high; ++w) share += base::binomial(n - 1, w - 1);
    if (share < 2) continue;
    // A rank sends over n links, of which those up to n - low bring blocks that count; or it does one and then the
    // other.
    const int links = steps == TeaSteps::grouped ? n : kit::half_duplex(machine) ? 2 * n : n + (n - low + 1);
    packed += links * share;
  }
  return base::checked_multiply(packed, spec.bytes, "bytes packed");
}

Bytes tea2_packed(const Spec& spec, TeaSteps steps) {
  const int n = kit::dimension(spec);
  Slot packed = 0;
  for (Round t = 0; t < tea_rounds(n, steps); ++t) {
    Slot blocks = 0;  // on all links, which carry equally many but for one
    for (int w = tea_weights(n, steps, t).low; w <= tea_weights(n, steps, t).high; ++w) blocks += base::binomial(n, w);
    packed += blocks >= 2 * n ? blocks : 2 * std::max<Slot>(blocks - n, 0);
  }
  return base::checked_multiply(steps == TeaSteps::grouped ? packed : 2 * packed, spec.bytes, "bytes packed");
}

std::string tea_illegal(const Spec& spec, const Machine& machine, TeaSteps steps) {
  if (std::string reason = kit::needs_hypercube(spec); !reason.empty()) return reason;
  if (steps == TeaSteps::grouped && !kit::half_duplex(machine))
    return fmt::format(
        "grouping saves start-ups where the two directions of a wire take turns; full-duplex wires would idle half of "
        "the time; try {}",
        machine.ports == Ports::all ? "allgather_tea2 or --set duplex=half" : "--set duplex=half --set ports=all");
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  return {};
}

}  // namespace quadrille::algorithm::allgather
