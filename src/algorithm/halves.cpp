#include "algorithm/halves.hpp"

#include <algorithm>
#include <cmath>

namespace quadrille {

std::string needs_plane(const Spec& spec, const Machine& machine) {
  const auto* grid = as<Grid>(spec);
  if (!grid || !grid->wraps() || grid->sides().size() != 2 || grid->sides()[0] < 3 || grid->sides()[1] < 3)
    return fmt::format("needs a torus of two dimensions with sides of at least 3, and {} is none; nearest: {}",
                       spec.topology->text(), nearest_torus(spec));
  if (machine.duplex == Duplex::node_half)
    return "a rank would receive one packet while it sends another, and a node here does one or the other; try "
           "--set duplex=half";
  return needs_all_ports(machine);
}

Parameter halves_parameter() { return {"packets", "packets of nearly equal size that each half is cut in"}; }

Tree half_tree(const Spec& spec, int part) { return grid_tree(spec, part == 1); }

bool unserved(const GridView& view, int part, Rank r) {
  return view.offset(r, part) == 0 && view.offset(r, 1 - part) != 0;
}

Tree pruned(Tree tree, std::function<bool(Rank)> keep) {
  const auto visit = [tree, keep](Rank r, auto take) {
    if (!keep(r)) return;
    for (std::int64_t i = 0, n = tree.children(r); i < n; ++i)
      if (const Rank child = tree.child(r, i); keep(child)) take(child);
  };
  Tree rest = tree;
  rest.level = [tree, keep](Rank r) { return keep(r) ? tree.level(r) : 0; };
  rest.children = [visit](Rank r) {
    std::int64_t count = 0;
    visit(r, [&](Rank) { ++count; });
    return count;
  };
  rest.child = [visit](Rank r, std::int64_t index) {
    Rank found = -1;
    visit(r, [&](Rank child) { found = index-- == 0 ? child : found; });
    return found;
  };
  return rest;
}

Cost halves_cost(const Spec& spec, const Repair& repair, std::int64_t packets) {
  if (spec.bytes == 0) return {};
  const GridView view(spec);
  const Window all{1, view.reach(0) + view.reach(1)};
  std::vector<Stream> parts;
  for (const int part : {0, 1})
    parts.push_back({(spec.bytes + 1 - part) / 2, packets, {all, repair.window(packets, view.reach(1 - part))}});
  return streams_cost(parts);
}

std::int64_t best_half_packets(const Spec& spec, const Machine& machine, const Repair& repair) {
  const Bytes part = spec.bytes / 2;
  if (part <= 1) return 1;
  const GridView view(spec);
  const double startup = neighbour_startup(spec, machine), share = repair.rounds_per_packet;
  const auto bytes = static_cast<double>(part), reach = static_cast<double>(std::max(view.reach(0), view.reach(1)));
  const auto depth = static_cast<double>(view.reach(0) + view.reach(1));
  // Rounds are at least those of the trees and those of the repair: two pipelines, one for few packets and one for
  // many.
  const auto best_of = [&](double further, double per_packet) {
    return startup > 0 ? std::sqrt(further * bytes * machine.beta / (per_packet * startup)) : bytes;
  };
  const double meet = (depth - reach) / (share - 1), few = best_of(depth - 1, 1), many = best_of(reach - 1, share);
  return cheapest_cut({.total = part,
                       .high = part,
                       .ideal = few <= meet ? few : std::max(meet, many),
                       .cost =
                           [&](std::int64_t nu) {
                             const Cost c = halves_cost(spec, repair, nu);
                             return static_cast<double>(c.startups) * startup +
                                    static_cast<double>(c.bytes) * machine.beta;
                           },
                       .bound =
                           [&](std::int64_t nu) {
                             const auto packets = static_cast<double>(nu);
                             return std::max(packets + depth - 1, share * packets + reach - 1) *
                                    (startup + bytes * machine.beta / packets);
                           }});
}

}  // namespace quadrille
