#include "algorithm/pattern/straight.hpp"

#include <algorithm>

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/axes.hpp"
#include "algorithm/pattern/axis_lines.hpp"
#include "cost/turns.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::pattern {

namespace {

/// Rank r begins with r + 1, r + 2, ... or, where exclusive or turns the topology, with r xor 1, r xor 2, ..., of which
/// rank 0 stands for all.
class Exchange final : public Schedule {
 public:
  explicit Exchange(const Spec& spec) : personal_(spec.collective == Collective::alltoall) {
    const Topology& t = *spec.topology;
    if (t.invariant(Group::xor_all) && !t.invariant(Group::rotate)) group_ = Group::xor_all;
    shape_ = {.ranks = t.ranks(),
              .rounds = 1,
              .in = personal_ ? t.ranks() : 0,
              .out = t.ranks(),
              .cut = {.bytes = spec.bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks;
    const bool turned = group_ == Group::rotate;
    if (const std::optional<Rank> peer = out.only_peer()) {
      if (*peer == r) return;
      send(*peer, r, out);
      out.recv(*peer, Buffer::out, contiguous(*peer, 1));
      return;
    }
    for (Rank i = 1; i < p; ++i) {
      const Rank to = turned ? (r + i) % p : r ^ i, from = turned ? base::wrap(r - i, p) : to;
      send(to, r, out);
      out.recv(from, Buffer::out, contiguous(from, 1));
    }
  }
  Symmetry symmetry() const override { return {group_, false}; }

 private:
  void send(Rank to, Rank r, Steps& out) const {
    if (personal_)
      out.send(to, Buffer::in, contiguous(to, 1));
    else
      out.send(to, Buffer::out, contiguous(r, 1));
  }

  bool personal_;
  Group group_ = Group::rotate;
  Shape shape_;
};

/// Messages on the link that carries most, and on the wire, both directions together.
struct Load {
  std::int64_t link = 0, wire = 0;
};

/// Of all pairs of n ranks in a line or ring: on a line the middle link; on a ring u + ... + 2 + 1 one way, u the
/// farthest that messages go that way. Two ranks on a ring have one wire, and both links of it lead up.
Load pairs_in_line(Rank n, bool wraps) {
  const std::int64_t up = n / 2, down = n == 2 ? 1 : (n - 1) / 2;
  if (!wraps) return {up * (n - up), 2 * up * (n - up)};
  return {up * (up + 1) / 2, (up * (up + 1) + down * (down + 1)) / 2};
}

/// The same where a message to many ranks crosses a link once: those ranks that something on the link can come from.
Load ranks_in_line(Rank n, bool wraps) {
  if (!wraps) return {n - 1, n};
  return {n / 2, n == 2 ? 2 : n - 1};
}

/// Routes go along one axis after the other, the last first: on a link of an axis the coordinates before it are still
/// the sender's, and those behind it already the receiver's.
Load load_on_axis(const Spec& spec, const Machine& machine, const Axes& axes, int axis) {
  const Rank n = axes.side(axis), behind = axes.step(axis), all = axes.ranks() / n;
  if (has_root(spec.collective)) {
    const Rank far = reach_of(axes, axis, spec.root).far();
    const std::int64_t messages = far * (spec.collective == Collective::gather ? behind : all / behind);
    return {messages, messages};
  }
  const bool once = machine.multicast && spec.collective == Collective::allgather;
  const Load line = once ? ranks_in_line(n, axes.wraps) : pairs_in_line(n, axes.wraps);
  const Rank lines = once ? behind : all;
  return {lines * line.link, lines * line.wire};
}

Load load_on_axes(const Spec& spec, const Machine& machine, const Axes& axes) {
  Load most;
  for (int axis = 0; axis < axes.count(); ++axis) {
    const Load load = load_on_axis(spec, machine, axes, axis);
    most = {std::max(most.link, load.link), std::max(most.wire, load.wire)};
  }
  return most;
}

/// Level l carries forward K^N messages from the left to the right, K^N - K^l between ranks of the left and
/// K^N - K^(N-l) between ranks of the right: most in the middle. Copies made on the way leave P - 1 at a rank.
Load load_on_two_sides(const Spec& spec, const Machine& machine, const Topology::Stages& fly) {
  const Rank p = spec.ranks();
  if (has_root(spec.collective)) return {p - 1, p - 1};
  if (machine.multicast && spec.collective == Collective::allgather) return {p - 1, p};
  std::int64_t low = 1, high = 1;
  for (int i = 0; i < fly.stages; ++i) (i < fly.stages / 2 ? low : high) *= fly.arity;
  const std::int64_t link = 3 * fly.places() - low - high;
  return {link, 2 * link};
}

constexpr Rank most_routes = 1 << 10;  ///< ranks whose routes are followed one by one

/// Where no formula is known: what the routes put on links.
Load load_by_routes(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  const bool once = machine.multicast && spec.collective == Collective::allgather;
  const bool from_root = spec.collective == Collective::scatter, rooted = has_root(spec.collective);
  std::vector<std::int64_t> messages(static_cast<std::size_t>(t.links()));
  std::vector<Link> path;
  for (Rank a = 0; a < spec.ranks(); ++a) {
    path.clear();
    for (Rank b = 0; b < spec.ranks(); ++b)
      if (!rooted || (from_root ? a : b) == spec.root) t.route(a, b, path);
    std::sort(path.begin(), path.end());
    if (once) path.erase(std::unique(path.begin(), path.end()), path.end());
    for (const Link link : path) ++messages[static_cast<std::size_t>(link)];
  }
  Load most;
  for (Link link = 0; link < t.links(); ++link) {
    const std::int64_t here = messages[static_cast<std::size_t>(link)];
    if (here == 0) continue;
    const Link back = t.reverse(link);
    most.link = std::max(most.link, here);
    most.wire = std::max(most.wire, here + (back == link ? 0 : messages[static_cast<std::size_t>(back)]));
  }
  return most;
}

bool has_formula(const Topology& t) {
  const Topology::Structure s = t.structure();
  return !t.contended() || t.shared_medium() || s.grid || s.cube > 0 || s.ring || s.stages;
}

Load load_of(const Spec& spec, const Machine& machine) {
  const bool rooted = has_root(spec.collective);
  if (kit::has_own_wires(spec)) return {1, rooted ? 1 : 2};
  if (kit::is_cube(spec))
    return load_on_axes(spec, machine,
                        axes_of(std::vector<Rank>(static_cast<std::size_t>(kit::dimension(spec)), 2), true));
  if (kit::is_ring(spec) || kit::grid(spec)) return load_on_axes(spec, machine, axes_of(spec));
  const Topology& t = *spec.topology;
  const std::optional<Topology::Stages> stages = t.structure().stages;
  if (stages && stages->two_sided) return load_on_two_sides(spec, machine, *stages);
  if (stages || t.shared_medium()) return {spec.ranks() - 1, spec.ranks() - 1};  // a one-way wire leads to as many
  return load_by_routes(spec, machine);
}

std::int64_t busiest(const Spec& spec, const Machine& machine) {
  const Load load = load_of(spec, machine);
  return kit::half_duplex(machine) ? load.wire : load.link;
}

int farthest(const Spec& spec) {
  const Topology& t = *spec.topology;
  return has_root(spec.collective) ? t.distance(spec.root, t.farthest(spec.root)) : t.diameter();
}

}  // namespace

std::string linear_illegal(const Spec& spec, const Machine& machine, const Params&) {
  const Topology& t = *spec.topology;
  if (t.shared_medium())
    return fmt::format("all messages are sent at once, and on {} they share one medium; nearest: crossbar:{}", t.text(),
                       spec.ranks());
  if (!has_formula(t) && spec.ranks() > most_routes)
    return fmt::format("counts the messages of every link, and {} has more than {} ranks; nearest: crossbar:{}",
                       t.text(), most_routes, spec.ranks());
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  const bool relays = machine.switching == Switching::store_and_forward && t.direct();
  if (relays && farthest(spec) > 1)
    return "sends to ranks that are not neighbours, which needs circuit or wormhole switching; try --set "
           "switching=circuit";
  if (!has_root(spec.collective) && (machine.duplex == Duplex::node_half || (relays && kit::half_duplex(machine))))
    return "every rank sends and receives in the same round, and a rank or wire of this machine does one or the other; "
           "try --set duplex=full";
  return {};
}

Claims linear_claims(const Spec& spec, const Machine& machine, const Params&) {
  return {.contention_free = busiest(spec, machine) == 1, .port_free = spec.ranks() - 1 <= spec.topology->degree()};
}

Cost linear_cost(const Spec& spec, const Machine& machine, const Params&) {
  return {.startups = cost::turns_at_ports(spec.ranks() - 1, machine, *spec.topology),
          .hops = farthest(spec),
          .bytes = base::checked_multiply(busiest(spec, machine), spec.bytes, "bytes"),
          .further = spec.ranks() - 2};
}

Algorithm linear(const Linear& says) {
  return {.name = says.name,
          .collective = says.collective,
          .summary = says.summary,
          .source = "classical; what it puts on each network's links: extra",
          .closed_form = {.startups = "1", .bytes = "m", .further = "P - 2", .where = "crossbar, all ports"},
          .literature = says.literature,
          .parameters = {},
          .claims = linear_claims,
          .illegal = linear_illegal,
          .variants = kit::one_variant,
          .cost = linear_cost,
          .build = says.build};
}

SchedulePtr linear_exchange(const Spec& spec, const Machine&, const Params&) {
  return std::make_shared<Exchange>(spec);
}

}  // namespace quadrille::algorithm::pattern
