#include "algorithm/alltoall/shared/port_turns.hpp"

#include <algorithm>
#include <memory>

#include "algorithm/pattern/shift.hpp"

namespace quadrille::algorithm::alltoall {

namespace {

Round rounds_of(const Turning& turning, std::size_t phase) {
  Round rounds = 0;
  for (const TurnPart& part : turning.parts) {
    const auto [a, c] = part.turns[phase];
    rounds = std::max(rounds, turning.together ? std::max(a, c) : a + c);
  }
  return rounds;
}

std::vector<pattern::AxisPhase> phases_of(const Turning& turning, const std::vector<int>& halves) {
  std::vector<pattern::AxisPhase> phases;
  for (std::size_t f = 0; f < halves.size(); ++f) phases.push_back({rounds_of(turning, f), halves[f]});
  return phases;
}

/// Sends or receives slots one after the other, those in a row as one segment.
class Joined {
 public:
  Joined(Steps& out, Kind kind, Rank peer) : out_(out), kind_(kind), peer_(peer) {}
  void add(Buffer buffer, Slot slot, Slot size = 1) {
    if (size_ > 0 && buffer == buffer_ && slot == first_ + size_) {
      size_ += size;
      return;
    }
    flush();
    buffer_ = buffer, first_ = slot, size_ = size;
  }
  void flush() {
    if (size_ > 0) out_.add({kind_, buffer_, peer_, contiguous(first_, size_)});
    size_ = 0;
  }

 private:
  Steps& out_;
  Kind kind_;
  Rank peer_;
  Buffer buffer_ = Buffer::in;
  Slot first_ = 0, size_ = 0;
};

/// A block on its way is labelled by a rank: by its source's coordinates on the axes done, its destination's on the
/// others. Before phase f a rank holds a block of every label; in the phase it gives away those whose coordinate on the
/// phase's axis is not its own and gets as many with the sources' coordinates.
///
/// In round q of a direction a rank passes on the bundles that came q-1 places and go on; the one that has come q
/// places stays with the neighbour. All that comes in a round is one run of one of two stretches of tmp, in turn; where
/// a bundle that stays lies in it, nothing is written again in the phase. Only in the last phase it is moved to `out`
/// while the others go on.
class Exchange final : public Schedule {
 public:
  Exchange(Turning turning, Bytes bytes, std::vector<pattern::AxisPhase> phases)
      : turning_(std::move(turning)), axes_(turning_.axes), phases_(std::move(phases)) {
    Slot tmp = 0;
    for (int f = 0; f < axes_.count(); ++f) {
      Slot most = 0;
      for (const TurnPart& part : turning_.parts) most = std::max(most, 2 * (axes_.ranks() - blocks(part, f)));
      base_.push_back(tmp);
      tmp += most;
    }
    const Rank p = axes_.ranks();
    const auto parts = static_cast<Slot>(turning_.parts.size());
    shape_ = {.ranks = p,
              .rounds = pattern::total_rounds(phases_),
              .in = p,
              .out = p,
              .tmp = tmp,
              .cut = {.bytes = bytes, .parts = parts}};
  }
  const Shape& shape() const override { return shape_; }
  Symmetry symmetry() const override {
    return {axes_.count() == 1 && phases_.front().halves == 1 ? Group::rotate : Group::none, false};
  }

  void step(Round t, Rank r, Steps& out) const override {
    const pattern::Moment now = pattern::moment_of(phases_, t);
    for (std::size_t i = 0; i < turning_.parts.size(); ++i) {
      const TurnPart& part = turning_.parts[i];
      const auto [a, c] = part.turns[static_cast<std::size_t>(now.phase)];
      const Stream stream{part, static_cast<Slot>(i), now.phase, now.half, r};
      if (now.phase == axes_.count() - 1 && now.round == 0 && now.half <= 0) settle(stream, out);
      if (now.round < a) pass(stream, now.round + 1, 1, out);
      const Round q = (turning_.together ? now.round : now.round - a) + 1;
      if (q >= 1 && q <= c) pass(stream, q, -1, out);
    }
  }

 private:
  /// One part's share of what rank r does in a phase.
  struct Stream {
    const TurnPart& part;
    Slot piece;
    int phase, half;
    Rank r;
    int axis() const { return part.order[static_cast<std::size_t>(phase)]; }
    const Turn& turn() const { return part.turns[static_cast<std::size_t>(phase)]; }
  };

  /// Blocks of a bundle.
  Slot blocks(const TurnPart& part, int phase) const {
    return axes_.ranks() / axes_.side(part.order[static_cast<std::size_t>(phase)]);
  }
  Slot in_tmp(const Stream& s, Slot slot) const { return s.piece * shape_.tmp + slot; }

  void pass(const Stream& s, Round q, Rank direction, Steps& out) const {
    const Rank reach = direction > 0 ? s.turn().clockwise : s.turn().back;
    const Rank next = axes_.along(s.r, s.axis(), direction), before = axes_.along(s.r, s.axis(), -direction);
    const bool last = s.phase == axes_.count() - 1;
    const bool odd = axes_.coordinate(s.r, s.axis()) % 2 != 0;
    const Slot size = blocks(s.part, s.phase);
    if ((s.half < 0 || odd == (s.half == 1)) && out.wants(Kind::send, next)) {
      Joined sent(out, Kind::send, next);
      for (Rank d = q; d <= reach; ++d) {
        // Bundles lie by growing coordinate: the one that goes farthest first or last.
        const Rank far = direction > 0 ? d : reach + q - d;
        if (q == 1)
          give(s, axes_.coordinate(axes_.along(s.r, s.axis(), direction * far), s.axis()), sent);
        else
          sent.add(Buffer::tmp, passing(s, direction, q - 1, far - q + 1), size);
      }
      sent.flush();
    }
    if (last && q > 1 && s.half <= 0) place(s, direction, q - 1, Kind::send, s.r, out);
    if (s.half >= 0 && odd != (s.half == 0)) return;
    if (last && q == reach)
      place(s, direction, q, Kind::recv, before, out);
    else
      out.recv(before, Buffer::tmp,
               contiguous(passing(s, direction, q, direction > 0 ? 0 : reach - q), (reach - q + 1) * size));
  }

  /// Where the bundle that came in round q and goes `further` places lies.
  Slot passing(const Stream& s, Rank direction, Round q, Rank further) const {
    const auto [a, c] = s.turn();
    const Slot size = blocks(s.part, s.phase), base = base_[static_cast<std::size_t>(s.phase)];
    if (direction > 0) return in_tmp(s, base + (q % 2 * a + q - 1 + further) * size);
    return in_tmp(s, base + (2 * a + q % 2 * c + c - q - further) * size);
  }

  /// A rank's own bundle for a coordinate of the phase's axis, from wherever its blocks came to lie.
  void give(const Stream& s, Rank coordinate, Joined& sent) const {
    for (Slot i = 0, n = blocks(s.part, s.phase); i < n; ++i) {
      const Rank label = label_of(s.axis(), coordinate, i);
      int f = s.phase - 1;
      while (f >= 0 && here(s, f, label)) --f;
      if (f < 0)
        sent.add(Buffer::in, s.piece * shape_.in + label);
      else
        sent.add(Buffer::tmp, arrival({s.part, s.piece, f, s.half, s.r}, label));
    }
  }

  /// The blocks of the bundle that came in round q of the last phase, in out; `kind` send: moved there from tmp.
  void place(const Stream& s, Rank direction, Round q, Kind kind, Rank peer, Steps& out) const {
    const Slot size = blocks(s.part, s.phase);
    const Rank source = axes_.coordinate(axes_.along(s.r, s.axis(), -direction * q), s.axis());
    if (kind == Kind::send) out.send(peer, Buffer::tmp, contiguous(passing(s, direction, q, 0), size));
    Joined placed(out, Kind::recv, peer);
    for (Slot i = 0; i < size; ++i) placed.add(Buffer::out, s.piece * shape_.out + label_of(s.axis(), source, i));
    placed.flush();
  }

  /// Blocks that are at their destination before the last phase are moved to their place.
  void settle(const Stream& s, Steps& out) const {
    Joined from(out, Kind::send, s.r), to(out, Kind::recv, s.r);
    for (Slot i = 0, n = blocks(s.part, s.phase); i < n; ++i) {
      const Rank label = label_of(s.axis(), axes_.coordinate(s.r, s.axis()), i);
      int f = s.phase - 1;
      while (f >= 0 && here(s, f, label)) --f;
      if (f < 0) continue;  // its own
      from.add(Buffer::tmp, arrival({s.part, s.piece, f, s.half, s.r}, label));
      to.add(Buffer::out, s.piece * shape_.out + label);
    }
    from.flush();
    to.flush();
  }

  /// Whether a label has the rank's own coordinate on the axis of a phase.
  bool here(const Stream& s, int phase, Rank label) const {
    const int axis = s.part.order[static_cast<std::size_t>(phase)];
    return axes_.coordinate(label, axis) == axes_.coordinate(s.r, axis);
  }
  /// Where the block of a label came to lie in the stream's phase.
  Slot arrival(const Stream& s, Rank label) const {
    const int axis = s.axis();
    const Rank n = axes_.side(axis), step = axes_.step(axis);
    const Rank places = base::wrap(axes_.coordinate(s.r, axis) - axes_.coordinate(label, axis), n);
    const Slot index = label / (n * step) * step + label % step;
    return places <= s.turn().clockwise ? passing(s, 1, places, 0) + index : passing(s, -1, n - places, 0) + index;
  }
  /// The i-th label, by rank, with a coordinate on an axis.
  Rank label_of(int axis, Rank coordinate, Slot i) const {
    const Rank step = axes_.step(axis);
    return (i / step * axes_.side(axis) + coordinate) * step + i % step;
  }

  Turning turning_;
  const pattern::Axes& axes_;
  std::vector<pattern::AxisPhase> phases_;
  std::vector<Slot> base_;  ///< where the stretches of a phase begin
  Shape shape_;
};

std::vector<int> halves_of(const Turning& turning, const Machine& machine) {
  std::vector<int> halves;
  for (const int axis : turning.parts.front().order)
    halves.push_back(pattern::axis_splits(machine, turning.axes.side(axis)) ? 2 : 1);
  return halves;
}

/// Parts that go along different axes split by the colour of ranks, not by a coordinate.
bool one_order(const Turning& turning) { return static_cast<int>(turning.parts.size()) == turning.ways; }

}  // namespace

std::string turning_illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::needs_wrapping_axes(spec); !reason.empty()) return reason;
  const pattern::Axes axes = pattern::axes_of(spec);
  if (std::string reason = pattern::axis_illegal(axes, params.get("first", 0)); !reason.empty()) return reason;
  return pattern::axes_split_illegal(spec, axes, machine);
}

bool turns_together(const Machine& machine) { return !kit::half_duplex(machine) && machine.ports == Ports::all; }

Turn shorter_way(Rank side) { return {side / 2, (side - 1) / 2}; }

Turning turning_of(const pattern::Axes& axes, const std::vector<std::vector<int>>& orders, Turn (*turn_of)(Rank side),
                   bool together) {
  Turning turning{.axes = axes, .parts = {}, .together = together};
  for (const std::vector<int>& order : orders) {
    TurnPart part{order, {}};
    for (const int axis : order) part.turns.push_back(turn_of(axes.side(axis)));
    turning.parts.push_back(std::move(part));
  }
  return turning;
}

Turning both_ways(Turning turning) {
  std::vector<TurnPart> parts;
  for (const TurnPart& part : turning.parts) {
    parts.push_back(part);
    parts.push_back(part);
    for (Turn& turn : parts.back().turns) turn = {turn.back, turn.clockwise};
  }
  turning.parts = std::move(parts);
  turning.ways = 2;
  return turning;
}

SchedulePtr turning_build(const Spec& spec, const Machine& machine, const Turning& turning) {
  const std::vector<int> halves = halves_of(turning, machine);
  if (one_order(turning)) return std::make_shared<Exchange>(turning, spec.bytes, phases_of(turning, halves));
  const std::vector<int> whole(halves.size(), 1);
  SchedulePtr all = std::make_shared<Exchange>(turning, spec.bytes, phases_of(turning, whole));
  return halves.front() == 2 ? schedule::half_split(std::move(all), spec.topology) : all;
}

}  // namespace quadrille::algorithm::alltoall
