// Messages of an alltoallv in rounds in which no rank sends two and none receives two, the longest first.
#include <algorithm>
#include <numeric>

#include "algorithm/alltoallv/shared/messages.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/on_routes.hpp"
#include "algorithm/registry.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::alltoallv_pairwise {

namespace {

/// The longest first, so that those of a round are about as long. Of equal ones those to the next rank, then those to
/// the one after it: where all pairs have as much, every round is a shift.
std::vector<std::size_t> longest_first(const Demands& demands, Rank ranks) {
  std::vector<std::size_t> order(demands.pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto shift = [&](std::size_t i) { return base::wrap(demands.pairs[i].to - demands.pairs[i].from, ranks); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return demands.words(a) != demands.words(b) ? demands.words(a) > demands.words(b) : shift(a) < shift(b);
  });
  return order;
}

/// Rounds in which a rank is busy.
class Busy {
 public:
  bool at(std::size_t round) const { return round < rounds_.size() && rounds_[round]; }
  void take(std::size_t round) {
    if (rounds_.size() <= round) rounds_.resize(round + 1);
    rounds_[round] = true;
  }

 private:
  std::vector<bool> rounds_;
};

/// The first round in which both ends are free: fewer than twice as many as the busiest rank has messages.
std::vector<std::int32_t> first_free(const Spec& spec, bool one_task) {
  const Demands& demands = *spec.demands;
  std::vector<Busy> sends(static_cast<std::size_t>(spec.ranks())), receives(one_task ? 0 : sends.size());
  std::vector<Busy>& receiving = one_task ? sends : receives;
  std::vector<std::int32_t> rounds(demands.pairs.size());
  for (const std::size_t i : longest_first(demands, spec.ranks())) {
    Busy& from = sends[static_cast<std::size_t>(demands.pairs[i].from)];
    Busy& to = receiving[static_cast<std::size_t>(demands.pairs[i].to)];
    std::size_t round = 0;
    while (from.at(round) || to.at(round)) ++round;
    from.take(round), to.take(round);
    rounds[i] = static_cast<std::int32_t>(round);
  }
  return rounds;
}

/// On a bus a rank sends all that it has at once, one rank after the other.
std::vector<std::int32_t> by_sender(const Demands& demands) {
  std::vector<std::int32_t> rounds;
  for (std::size_t i = 0; i < demands.pairs.size(); ++i)
    rounds.push_back(i == 0 ? 0 : rounds.back() + (demands.pairs[i].from != demands.pairs[i - 1].from ? 1 : 0));
  return rounds;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  const Topology& t = *spec.topology;
  if (kit::is_memory(spec))
    return fmt::format("sends from rank to rank, and on {} all goes through a memory; nearest: crossbar:{}", t.text(),
                       spec.ranks());
  if (machine.switching != Switching::store_and_forward || !t.direct()) return {};
  for (const Demand& pair : spec.demands->pairs)
    if (!t.adjacent(pair.from, pair.to))
      return fmt::format(
          "rank {} sends to {}, which is no neighbour; that needs circuit or wormhole switching; try --set "
          "switching=wormhole",
          pair.from, pair.to);
  return {};
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params&) {
  return alltoallv::in_rounds(
      spec, kit::is_bus(spec) ? by_sender(*spec.demands) : first_free(spec, kit::half_duplex(machine)));
}

}  // namespace

Algorithm describe() {
  return {
      .name = "alltoallv_pairwise",
      .collective = Collective::alltoallv,
      .summary = "rounds in which a rank sends one message and receives one, the longest first; on a bus rank by rank",
      .source = "classical, with the order of a first fit by length",
      .closed_form = {.where = "any network on which messages go straight: counted"},
      .parameters = {},
      .claims = alltoallv::straight_claims,
      .illegal = illegal,
      .variants = kit::one_variant,
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return *traffic::counted(s, m, *build(s, m, p)); },
      .build = build};
}

}  // namespace quadrille::algorithm::alltoallv_pairwise
