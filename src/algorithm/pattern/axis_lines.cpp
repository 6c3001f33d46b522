#include "algorithm/pattern/axis_lines.hpp"

#include <algorithm>
#include <memory>

#include "algorithm/pattern/shift.hpp"

namespace quadrille::algorithm::pattern {

namespace {

/// Bundles list their blocks with the next axis of the order slowest, so that what goes on along it is one run. In tmp
/// a rank keeps the bundle it is to hand on, its own block first, and behind it one of two passing by, in turn. Its own
/// block goes to its place in the last round.
class LineScatter final : public Schedule {
 public:
  LineScatter(const Axes& axes, Bytes bytes, std::vector<LinePart> parts, std::vector<AxisPhase> phases, Round interval)
      : axes_(axes), parts_(std::move(parts)), phases_(std::move(phases)), interval_(interval) {
    for (const LinePart& part : parts_) largest_ = std::max(largest_, bundle(part.order, 0));
    shape_ = {.ranks = axes_.ranks(),
              .rounds = total_rounds(phases_),
              .in = axes_.ranks(),
              .out = 1,
              .tmp = 3 * largest_,
              .cut = {.bytes = bytes, .parts = static_cast<Slot>(parts_.size())}};
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    const Moment now = moment_of(phases_, t);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const std::vector<int>& order = parts_[part].order;
      if (t == shape_.rounds - 1) settle(part, r, out);
      const int axis = order[static_cast<std::size_t>(now.phase)];
      if (last_axis(order, r) > now.phase) continue;  // not reached yet
      const Rank x = axes_.coordinate(r, axis);
      if (x <= reach(part, axis).up) walk(part, now, r, x, 1, out);
      if (x == 0 || x > reach(part, axis).up) walk(part, now, r, x == 0 ? 0 : axes_.side(axis) - x, -1, out);
    }
  }

 private:
  const Reach& reach(std::size_t part, int axis) const { return parts_[part].reach[static_cast<std::size_t>(axis)]; }
  /// The phase that reaches a rank; -1: the root.
  int last_axis(const std::vector<int>& order, Rank r) const {
    int f = axes_.count() - 1;
    while (f >= 0 && axes_.coordinate(r, order[static_cast<std::size_t>(f)]) == 0) --f;
    return f;
  }
  /// Blocks of a bundle in a phase.
  Slot bundle(const std::vector<int>& order, int phase) const {
    Slot blocks = 1;
    for (std::size_t j = static_cast<std::size_t>(phase) + 1; j < order.size(); ++j) blocks *= axes_.side(order[j]);
    return blocks;
  }
  Slot tmp(std::size_t part, Slot slot) const { return static_cast<Slot>(part) * shape_.tmp + slot; }

  void settle(std::size_t part, Rank r, Steps& out) const {
    const int f = last_axis(parts_[part].order, r);
    if (f >= 0 && f < axes_.count() - 1)
      out.move(r, Buffer::tmp, contiguous(tmp(part, 0), 1), Buffer::out, contiguous(static_cast<Slot>(part), 1));
  }

  /// What rank r does at this distance from the head of its line on the side that `direction` points to.
  void walk(std::size_t part, const Moment& now, Rank r, Rank distance, Rank direction, Steps& out) const {
    const std::vector<int>& order = parts_[part].order;
    const int axis = order[static_cast<std::size_t>(now.phase)];
    const Slot blocks = bundle(order, now.phase);
    const auto passing = [&](Round round) { return contiguous(tmp(part, largest_ * (1 + round % 2)), blocks); };
    if (const Rank d = leaving(part, now.round, distance, direction, axis); d > 0) {
      const Rank next = axes_.along(r, axis, direction);
      if (distance > 0)
        out.send(next, Buffer::tmp, passing(now.round + 1));
      else
        hand_on(part, now.phase, r, base::wrap(direction * d, axes_.side(axis)),
                [&](Buffer b, const Slots& s) { out.send(next, b, s); });
    }
    if (distance == 0) return;
    if (const Rank d = leaving(part, now.round, distance - 1, direction, axis); d > 0) {
      const Rank before = axes_.along(r, axis, -direction);
      if (d > distance)
        out.recv(before, Buffer::tmp, passing(now.round));
      else if (now.phase == axes_.count() - 1)
        out.recv(before, Buffer::out, contiguous(static_cast<Slot>(part), 1));
      else
        out.recv(before, Buffer::tmp, contiguous(tmp(part, 0), blocks));
    }
  }

  /// The bundle for coordinate y of the phase's axis, where the head of a line keeps it.
  template <class Append>
  void hand_on(std::size_t part, int phase, Rank r, Rank y, Append append) const {
    const std::vector<int>& order = parts_[part].order;
    const Slot blocks = bundle(order, phase);
    if (r != 0) return append(Buffer::tmp, contiguous(tmp(part, y * blocks), blocks));
    const Slot base = static_cast<Slot>(part) * shape_.in;
    const int axis = order[static_cast<std::size_t>(phase)];
    for (Slot i = 0, run = 1; i < blocks; i += run) {
      Rank owner = axes_.with(0, axis, y);
      Slot rest = i;
      run = 1;
      bool inner = true;
      for (std::size_t j = order.size(); j-- > static_cast<std::size_t>(phase) + 1;) {
        const Rank n = axes_.side(order[j]);
        owner = axes_.with(owner, order[j], rest % n), rest /= n;
        inner = inner && run == axes_.step(order[j]);
        if (inner) run *= n;
      }
      append(Buffer::in, contiguous(base + owner, run));
    }
  }

  /// The distance for which the bundle is that leaves distance `tail` in a round of a phase; 0 if none does.
  Rank leaving(std::size_t part, Round round, Rank tail, Rank direction, int axis) const {
    const Round since = round - tail;
    if (since < 0 || since % interval_ != 0) return 0;
    const Rank d = reach(part, axis).far() - since / interval_;
    return d > tail && d <= (direction > 0 ? reach(part, axis).up : reach(part, axis).down) ? d : 0;
  }

  Axes axes_;
  std::vector<LinePart> parts_;
  std::vector<AxisPhase> phases_;
  Round interval_;
  Slot largest_ = 1;
  Shape shape_;
};

}  // namespace

Reach reach_of(const Axes& axes, int axis, Rank root) {
  const Rank n = axes.side(axis), down = axes.coordinate(root, axis);
  return axes.wraps ? Reach{n / 2, (n - 1) / 2} : Reach{n - 1 - down, down};
}

std::vector<LinePart> both_ways(const std::vector<LinePart>& parts) {
  std::vector<LinePart> both;
  for (const LinePart& part : parts) {
    both.push_back(part);
    both.push_back(part);
    for (Reach& reach : both.back().reach) std::swap(reach.up, reach.down);
  }
  return both;
}

std::string ways_illegal(const Machine& machine, Rank side, std::int64_t ways) {
  if (ways == 1 || (side > 2 && side % 2 == 0 && machine.ports == Ports::all && !one_way(machine))) return {};
  return "ways=2 halves the blocks for ranks half way round an even number of more than two, and takes ranks that "
         "send while they receive; try ways=1";
}

SchedulePtr lines_schedule(const Axes& axes, Bytes bytes, std::vector<LinePart> parts,
                           const std::vector<AxisPhase>& phases, Round interval) {
  return std::make_shared<LineScatter>(axes, bytes, std::move(parts), phases, interval);
}

}  // namespace quadrille::algorithm::pattern
