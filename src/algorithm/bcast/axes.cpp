// The message in packets along one axis after the other: down the root's column, then along every row at once. No axis
// begins before the one before it has finished, so each can choose its own packets.
#include <algorithm>
#include <numeric>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/grid_tree.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_axes {

namespace {

constexpr std::string_view parameter = "packets";

std::vector<kit::Pipe> pipes(const Spec& spec, const Machine& machine) {
  const pattern::GridView view(spec);
  std::vector<kit::Pipe> all;
  for (int axis = 0; axis < view.axes(); ++axis) {
    const Rank depth = view.reach(axis);
    const std::int64_t both = std::min(view.reach(axis, 1), view.reach(axis, -1)) > 0 ? 2 : 1;
    all.push_back({depth, spec.bytes, kit::relay_interval(machine, depth), kit::copies_sent(spec, machine, both) - 1});
  }
  return all;
}

std::vector<std::int64_t> packets_by_axis(const Spec& spec, const Params& params) {
  if (params.has(parameter)) return params.list(parameter);
  return std::vector<std::int64_t>(kit::grid(spec)->sides().size(), 1);
}

/// Rounds and bytes of one axis; none where it has a single rank.
Cost axis_cost(const kit::Pipe& pipe, std::int64_t packets) {
  return pipe.depth > 0 ? kit::pipe_cost(pipe, packets) : Cost{};
}

/// One phase per axis. Where a packet of some phase starts, so does a piece; a packet is a run of pieces.
class Axes final : public Schedule {
 public:
  Axes(const Spec& spec, const std::vector<kit::Pipe>& pipes, const std::vector<std::int64_t>& packets) : view_(spec) {
    kit::check_listed(std::accumulate(packets.begin(), packets.end(), Slot{0}));
    auto edges = std::make_shared<std::vector<Bytes>>();
    std::vector<Cut> cuts;
    for (const std::int64_t n : packets) {
      cuts.push_back(kit::packet_cut(spec.bytes, n));
      for (Slot p = 0; p <= cuts.back().pieces(); ++p) edges->push_back(cuts.back().offset(p));
    }
    std::sort(edges->begin(), edges->end());
    edges->erase(std::unique(edges->begin(), edges->end()), edges->end());
    for (std::size_t axis = 0; axis < pipes.size(); ++axis) {
      Phase phase{pipes[axis].interval, axis_cost(pipes[axis], packets[axis]).startups, {}};
      for (Slot p = 0; p <= cuts[axis].pieces(); ++p)
        phase.first_piece.push_back(std::lower_bound(edges->begin(), edges->end(), cuts[axis].offset(p)) -
                                    edges->begin());
      shape_.rounds += phase.rounds;
      phases_.push_back(std::move(phase));
    }
    shape_.ranks = spec.ranks();
    shape_.out = 1;
    shape_.cut = {.bytes = spec.bytes, .edges = std::move(edges)};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    int axis = 0;
    for (; t >= phase(axis).rounds; ++axis) t -= phase(axis).rounds;
    for (int later = axis + 1; later < view_.axes(); ++later)
      if (view_.offset(r, later) != 0) return;
    const Rank offset = view_.offset(r, axis), level = std::abs(offset);
    if (level > 0) {
      if (const Slots p = packet(axis, t - (level - 1)); p.size > 0) out.recv(view_.nearer(r, axis), Buffer::out, p);
    }
    const Slots p = packet(axis, t - level);
    if (p.size == 0) return;
    for (const int sign : {1, -1})
      if (sign * offset >= 0 && level < view_.reach(axis, sign))
        out.send(view_.grid().neighbour(r, axis, sign), Buffer::out, p);
  }

 private:
  struct Phase {
    Round interval, rounds;
    std::vector<Slot> first_piece;  ///< of every packet, and at last the end
  };
  const Phase& phase(int axis) const { return phases_[static_cast<std::size_t>(axis)]; }
  /// The pieces of the packet that leaves a rank `since` rounds after the first one did; none: size 0.
  Slots packet(int axis, Round since) const {
    const Phase& p = phase(axis);
    if (since < 0 || since % p.interval != 0) return {.size = 0};
    const auto index = static_cast<std::size_t>(since / p.interval);
    if (index + 1 >= p.first_piece.size()) return {.size = 0};
    return contiguous(p.first_piece[index], p.first_piece[index + 1] - p.first_piece[index]);
  }

  pattern::GridView view_;
  std::vector<Phase> phases_;
  Shape shape_;
};

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!kit::grid(spec))
    return fmt::format("needs a mesh or a torus, and {} is neither; nearest: {}", spec.topology->text(),
                       kit::nearest_torus(spec));
  if (machine.ports == Ports::one && !machine.multicast && pattern::broadcast_tree(spec).fanout > 1)
    return "sends a packet both ways at once, and this machine has one port and no multicast; try --set ports=all";
  const std::size_t axes = kit::grid(spec)->sides().size();
  const std::vector<std::int64_t> packets = packets_by_axis(spec, params);
  if (packets.size() != axes)
    return fmt::format("packets has {} values, and {} has {} axes; try packets={}", packets.size(),
                       spec.topology->text(), axes, fmt::join(std::vector<int>(axes, 1), ","));
  for (const std::int64_t n : packets)
    if (std::string reason = kit::packets_illegal({{"packets", {n}}}, spec.bytes); !reason.empty()) return reason;
  return {};
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  std::vector<std::int64_t> packets;
  for (const kit::Pipe& pipe : pipes(spec, machine))
    packets.push_back(pipe.depth > 0 ? kit::best_packets(pipe, spec, machine) : 1);
  return {Params{{std::string(parameter), packets}}};
}

/// The sum of a pipeline along each axis; eq. (3.20) with whole packets.
Cost cost(const Spec& spec, const Machine& machine, const Params& params) {
  const std::vector<std::int64_t> packets = packets_by_axis(spec, params);
  Cost total;
  for (std::size_t axis = 0; const kit::Pipe& pipe : pipes(spec, machine)) {
    const Cost one = axis_cost(pipe, packets[axis++]);
    pattern::add_cost(total, one);
  }
  return total;
}

}  // namespace

Algorithm describe() {
  return {.name = "bcast_axes",
          .collective = Collective::bcast,
          .summary = "packets down the root's column, and when all are there along every row",
          .source = "Saad & Schultz 1986, eq. (3.20)",
          .closed_form = {.startups = "nu1 + nu2 + V + H - 2",
                          .bytes = "2 m + (V - 1) ceil(m/nu1) + (H - 1) ceil(m/nu2)",
                          .further = "nu1 + nu2",
                          .where = "torus"},
          .parameters = {{.name = parameter,
                          .meaning = "packets that the message is cut in, for each axis",
                          .is_list = true}},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = cost,
          .build = [](const Spec& s, const Machine& m, const Params& p) -> SchedulePtr {
            return std::make_shared<Axes>(s, pipes(s, m), packets_by_axis(s, p));
          }};
}

}  // namespace quadrille::algorithm::bcast_axes
