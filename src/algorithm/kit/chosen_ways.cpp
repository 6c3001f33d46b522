#include "algorithm/kit/chosen_ways.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/kit/way_search.hpp"
#include "base/recent.hpp"
#include "schedule/combine.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr std::int64_t most_steps = 1 << 24;

/// What each pair sends in each round; none where there are too many messages, or none.
std::optional<std::vector<PairTraffic>> traffic_of(const Schedule& schedule) {
  constexpr std::int64_t most_messages = 1 << 21;
  const Shape& shape = schedule.shape();
  if (shape.rounds > most_steps / shape.ranks) return std::nullopt;
  std::map<std::pair<Rank, Rank>, PairTraffic> pairs;
  std::int64_t messages = 0;
  Summary summary;
  for (Round t = 0; t < shape.rounds; ++t)
    for (Rank r = 0; r < shape.ranks; ++r)
      for (const Summary::Message& m : summary.of(schedule, t, r)) {
        if (m.kind != Kind::send || m.peer == r) continue;
        if (++messages > most_messages) return std::nullopt;
        PairTraffic& pair = pairs[{r, m.peer}];
        pair.from = r, pair.to = m.peer;
        pair.rounds.push_back({static_cast<std::int32_t>(t), static_cast<double>(m.bytes)});
      }
  std::vector<PairTraffic> all;
  for (auto& [ends, pair] : pairs) all.push_back(std::move(pair));
  return all;
}

/// The same as if all rounds were one: for schedules whose rounds are alike, and long ones.
std::vector<PairTraffic> in_one_round(std::vector<PairTraffic> pairs) {
  for (PairTraffic& pair : pairs) {
    double bytes = 0;
    for (const PairTraffic::InRound& part : pair.rounds) bytes += part.bytes;
    pair.rounds = {{0, bytes}};
  }
  return pairs;
}

struct WaysQuestion {
  std::string network, machine;
  std::vector<PairTraffic> pairs;
  bool operator==(const WaysQuestion&) const = default;
};

/// The network with the ways that make the schedule fastest; null: its routes do.
TopologyPtr fastest_network(const Spec& spec, const Machine& machine, const SchedulePtr& schedule,
                            const std::vector<PairTraffic>& pairs) {
  const Topology& topology = *spec.topology;
  TopologyPtr best;
  Seconds least = seconds(*traffic::counted(spec, machine, *schedule), machine, topology);
  const auto consider = [&](std::vector<PairTraffic> traffic, Round rounds, std::int32_t parts) {
    std::vector<Topology::Way> ways = ways_for(topology, machine, std::move(traffic), rounds, parts);
    if (ways.empty()) return;
    TopologyPtr network = topology.with_ways(std::move(ways));
    const std::optional<Cost> cost =
        traffic::counted(spec, machine, *schedule::on_network(schedule, network), {.price = least});
    if (!cost) return;
    const Seconds time = seconds(*cost, machine, topology);
    if (time < least) least = time, best = std::move(network);
  };
  const Round rounds = schedule->shape().rounds;
  if (rounds > 1) consider(pairs, rounds, 1);
  for (const std::int32_t parts : {1, 12}) consider(in_one_round(pairs), 1, parts);
  return best;
}

/// As the schedule says its ways, or by routes.
SchedulePtr on_own_ways(const Spec& spec, const Machine& machine, SchedulePtr schedule) {
  if (schedule->shape().rounds > most_steps / spec.ranks()) return schedule;
  SchedulePtr routed = schedule::on_network(schedule, spec.topology->with_ways({}));
  const Seconds time = seconds(*traffic::counted(spec, machine, *schedule), machine, *spec.topology);
  const std::optional<Cost> other = traffic::counted(spec, machine, *routed, {.price = time});
  return other && seconds(*other, machine, *spec.topology) < time ? routed : schedule;
}

}  // namespace

SchedulePtr on_chosen_ways(const Spec& spec, const Machine& machine, SchedulePtr schedule) {
  static base::Recent<WaysQuestion, TopologyPtr> known;
  if (!spec.topology->chooses_ways() || spec.ranks() == 1) return schedule;
  if (schedule->network()) return on_own_ways(spec, machine, std::move(schedule));
  std::optional<std::vector<PairTraffic>> pairs = traffic_of(*schedule);
  if (!pairs || pairs->empty()) return schedule;
  WaysQuestion question{spec.topology->text(), to_text(machine), *std::move(pairs)};
  const std::vector<PairTraffic> traffic = question.pairs;
  const TopologyPtr network =
      *known.get(std::move(question), [&] { return fastest_network(spec, machine, schedule, traffic); });
  return network ? schedule::on_network(std::move(schedule), network) : schedule;
}

}  // namespace quadrille::algorithm::kit
