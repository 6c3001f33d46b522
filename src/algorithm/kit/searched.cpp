#include "algorithm/kit/searched.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "algorithm/kit/support.hpp"
#include "algorithm/kit/ways.hpp"
#include "algorithm/on_routes.hpp"
#include "base/recent.hpp"
#include "flow/rarest_first.hpp"
#include "schedule/rounds.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr double most_handovers = 1 << 24;  ///< a schedule of 256 MiB
constexpr double worth_looks = 1 << 27;     ///< a tenth of a second: plans try no more chunks by themselves
constexpr double most_looks = 1U << 31;     ///< two seconds: nor do they look for one chunk of a block
constexpr Link most_links = 1 << 16;        ///< of networks with switches

/// Numbers of chunks that are tried, and of blocks that are spread where few have bytes. What is open to a message is
/// open to a shorter one, of which some chunks are empty: more than four times as many were not seen to help.
constexpr std::int64_t tried[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512};
std::int64_t tried_for(std::int64_t filled) {
  const auto* const found = std::lower_bound(std::begin(tried), std::end(tried), 4 * filled);
  return found == std::end(tried) ? std::max(filled, tried[std::size(tried) - 1]) : *found;
}

/// What is spread: the blocks of ranks, in order. Of equal blocks with an element each some at the end may be empty.
struct Blocks {
  std::vector<Rank> owners;
  std::shared_ptr<const std::vector<Bytes>> offsets = {};  ///< where they differ in length
  Bytes largest = 0;
  Slot filled = 0;  ///< from there on they have no bytes
};
Blocks blocks_of(const Spec& spec) {
  if (spec.sources)
    return {spec.sources->ranks, {spec.sources, &spec.sources->offset}, spec.bytes, spec.sources->count()};
  if (spec.collective == Collective::bcast) return {{spec.root}, {}, spec.bytes, 1};
  Blocks blocks{{}, {}, spec.bytes, spec.offsets ? spec.offsets->back() : spec.ranks()};
  constexpr std::int64_t few = 64;
  for (Rank r = 0; r < std::min(spec.ranks(), std::max(few, tried_for(blocks.filled))); ++r) blocks.owners.push_back(r);
  return blocks;
}
/// Chunks of a block. Few are empty; where blocks differ in length, none of the longest is.
std::int64_t chunks_of(const Spec& spec, const Params& params) {
  const Bytes filled = std::max<Bytes>(1, spec.bytes);
  return std::min(params.get(chunks.name, 1), spec.sources ? filled : tried_for(filled));
}
Shape shape_of(const Spec& spec, const Blocks& blocks, std::int64_t parts) {
  return {.ranks = spec.ranks(),
          .out = spec.sources || spec.collective == Collective::bcast ? std::ssize(blocks.owners) : spec.ranks(),
          .cut = {.bytes = blocks.largest, .parts = parts},
          .offsets = blocks.offsets};
}

/// What rounds are searched for.
struct Search {
  WaysPtr ways;
  Rank ranks = 0;
  std::vector<Rank> owners;  ///< of blocks
  std::int64_t chunks = 1;   ///< of a block
  bool one_port = false, one_way = false, one_task = false;

  bool operator==(const Search& other) const {
    return std::tie(ranks, owners, chunks, one_port, one_way, one_task) ==
               std::tie(other.ranks, other.owners, other.chunks, other.one_port, other.one_way, other.one_task) &&
           (ways == other.ways ||
            (ways->channels == other.ways->channels && ways->link_chunks == other.ways->link_chunks));
  }
};
Search search_of(const Spec& spec, const Machine& machine, std::int64_t chunks) {
  return {.ways = ways_of(spec.topology, machine),
          .ranks = spec.ranks(),
          .owners = blocks_of(spec).owners,
          .chunks = chunks,
          .one_port = machine.ports == Ports::one,
          .one_way = half_duplex(machine),
          .one_task = one_task(machine)};
}

/// Piece after piece, and of each piece block after block.
flow::Spreading spreading_of(const Search& q) {
  flow::Spreading spreading{.ranks = q.ranks,
                            .channels = q.ways->channels,
                            .owners = {},
                            .link_chunks = q.ways->link_chunks,
                            .one_port = q.one_port,
                            .one_way = q.one_way,
                            .one_task = q.one_task};
  for (std::int64_t piece = 0; piece < q.chunks; ++piece)
    spreading.owners.insert(spreading.owners.end(), q.owners.begin(), q.owners.end());
  return spreading;
}

std::shared_ptr<const flow::RoundPlan> searched(const Search& search) {
  static base::Recent<Search, flow::RoundPlan> recent(std::size_t{256} << 20);
  return recent.get(
      search, [&] { return flow::rarest_first(spreading_of(search)); },
      [](const flow::RoundPlan& plan) { return plan.arrivals.size() * sizeof(flow::Arrival); });
}

/// Of that the chunks that have bytes.
flow::Spreading filled_of(const Search& q, const Spec& spec) {
  flow::Spreading spreading = spreading_of(q);
  spreading.owners.clear();
  const Blocks blocks = blocks_of(spec);
  for (Slot i = 0; i < blocks.filled; ++i) {
    const Bytes bytes = spec.sources ? spec.sources->bytes(i) : spec.bytes;
    spreading.owners.insert(spreading.owners.end(), static_cast<std::size_t>(std::min(bytes, q.chunks)),
                            blocks.owners[static_cast<std::size_t>(i)]);
  }
  return spreading;
}

Slot block_count(const Spec& spec) { return std::ssize(blocks_of(spec).owners); }

/// May be more than numbers of 63 bits hold.
double handovers(const Spec& spec, std::int64_t chunks) {
  return static_cast<double>(block_count(spec)) * static_cast<double>(spec.ranks() - 1) * static_cast<double>(chunks);
}

/// At chunks, about, while rounds are searched for. Through switches a rank chooses from more channels than it has
/// links.
double looks(const Spec& spec, const Machine& machine, std::int64_t chunks) {
  const double ranks = static_cast<double>(spec.ranks());
  const double channels =
      spec.topology->direct() ? 0 : static_cast<double>(ways_of(spec.topology, machine)->channels.size()) / ranks;
  return handovers(spec, chunks) * (1 + handovers(spec, chunks) / ranks) * std::max(1.0, channels / 2);
}

/// Messages that some rank gets beyond one a round, at least.
std::int64_t least_further(const flow::Spreading& s, std::int64_t rounds) {
  std::int32_t most = 1;
  for (const flow::Channel& c : s.channels) most = std::max(most, c.chunks);
  for (const std::int32_t link : s.link_chunks) most = std::max(most, link);
  std::vector<std::int64_t> lacks(static_cast<std::size_t>(s.ranks), std::ssize(s.owners));
  for (const Rank owner : s.owners) --lacks[static_cast<std::size_t>(owner)];
  const std::int64_t messages = base::ceil_div(*std::max_element(lacks.begin(), lacks.end()), std::int64_t{most});
  return std::max<std::int64_t>(0, messages - rounds);
}

std::string needs_links(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  if (t.structure().routed && !t.direct()) {
    if (machine.duplex == Duplex::full && t.links() <= most_links) return routes_illegal(spec, machine);
    if (t.links() > most_links) return fmt::format("{} has too many links to search on; fewer ranks", t.text());
    return "switches pass messages both ways at once; try --set duplex=full";
  }
  if (joins_ranks(spec)) return {};
  return fmt::format(
      "needs links from rank to rank, or through switches that say their routes, and {} has none; "
      "nearest: {}",
      t.text(), nearest_torus(spec));
}

}  // namespace

std::string rarest_first_illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (const std::string reason = needs_links(spec, machine); !reason.empty()) return reason;
  const std::int64_t parts = chunks_of(spec, params);
  if (handovers(spec, parts) > most_handovers)
    return fmt::format(
        "would be a list of {:.3g} messages, and at most {:.3g} are searched for; nearest: fewer chunks, or "
        "fewer ranks",
        handovers(spec, parts), most_handovers);
  return {};
}

Claims rarest_first_claims(const Spec& spec, const Machine&, const Params&) {
  const bool alone = spec.topology->direct();
  return {.contention_free = alone, .port_free = alone};
}

/// More chunks than that share links out no better.
std::vector<Params> rarest_first_variants(const Spec& spec, const Machine& machine) {
  const std::int64_t most_chunks = 2 * block_count(spec) < spec.ranks() ? 512 : 192;  // of all blocks
  std::vector<Params> all;
  for (const std::int64_t parts : tried) {
    const Params params{{std::string(chunks.name), {parts}}};
    if (chunks_of(spec, params) < parts) break;
    const bool worth = parts * block_count(spec) <= most_chunks && looks(spec, machine, parts) <= worth_looks;
    const bool first = all.empty() && looks(spec, machine, parts) <= most_looks;
    if ((first || worth) && rarest_first_illegal(spec, machine, params).empty()) all.push_back(params);
  }
  return all;
}

/// As many rounds as the rank needs that lacks most, and for the bytes that some rank lacks as long as its links take.
Seconds rarest_first_least(const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.bytes == 0 || spec.ranks() == 1) return 0;
  const Search search = search_of(spec, machine, chunks_of(spec, params));
  const flow::Spreading q = filled_of(search, spec);
  const Ways& ways = *search.ways;
  const Blocks blocks = blocks_of(spec);
  const Bytes all = spec.sources ? spec.sources->offset.back() : blocks.filled * spec.bytes;
  std::vector<Bytes> lacks(ways.arriving.size(), all);
  for (Slot i = 0; i < blocks.filled; ++i)
    lacks[static_cast<std::size_t>(blocks.owners[static_cast<std::size_t>(i)])] -=
        spec.sources ? spec.sources->bytes(i) : spec.bytes;
  double bytes = 0;
  for (std::size_t r = 0; r < lacks.size(); ++r)
    if (ways.arriving[r] > 0) bytes = std::max(bytes, static_cast<double>(lacks[r]) / ways.arriving[r]);
  const std::int64_t rounds = flow::least_rounds(q);
  if (!spec.sources) {  // somebody gets a chunk in every round
    const auto chunk = static_cast<double>(spec.bytes / search.chunks);
    bytes = std::max(bytes, static_cast<double>(rounds) * chunk * ways.fastest);
  }
  bytes *= 1 - 1e-9;  // sums of rates are rounded
  const bool whole = ways.fastest == 1 && ways.slowest == 1;
  return least_on_routes(spec, machine,
                         {.startups = rounds,
                          .bytes = static_cast<Bytes>(whole ? std::ceil(bytes) : bytes),
                          .further = least_further(q, rounds)});
}

Cost rarest_first_cost(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *rarest_first_build(spec, machine, params));
}

SchedulePtr rarest_first_build(const Spec& spec, const Machine& machine, const Params& params) {
  const Search search = search_of(spec, machine, chunks_of(spec, params));
  const std::shared_ptr<const flow::RoundPlan> plan = searched(search);
  const Blocks blocks = blocks_of(spec);
  const Shape shape = shape_of(spec, blocks, std::min(search.chunks, std::max<Bytes>(1, spec.bytes)));
  const auto spread = static_cast<std::int32_t>(blocks.owners.size()), labels = static_cast<std::int32_t>(shape.out);
  std::vector<schedule::Handover> handovers;
  handovers.reserve(plan->arrivals.size());
  for (const flow::Arrival& a : plan->arrivals) {
    const flow::Channel& c = search.ways->channels[static_cast<std::size_t>(a.channel)];
    const std::int32_t label = a.chunk % spread, piece = a.chunk / spread;
    if (label < blocks.filled && piece < shape.cut.parts)
      handovers.push_back({a.round, c.from, c.to, piece * labels + label});
  }
  return schedule::of_handovers(shape, handovers);
}

}  // namespace quadrille::algorithm::kit
