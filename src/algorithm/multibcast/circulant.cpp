// All sources broadcast at once over a circulant graph, as bcast_circulant does from one.
#include "algorithm/bcast/shared/circulant.hpp"

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/multibcast/shared/packets_of_all.hpp"
#include "algorithm/registry.hpp"
#include "quadrille/sources.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::multibcast_circulant {

namespace {

/// Rounds are numbered so that the last one is of the last kind.
class CirculantRounds final : public multibcast::PacketRounds {
 public:
  CirculantRounds(Rank ranks, std::int64_t packets) : ranks_(ranks), graph_(ranks) {
    const Round q = graph_.kinds(), rounds = packets - 1 + q;
    skipped_ = base::ceil_div(rounds, q) * q - rounds;
    for (Rank place = 1; place < ranks; ++place) received_.push_back(graph_.received(place));
  }
  Rank to(Round t, Rank r) const override { return (r + graph_.skip(kind(t))) % ranks_; }
  Rank from(Round t, Rank r) const override { return base::wrap(r - graph_.skip(kind(t)), ranks_); }
  Slot packet(Round t, Rank receiver, Rank source) const override {
    const auto place = static_cast<std::size_t>(base::wrap(receiver - source, ranks_));
    return t - kind(t) + received_[place - 1][static_cast<std::size_t>(kind(t))];
  }

 private:
  int kind(Round t) const { return static_cast<int>((t + skipped_) % graph_.kinds()); }

  Rank ranks_;
  bcast::Circulant graph_;
  Round skipped_ = 0;
  std::vector<bcast::Circulant::Received> received_;  ///< of the ranks after a source
};

int depth(const Spec& spec) { return static_cast<int>(base::log2_ceil(spec.ranks())); }

SchedulePtr schedule_of(const Spec& spec, const Machine&, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  return multibcast::packets_of_all(spec, packets, depth(spec), spec.sources->ranks,
                                    std::make_unique<CirculantRounds>(spec.ranks(), packets));
}

Cost price(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  if (multibcast::packets_are_counted(spec, packets, depth(spec)))
    return *traffic::counted(spec, machine, *schedule_of(spec, machine, params));
  return kit::over_network(spec, multibcast::estimated_packets(spec, packets, depth(spec)));
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = bcast::needs_shifts(spec, machine, "multibcast_lin"); !reason.empty()) return reason;
  return kit::packets_illegal(params, multibcast::longest(*spec.sources));
}

}  // namespace

Algorithm describe() {
  return {
      .name = "multibcast_circulant",
      .collective = Collective::multibcast,
      .summary = "packets of all sources over a circulant graph, one of each in every message",
      .source = "Traeff 2023, Round-optimal n-Block Broadcast Schedules in Logarithmic Time: all-broadcast",
      .closed_form = {.where = "switch: nu - 1 + ceil(log2(P)) start-ups, and (1 + (ceil(log2(P)) - 1)/nu) of all "
                               "bytes"},
      .literature = {{.families = {"omega", "fly"},
                      .says = "shifts pass without conflicts, and ranks receive in every round: Traeff"}},
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

}  // namespace quadrille::algorithm::multibcast_circulant
