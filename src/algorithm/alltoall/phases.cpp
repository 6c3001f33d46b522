// Every pair by itself, straight, in phases in which no two messages share a link or a port: those of a torus are
// products of the phases of its axes. For machines where messages pass the routers of others and a rank has one port.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "algorithm/alltoall/shared/ring_phases.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/axes.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_phases {

namespace {

/// A round takes a class of each axis. The groups of all axes together are boxes; of these those play whose numbers add
/// up to the turn, so that every line of ranks crosses one box at most. In a box a rank sends to where the classes of
/// all axes lead from its coordinates.
class Phases final : public Schedule {
 public:
  Phases(const pattern::Axes& axes, Bytes bytes) : axes_(axes) {
    for (const Rank side : axes.sides) {
      of_axis_.push_back(alltoall::ring_phases(side));
      turns_ = std::max(turns_, of_axis_.back().groups);
    }
    Round rounds = turns_;
    for (const alltoall::RingPhases& axis : of_axis_)
      rounds = base::checked_multiply(rounds, std::ssize(axis.classes), "rounds");
    first_ = is_idle(0) ? 1 : 0;
    shape_ = {.ranks = axes.ranks(),
              .rounds = rounds - first_,
              .in = axes.ranks(),
              .out = axes.ranks(),
              .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    t += first_;
    Rank to = r, from = r, turn = 0;
    for (int axis = axes_.count(); axis-- > 0;) {
      const alltoall::RingClass& now = next_class(axis, t);
      const auto x = static_cast<std::size_t>(axes_.coordinate(r, axis));
      turn += now.group[x];
      to = to < 0 || now.to[x] < 0 ? -1 : axes_.with(to, axis, now.to[x]);
      from = from < 0 || now.from[x] < 0 ? -1 : axes_.with(from, axis, now.from[x]);
    }
    if (turn % turns_ != t) return;
    if (to >= 0 && to != r) out.send(to, Buffer::in, contiguous(to, 1));
    if (from >= 0 && from != r) out.recv(from, Buffer::out, contiguous(from, 1));
  }

  /// Of all rounds together: the longest way of each.
  std::int64_t hops() const {
    std::int64_t sum = 0;
    for (const alltoall::RingPhases& axis : of_axis_) {
      std::int64_t longest = 0;
      for (const alltoall::RingClass& one : axis.classes) longest += one.longest;
      sum += (shape_.rounds + first_) / std::ssize(axis.classes) * longest;
    }
    return sum;
  }

 private:
  /// Takes the axis's class off a round's number.
  const alltoall::RingClass& next_class(int axis, Round& t) const {
    const std::vector<alltoall::RingClass>& classes = of_axis_[static_cast<std::size_t>(axis)].classes;
    const auto which = static_cast<std::size_t>(t % std::ssize(classes));
    t /= std::ssize(classes);
    return classes[which];
  }
  /// Whether every rank keeps what it has.
  bool is_idle(Round t) const {
    std::int64_t longest = 0;
    for (int axis = axes_.count(); axis-- > 0;) longest += next_class(axis, t).longest;
    return longest == 0;
  }

  pattern::Axes axes_;
  std::vector<alltoall::RingPhases> of_axis_;
  Rank turns_ = 1;
  Round first_ = 0;
  Shape shape_;
};

std::string refusal(const Spec& spec, const Machine& machine, const Params&) {
  constexpr Rank most = 1 << 14;
  if (std::string reason = pattern::needs_wrapping_axes(spec); !reason.empty()) return reason;
  for (const Rank side : pattern::axes_of(spec).sides)
    if (!alltoall::has_ring_phases(side))
      return fmt::format(
          "knows phases for sides of 3, 5, 7 and powers of two up to 512, and {} has a side of {}; nearest: torus:{}",
          spec.topology->text(), side, std::min<Rank>(512, base::bit(base::log2_ceil(side))));
  if (spec.ranks() > most)
    return fmt::format("has a round for each rank or more, for at most {} ranks; try alltoall_bidir", most);
  if (machine.switching != Switching::wormhole)
    return "sends past ranks, and circuits of two phases may wait for each other; try --set switching=wormhole";
  if (kit::half_duplex(machine))
    return "uses both directions of a wire at once, which needs wires of full duplex; try --set duplex=full";
  return {};
}

Cost phases_cost(const Spec& spec, const Machine&, const Params&) {
  const Phases phases(pattern::axes_of(spec), spec.bytes);
  return {.startups = phases.shape().rounds,
          .hops = phases.hops(),
          .bytes = base::checked_multiply(phases.shape().rounds, spec.bytes, "bytes")};
}

}  // namespace

Algorithm describe() {
  return {
      .name = "alltoall_phases",
      .collective = Collective::alltoall,
      .summary = "every block straight, in phases in which no messages meet: products of phases of each axis",
      .source = "extra: Hinrichs, Kosak, O'Hallaron, Stricker & Take 1994, with all messages half way round one way",
      .closed_form = {.startups = "max(P, P (P + 2)/8)",
                      .bytes = "max(P, P (P + 2)/8) m",
                      .where = "ring, P = 2^n > 2, full duplex, wormhole"},
      .parameters = {},
      .claims = kit::all_claims,
      .illegal = refusal,
      .variants = kit::one_variant,
      .cost = phases_cost,
      .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
        return std::make_shared<Phases>(pattern::axes_of(s), s.bytes);
      }};
}

}  // namespace quadrille::algorithm::alltoall_phases
