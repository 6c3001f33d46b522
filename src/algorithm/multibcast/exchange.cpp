// All sources broadcast at once over the dimensions of a hypercube, as bcast_exchange does from one.
#include "algorithm/kit/exchanges.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/multibcast/shared/packets_of_all.hpp"
#include "algorithm/registry.hpp"
#include "quadrille/sources.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::multibcast_exchange {

namespace {

/// Ranks are corners of the cube.
class ExchangeRounds final : public multibcast::PacketRounds {
 public:
  explicit ExchangeRounds(int dimensions) : n_(dimensions) {}
  Rank to(Round t, Rank r) const override { return r ^ base::bit(dimension(t)); }
  Rank from(Round t, Rank r) const override { return to(t, r); }
  /// A packet leaves its source along dimension j, crosses the others in turn and its first one again. So it left as
  /// many rounds ago as the farthest dimension back from this one in which the sender differs from the source.
  Slot packet(Round t, Rank receiver, Rank source) const override {
    const int j = dimension(t);
    const Rank sender = to(t, receiver) ^ source;
    int back = 0;
    if (sender != 0)
      for (back = n_; (sender >> ((j - back + n_) % n_) & 1) == 0;) --back;
    return t - back;
  }

 private:
  int dimension(Round t) const { return static_cast<int>(t % n_); }
  int n_;
};

int depth(const Spec& spec) { return kit::exchange_dimensions(spec); }

SchedulePtr schedule_of(const Spec& spec, const Machine&, const Params& params) {
  std::vector<Rank> places;
  for (const Rank r : spec.sources->ranks) places.push_back(kit::exchange_corners(spec).from(r));
  SchedulePtr corners = multibcast::packets_of_all(spec, kit::packets_of(params), depth(spec), std::move(places),
                                                   std::make_unique<ExchangeRounds>(depth(spec)));
  return kit::is_cube(spec) ? corners : schedule::relabel(std::move(corners), kit::exchange_corners(spec));
}

Cost price(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  if (multibcast::packets_are_counted(spec, packets, depth(spec)))
    return *traffic::counted(spec, machine, *schedule_of(spec, machine, params));
  Cost cost = multibcast::estimated_packets(spec, packets, depth(spec));
  cost.hops *= spec.topology->distance(0, kit::exchange_corners(spec).to(1));
  return cost;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (kit::exchange_dimensions(spec) == 0) return kit::needs_hypercube(spec);
  if (kit::half_duplex(machine) && spec.ranks() > 2)
    return fmt::format(
        "neighbours send to each other at once, and wires of this machine carry one message at a time; try {} or --set "
        "duplex=full",
        spec.topology->direct() ? "multibcast_rarest" : "multibcast_lin");
  return kit::packets_illegal(params, multibcast::longest(*spec.sources));
}

}  // namespace

Algorithm describe() {
  return {
      .name = "multibcast_exchange",
      .collective = Collective::multibcast,
      .summary = "packets of all sources along one dimension after the other, one of each in every message",
      .source = "extra: Traeff & Ripke 2008, for P = 2^D, from several sources",
      .closed_form = {.where = "hypercube or bifly, full duplex: nu + n - 1 start-ups, and (1 + (n - 1)/nu) of all "
                               "bytes"},
      .literature = {{.families = {"bifly"}, .says = "ranks receive in every round: Traeff & Ripke"}},
      .parameters = {kit::packets_parameter()},
      .claims =
          [](const Spec& s, const Machine&, const Params& p) {
            return Claims{.exact = multibcast::packets_are_counted(s, kit::packets_of(p), depth(s))};
          },
      .illegal = illegal,
      .variants = [](const Spec& s, const Machine& m) { return multibcast::packets_variants(s, m, depth(s), price); },
      .cost = price,
      .build = schedule_of};
}

}  // namespace quadrille::algorithm::multibcast_exchange
