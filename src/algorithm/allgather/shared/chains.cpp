#include "algorithm/allgather/shared/chains.hpp"

#include <memory>

namespace quadrille::algorithm::allgather {

namespace {

/// Before phase f a rank holds the blocks of all ranks that agree with it on the axes not yet done. In round q of the
/// phase it passes on, one way or both along the phase's axis, those it had from q ranks before.
class Chains final : public Schedule {
 public:
  Chains(const pattern::Axes& axes, Bytes bytes, std::vector<ChainPart> parts, std::vector<pattern::AxisPhase> phases)
      : axes_(axes), parts_(std::move(parts)), phases_(std::move(phases)) {
    shape_ = {.ranks = axes_.ranks(),
              .rounds = pattern::total_rounds(phases_),
              .out = axes_.ranks(),
              .cut = {.bytes = bytes, .parts = static_cast<Slot>(parts_.size())}};
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    const pattern::Moment now = pattern::moment_of(phases_, t);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const ChainPart& p = parts_[part];
      const Rank side = axes_.side(p.order[static_cast<std::size_t>(now.phase)]);
      if (!p.both || now.round < side / 2) pass_on(part, now, r, p.direction, out);
      if (p.both && now.round < (side - 1) / 2) pass_on(part, now, r, -p.direction, out);
    }
  }

 private:
  void pass_on(std::size_t part, const pattern::Moment& now, Rank r, Rank direction, Steps& out) const {
    const std::vector<int>& order = parts_[part].order;
    const int axis = order[static_cast<std::size_t>(now.phase)];
    const Slot base = static_cast<Slot>(part) * shape_.out;
    const bool odd = axes_.coordinate(r, axis) % 2 != 0;
    if (now.half < 0 || odd == (now.half == 1)) {
      const Rank next = axes_.along(r, axis, direction);
      bundle(axes_.along(r, axis, -direction * now.round), order, now.phase,
             [&](const Slots& s) { out.send(next, Buffer::out, shifted(s, base)); });
    }
    if (now.half < 0 || odd == (now.half == 0)) {
      const Rank before = axes_.along(r, axis, -direction);
      bundle(axes_.along(before, axis, -direction * now.round), order, now.phase,
             [&](const Slots& s) { out.recv(before, Buffer::out, shifted(s, base)); });
    }
  }
  static Slots shifted(Slots slots, Slot by) {
    slots.first += by;
    return slots;
  }
  /// What `owner` holds before the phase.
  template <class Append>
  void bundle(Rank owner, const std::vector<int>& order, int phase, Append append) const {
    std::vector<bool> free(order.size(), false);
    for (int j = 0; j < phase; ++j) {
      const int axis = order[static_cast<std::size_t>(j)];
      free[static_cast<std::size_t>(axis)] = true;
      owner = axes_.with(owner, axis, 0);
    }
    pattern::each_run(axes_, owner, free, append);
  }

  pattern::Axes axes_;
  std::vector<ChainPart> parts_;
  std::vector<pattern::AxisPhase> phases_;
  Shape shape_;
};

}  // namespace

SchedulePtr chains_schedule(const pattern::Axes& axes, Bytes bytes, std::vector<ChainPart> parts,
                            const std::vector<pattern::AxisPhase>& phases) {
  return std::make_shared<Chains>(axes, bytes, std::move(parts), phases);
}

}  // namespace quadrille::algorithm::allgather
