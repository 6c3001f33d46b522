#include "algorithm/kit/turns.hpp"

#include <algorithm>

#include "flow/paired_trees.hpp"

namespace quadrille::algorithm::kit {

namespace {

using flow::Ratio;

/// Rounds in which arcs carry a piece of each copy, as many as there can be while they take a hundredth longer at most.
std::int64_t rounds_for(const flow::Network& links, const flow::PairLoads& loads) {
  const auto time_in = [&](std::int64_t rounds) {
    Ratio most = 0;
    for (std::size_t a = 0; a < loads.down.size(); ++a)
      most =
          std::max(most, Ratio((loads.down[a] + loads.up[a] + rounds - 1) / rounds * rounds, links.arcs()[a].capacity));
    return most;
  };
  const Ratio near = time_in(1) * Ratio(101, 100);
  std::int64_t rounds = 1;
  for (std::size_t a = 0; a < loads.down.size(); ++a) rounds = std::max(rounds, loads.down[a] + loads.up[a]);
  while (time_in(rounds) > near) --rounds;
  return rounds;
}

}  // namespace

void take_turns(const flow::Network& links, SharedForest& plan) {
  const flow::PairLoads loads = loads_of(links, plan.down.trees, plan.up.trees);
  const std::int64_t rounds = rounds_for(links, loads);
  plan.same = false;
  plan.down.pace = plan.up.pace = {.rounds = rounds, .evenly = true};
  plan.down.pace.at_once.resize(plan.down.network.arcs().size());
  plan.up.pace.at_once.resize(plan.up.network.arcs().size());
  for (std::size_t a = 0; a < loads.down.size(); ++a) {
    const Rank from = links.rank(links.arcs()[a].from), to = links.rank(links.arcs()[a].to);
    const std::int64_t both = loads.down[a] + loads.up[a];
    std::vector<std::int64_t> down, up;
    for (std::int64_t round = 0; round < rounds; ++round) {
      const std::int64_t first = round * both / rounds, end = (round + 1) * both / rounds;
      down.push_back(both == 0 ? 0 : end * loads.down[a] / both - first * loads.down[a] / both);
      up.push_back(end - first - down.back());
    }
    std::reverse(up.begin(), up.end());
    if (loads.down[a] > 0) plan.down.pace.at_once[static_cast<std::size_t>(plan.down.network.find(from, to))] = down;
    if (loads.up[a] > 0) plan.up.pace.at_once[static_cast<std::size_t>(plan.up.network.find(to, from))] = up;
  }
}

}  // namespace quadrille::algorithm::kit
