// Transposition of a matrix of blocks in one round: every rank sends to the one across the diagonal, over the
// topology's own route. Messages that share a link are counted.
#include <algorithm>
#include <unordered_map>

#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::transpose_direct {

namespace {

constexpr Rank most_ranks = 1 << 14;  ///< whose routes a closed form may go through

struct Load {
  std::int64_t messages = 0;  ///< on the busiest link; half duplex: wire
  int hops = 0;
};

/// What all messages together put on links. On a crossbar every pair has links of its own.
Load load(const Spec& spec, const Machine& machine) {
  if (kit::has_own_wires(spec)) return {kit::half_duplex(machine) ? 2 : 1, 1};
  const Topology& t = *spec.topology;
  Load most;
  std::unordered_map<Link, std::int64_t> messages;
  std::vector<Link> path;
  for (Rank r = 0; r < spec.ranks(); ++r) {
    const Rank to = transposed(spec, r);
    if (to == r) continue;
    path.clear();
    t.route(r, to, path);
    most.hops = std::max(most.hops, static_cast<int>(path.size()));
    for (const Link link : path) {
      const Link wire = kit::half_duplex(machine) ? std::min(link, t.reverse(link)) : link;
      most.messages = std::max(most.messages, ++messages[wire]);
    }
  }
  return most;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  const Topology& t = *spec.topology;
  if (t.shared_medium()) return "all ranks send in the same round, and here they share one medium; try a crossbar";
  if (pattern::one_way(machine))
    return "every rank sends and receives in the same round, and a rank of this machine does one or the other; try "
           "--set duplex=full";
  if (kit::has_own_wires(spec) && kit::half_duplex(machine) && machine.switching == Switching::store_and_forward &&
      spec.ranks() > 1)
    return "ranks across the diagonal swap over one wire, which carries one direction at a time here; try --set "
           "duplex=full";
  if (t.direct() && !kit::has_own_wires(spec) && machine.switching == Switching::store_and_forward)
    return "sends to ranks that are not neighbours, which needs circuit or wormhole switching; try --set "
           "switching=circuit";
  if (spec.ranks() > most_ranks && !kit::has_own_wires(spec))
    return fmt::format("counts the messages on every link, for at most {} ranks; nearest: crossbar:{}", most_ranks,
                       spec.ranks());
  return {};
}

class Direct final : public Schedule {
 public:
  explicit Direct(const Spec& spec) : spec_(spec) {
    shape_ = {.ranks = spec.ranks(), .rounds = 1, .in = 1, .out = 1, .cut = {.bytes = spec.bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round, Rank r, Steps& out) const override {
    const Rank across = transposed(spec_, r);
    if (across == r) return;
    out.send(across, Buffer::in, contiguous(0, 1));
    out.recv(across, Buffer::out, contiguous(0, 1));
  }

 private:
  Spec spec_;
  Shape shape_;
};

}  // namespace

Algorithm describe() {
  return {
      .name = "transpose_direct",
      .collective = Collective::transpose,
      .summary = "every rank sends to the one across the diagonal, all in one round",
      .source = "Saad & Schultz 1986, sec. 2F: a permutation of the switch",
      .closed_form = {.startups = "1",
                      .bytes = "m",
                      .where = "switch, P = s^2; elsewhere the messages on the busiest link"},
      .parameters = {},
      .claims = [](const Spec& s, const Machine& m,
                   const Params&) { return Claims{.contention_free = load(s, m).messages == 1}; },
      .illegal = illegal,
      .variants = kit::one_variant,
      .cost =
          [](const Spec& s, const Machine& m, const Params&) {
            const Load most = load(s, m);
            return Cost{
                .startups = 1, .hops = most.hops, .bytes = base::checked_multiply(most.messages, s.bytes, "bytes")};
          },
      .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr { return std::make_shared<Direct>(s); }};
}

}  // namespace quadrille::algorithm::transpose_direct
