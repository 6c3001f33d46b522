// Every chunk on a way of its own, from neighbour to neighbour, chosen so that no link has much more than its share:
// where chunks wait for a link, those go first that have farthest to go.
#include "algorithm/kit/ways.hpp"

#include <map>
#include <memory>
#include <mutex>

#include "algorithm/kit/searched.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/on_routes.hpp"
#include "algorithm/registry.hpp"
#include "flow/exchange_optimum.hpp"
#include "flow/exchange_ways.hpp"
#include "schedule/rounds.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::alltoall_ways {

namespace {

constexpr double most_ways = 1 << 20;     ///< ten seconds, or more on large networks
constexpr double worth_visits = 1 << 24;  ///< to links, a second: plans try no more by themselves

double ways_of_all(const Spec& spec, std::int64_t parts) {
  const auto ranks = static_cast<double>(spec.ranks());
  return ranks * (ranks - 1) * static_cast<double>(parts);
}

struct Found {
  std::vector<std::int64_t> question;
  flow::Network network;
  flow::Ratio least;  ///< rounds, for a chunk of each block
  std::map<std::int64_t, std::shared_ptr<const flow::ExchangeRounds>> rounds;
};

/// What was found for the last few networks: a plan prices, proves and runs what was searched for once.
template <class Use>
auto with_found(const Spec& spec, const Machine& machine, Use use) {
  static std::mutex mutex;
  static std::vector<Found> known;
  constexpr std::size_t most_known = 8;
  constexpr flow::ExchangeEffort quick{.gap = 0.05, .visits = std::int64_t{1} << 23};
  flow::Network network = kit::network_of(spec, machine);
  std::vector<std::int64_t> question;
  for (const flow::Arc& arc : network.arcs()) question.insert(question.end(), {arc.from, arc.to, arc.capacity});
  const std::lock_guard lock(mutex);
  for (Found& found : known)
    if (found.question == question) return use(found);
  if (known.size() >= most_known) known.erase(known.begin());
  const flow::Ratio least = flow::exchange_within(network, quick).lower;
  known.push_back({std::move(question), std::move(network), least, {}});
  return use(known.back());
}

std::shared_ptr<const flow::ExchangeRounds> rounds_of(Found& found, std::int64_t parts) {
  auto& rounds = found.rounds[parts];
  if (!rounds)
    rounds = std::make_shared<const flow::ExchangeRounds>(
        flow::exchange_in_rounds(found.network, static_cast<std::int32_t>(parts)));
  return rounds;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = kit::needs_free_links(spec, machine); !reason.empty()) return reason;
  const std::int64_t parts = params.get(kit::chunks.name, 1), most = std::max<Bytes>(1, spec.bytes);
  if (parts > most)
    return fmt::format("a block of {} bytes has at most as many chunks; nearest: chunks={}", spec.bytes, most);
  if (ways_of_all(spec, parts) > most_ways)
    return fmt::format(
        "would look for {:.3g} ways, and at most {:.3g} are looked for; nearest: fewer chunks, or fewer "
        "ranks",
        ways_of_all(spec, parts), most_ways);
  return {};
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all;
  for (const std::int64_t parts : {1, 2, 4}) {
    const Params params{{std::string(kit::chunks.name), {parts}}};
    const double visits = ways_of_all(spec, parts) * spec.topology->degree() * 4;
    if ((all.empty() || visits <= worth_visits) && illegal(spec, machine, params).empty()) all.push_back(params);
  }
  return all;
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t parts = params.get(kit::chunks.name, 1);
  return with_found(spec, machine, [&](Found& found) {
    const std::shared_ptr<const flow::ExchangeRounds> rounds = rounds_of(found, parts);
    const Shape shape{.ranks = spec.ranks(),
                      .in = spec.ranks(),
                      .out = spec.ranks(),
                      .tmp = rounds->places,
                      .cut = {.bytes = spec.bytes, .parts = parts}};
    std::vector<schedule::Handover> handovers;
    handovers.reserve(rounds->moves.size());
    for (const flow::Move& m : rounds->moves) {
      const flow::Arc& arc = found.network.arcs()[static_cast<std::size_t>(m.arc)];
      const auto in_piece = [&](Slot blocks, std::int32_t label) {
        return static_cast<std::int32_t>(m.chunk * blocks + label);
      };
      const bool begins = m.from_place < 0, ends = m.to_place < 0;
      handovers.push_back({m.round, static_cast<std::int32_t>(arc.from), static_cast<std::int32_t>(arc.to),
                           begins ? in_piece(shape.in, m.target) : in_piece(shape.tmp, m.from_place),
                           ends ? in_piece(shape.out, m.source) : in_piece(shape.tmp, m.to_place),
                           begins ? Buffer::in : Buffer::tmp, ends ? Buffer::out : Buffer::tmp});
    }
    return schedule::of_handovers(shape, handovers);
  });
}

Cost ways_cost(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *build(spec, machine, params));
}

/// As many rounds as the bound of the exchange says, in each of which some link carries a chunk.
Seconds least(const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.bytes == 0 || spec.ranks() == 1) return 0;
  const std::int64_t parts = params.get(kit::chunks.name, 1);
  const flow::Ratio time = with_found(spec, machine, [](Found& found) { return found.least; });
  const auto rounds = flow::narrow((time * flow::Ratio(parts)).ceil());
  const double fastest = kit::ways_of(spec.topology, machine)->fastest;
  return least_on_routes(
      spec, machine,
      {.startups = rounds,
       .bytes = static_cast<Bytes>(static_cast<double>(rounds * (spec.bytes / parts)) * fastest * (1 - 1e-9))});
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_ways",
          .collective = Collective::alltoall,
          .summary = "every chunk on a way of its own, chosen so that no link has more than its share; searched for",
          .source = "extra: rerouting under exponential lengths (Garg & Koenemann 1998), farthest to go first",
          .closed_form = {.where = "links between ranks, all ports, full duplex: counted; at least the bound's rounds"},
          .parameters = {kit::chunks},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = ways_cost,
          .build = build,
          .least = least,
          .asks_for_nodes = true,
          .searched = true};
}

}  // namespace quadrille::algorithm::alltoall_ways
