#include "algorithm/bcast/shared/halves.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/pattern/axes.hpp"

namespace quadrille::algorithm::bcast {

std::string needs_plane(const Spec& spec, const Machine& machine) {
  const auto* grid = kit::grid(spec);
  if (!grid || !grid->wraps() || grid->sides().size() != 2 || grid->sides()[0] < 3 || grid->sides()[1] < 3)
    return fmt::format("needs a torus of two dimensions with sides of at least 3, and {} is none; nearest: {}",
                       spec.topology->text(), kit::nearest_torus(spec));
  if (machine.duplex == Duplex::node_half)
    return "a rank would receive one packet while it sends another, and a node here does one or the other; try "
           "--set duplex=half";
  return kit::needs_all_ports(machine);
}

Parameter halves_parameter() {
  return {.name = "packets", .meaning = "packets of nearly equal size that each half is cut in"};
}

pattern::Tree half_tree(const Spec& spec, int part) { return pattern::grid_tree(spec, part == 1); }

bool unserved(const pattern::GridView& view, int part, Rank r) {
  return view.offset(r, part) == 0 && view.offset(r, 1 - part) != 0;
}

pattern::Tree pruned(pattern::Tree tree, std::function<bool(Rank)> keep) {
  const auto visit = [tree, keep](Rank r, auto take) {
    if (!keep(r)) return;
    for (std::int64_t i = 0, n = tree.children(r); i < n; ++i)
      if (const Rank child = tree.child(r, i); keep(child)) take(child);
  };
  pattern::Tree rest = tree;
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
  const pattern::GridView view(spec);
  const kit::Window all{1, view.reach(0) + view.reach(1)};
  std::vector<kit::Stream> parts;
  for (const int part : {0, 1})
    parts.push_back({(spec.bytes + 1 - part) / 2, packets, {all, repair.window(packets, view.reach(1 - part))}});
  return kit::streams_cost(parts);
}

namespace {

/// Offsets along an axis whose ranks stand for all: near the root, near the far end, and the first of those between,
/// with how many follow that do the same, each a round later.
std::vector<std::pair<Rank, Round>> typical_offsets(Rank reach) {
  constexpr Rank near = 4;
  std::vector<std::pair<Rank, Round>> all;
  for (Rank x = 0; x <= reach; ++x) {
    const bool between = x == near && reach - near > near;
    all.emplace_back(x, between ? reach - 2 * near : 0);
    if (between) x = reach - near;
  }
  return all;
}

/// What a rank sends and receives.
void add_rank(pattern::Crowds& crowds, const pattern::GridView& view, const Repair& repair,
              const std::vector<pattern::Tree>& trees, std::int64_t packets, Rank r, Round slide) {
  std::vector<pattern::Span> sent, received;
  const auto from = [&](std::int64_t level) { return pattern::Span{level - 1, level + packets - 2}; };
  for (const pattern::Tree& tree : trees) {
    if (const std::int64_t level = tree.level(r); level > 0) received.push_back(from(level));
    for (std::int64_t i = 0, n = tree.children(r); i < n; ++i) sent.push_back(from(tree.level(tree.child(r, i))));
  }
  if (repair.besides) repair.besides(view, packets, r, sent, received);
  crowds.add(sent, slide);
  crowds.add(received, slide);
}

}  // namespace

std::int64_t halves_further(const Spec& spec, const Repair& repair, std::int64_t packets) {
  const pattern::GridView view(spec);
  const pattern::Axes axes = pattern::axes_of(spec);
  const std::vector<pattern::Tree> trees = repair.trees(spec, packets);
  pattern::Crowds crowds;
  // Ranks away from the root's row and column get both halves at once and pass each on to one rank at most.
  crowds.add({1, view.reach(0) + view.reach(1) + packets - 2}, 2);
  for (const int axis : {0, 1})
    for (const int sign : {1, -1})
      for (const auto& [offset, slide] : typical_offsets(view.reach(axis, sign)))
        for (const Rank beside : {-1, 0, 1}) {
          const Rank r = axes.along(axes.along(spec.root, axis, sign * offset), 1 - axis, beside);
          add_rank(crowds, view, repair, trees, packets, r, slide);
        }
  return crowds.further();
}

std::int64_t best_half_packets(const Spec& spec, const Machine& machine, const Repair& repair) {
  constexpr std::int64_t most_tried = 256;  // windows of few packets may overlap in any way
  const Bytes part = spec.bytes / 2;
  const std::int64_t most = kit::most_packets(spec.bytes, 2);
  if (most <= 1) return 1;
  const pattern::GridView view(spec);
  const double startup = kit::neighbour_startup(spec, machine), share = repair.rounds_per_packet;
  const auto bytes = static_cast<double>(part), reach = static_cast<double>(std::max(view.reach(0), view.reach(1)));
  const auto depth = static_cast<double>(view.reach(0) + view.reach(1));
  // Rounds are at least those of the trees and those of the repair: two pipelines, one for few packets and one for
  // many.
  const pattern::Further crowd{[&](std::int64_t nu) { return halves_further(spec, repair, nu); },
                               kit::further_time(machine), 3};
  const auto best_of = [&](double further, double per_packet) {
    const Seconds packet = per_packet * startup + crowd.least();
    return packet > 0 ? std::sqrt(further * bytes * machine.beta / packet) : bytes;
  };
  const double meet = (depth - reach) / (share - 1), few = best_of(depth - 1, 1), many = best_of(reach - 1, share);
  return kit::cheapest_cut({.total = part,
                            .high = most,
                            .ideal = few <= meet ? few : std::max(meet, many),
                            .cost =
                                [&](std::int64_t nu) {
                                  const Cost c = halves_cost(spec, repair, nu);
                                  return static_cast<double>(c.startups) * startup +
                                         static_cast<double>(c.bytes) * machine.beta + crowd.time(nu);
                                },
                            .bound =
                                [&](std::int64_t nu) {
                                  const auto packets = static_cast<double>(nu);
                                  return std::max(packets + depth - 1, share * packets + reach - 1) *
                                             (startup + bytes * machine.beta / packets) +
                                         packets * crowd.least();
                                },
                            .not_monotone = most_tried});
}

}  // namespace quadrille::algorithm::bcast
