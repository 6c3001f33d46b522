// A share of the message down each of as many spanning trees as fit side by side: as many as the smallest cut of the
// network lets through. Packets go down the tree where they arrive first, so shallow trees carry more.
#include <algorithm>
#include <memory>
#include <vector>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/shares.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/kit/ways.hpp"
#include "algorithm/pattern/listed_tree.hpp"
#include "algorithm/registry.hpp"
#include "base/recent.hpp"
#include "flow/packing.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::bcast_packed {

namespace {

constexpr double most_looks = 1 << 26;  ///< at links while trees grow: two seconds

using Trees = std::vector<pattern::Tree>;  ///< the shallowest first

Trees packed(const flow::Network& network, Rank root) {
  Trees trees;
  for (const flow::PackedTree& tree : flow::packed_trees(network, root, flow::most_trees(network, root))) {
    const auto listed =
        std::make_shared<const pattern::ListedTree>(std::vector<Rank>(tree.parent.begin(), tree.parent.end()));
    trees.insert(trees.end(), static_cast<std::size_t>(tree.copies), pattern::tree_of(listed));
  }
  return trees;
}

std::shared_ptr<const Trees> trees(const Spec& spec, const Machine& machine) {
  static base::Recent<std::vector<std::int64_t>, Trees> known;
  const flow::Network network = kit::network_of(spec, machine);
  std::vector<std::int64_t> question{network.vertices(), spec.root};
  for (const flow::Arc& arc : network.arcs()) question.insert(question.end(), {arc.from, arc.to, arc.capacity});
  return known.get(std::move(question), [&] { return packed(network, spec.root); });
}

Bytes packet_bytes(const Spec& spec, const Params& params) {
  return params.get("packet_bytes", std::max<Bytes>(1, spec.bytes));
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = kit::needs_free_links(spec, machine); !reason.empty()) return reason;
  const Topology& t = *spec.topology;
  const double links = static_cast<double>(t.ranks()) * static_cast<double>(t.degree());
  const double looks = links * links;
  if (looks > most_looks)
    return fmt::format("would look at {:.3g} links while trees grow, at most at {:.3g}; nearest: fewer ranks", looks,
                       most_looks);
  const Bytes size = packet_bytes(spec, params), most = std::max<Bytes>(1, spec.bytes);
  if (size >= 1 && size <= most) return {};
  return fmt::format("packet_bytes={} is not in 1 .. {}, the size of the message; try packet_bytes={}", size, most,
                     size < 1 ? 1 : most);
}

kit::Lengths depths_of(const Trees& trees) {
  kit::Lengths depths;
  for (const pattern::Tree& tree : trees) depths.push_back(tree.depth);
  return depths;
}

/// Messages beyond the first that the busiest rank of each round sends, or that come to it, summed over rounds.
std::int64_t further(const Trees& trees, Rank ranks, std::int64_t packets) {
  const std::vector<std::int64_t> dealt = kit::balanced_packets(depths_of(trees), packets);
  pattern::Crowds crowds;
  for (Rank r = 0; r < ranks; ++r) {
    std::vector<pattern::Span> out, in;
    for (std::size_t part = 0; part < trees.size(); ++part) {
      const pattern::Tree& tree = trees[part];
      const Round level = tree.level(r), last = level + dealt[part] - 1;
      if (level > 0) in.push_back({level - 1, last - 1});
      out.insert(out.end(), static_cast<std::size_t>(tree.children(r)), {level, last});
    }
    crowds.add(out);
    crowds.add(in);
  }
  return crowds.further();
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const std::shared_ptr<const Trees> found = trees(spec, machine);
  const pattern::Further crowded{[&](std::int64_t packets) { return further(*found, spec.ranks(), packets); },
                                 kit::further_time(machine)};
  const double slowest = kit::ways_of(spec.topology, machine)->slowest;
  const Bytes best = kit::best_packet_bytes(depths_of(*found), spec.bytes, kit::neighbour_startup(spec, machine),
                                            machine.beta * slowest, crowded);
  // More packets than this are more rounds than are counted in a moment; they would gain next to nothing.
  constexpr std::int64_t most_packets = 1 << 12;
  return {{{"packet_bytes", {std::max(best, base::ceil_div(spec.bytes, most_packets))}}}};
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
  return pattern::balanced_forest_schedule(spec, *trees(spec, machine), packet_bytes(spec, params));
}

Cost packed_cost(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *build(spec, machine, params));
}

/// Links that are faster than the slowest carry several packets in a round.
Claims claims(const Spec& spec, const Machine& machine, const Params&) {
  const std::vector<flow::Channel>& channels = kit::ways_of(spec.topology, machine)->channels;
  return {.contention_free =
              std::all_of(channels.begin(), channels.end(), [](const flow::Channel& c) { return c.chunks == 1; })};
}

}  // namespace

Algorithm describe() {
  return {.name = "bcast_packed",
          .collective = Collective::bcast,
          .summary = "a share down each of as many spanning trees as fit side by side; they are searched for",
          .source = "extra: Edmonds 1973 and Lovasz 1976, trees that share no arc; Zhao et al. 2024 (ForestColl)",
          .closed_form = {.where = "links between ranks, all ports, full duplex: counted"},
          .parameters = {{.name = "packet_bytes", .meaning = "size of a packet; the last one may be shorter"}},
          .claims = claims,
          .illegal = illegal,
          .variants = variants,
          .cost = packed_cost,
          .build = build,
          .asks_for_nodes = true,
          .searched = true};
}

}  // namespace quadrille::algorithm::bcast_packed
