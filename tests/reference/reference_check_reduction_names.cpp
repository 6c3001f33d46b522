// Algorithms of reductions, and their parameters, in this library's words.
#include "reference_reductions.hpp"

namespace quadrille::reference::reductions {

namespace {

/// The entries' name of an algorithm without its machine and operation, and ours.
struct Translation {
  std::string_view machine, name, ours;
};
constexpr Translation translations[] = {
    {"", "reduce-binomial", "reduce_binomial"},
    {"", "reduce-interval", "reduce_interval"},
    {"", "reduce-chain", "reduce_chain"},
    {"", "reduce-two-ways-round", "reduce_two_trees"},
    {"", "reduce-twoway-tree", "reduce_pipelined"},
    {"", "reduce-esbt", "reduce_esbt"},
    {"", "reduce-adst", "reduce_adst"},
    {"", "reduce-circulant", "reduce_circulant"},
    {"", "reduce-relayed", "reduce_relayed"},
    {"", "reduce-rabenseifner", "reduce_scatter_gather"},
    {"bus", "reduce", "reduce_bus"},
    {"bus", "reduce-bus-pairs", "reduce_bus_pairs"},
    {"shm", "reduce", "reduce_memory"},
    {"shm", "reduce-memory-split", "reduce_memory_split"},
    {"", "reduce_scatter-ring", "reduce_scatter_ring"},
    {"", "reduce_scatter-twoway", "reduce_scatter_twoway"},
    {"", "reduce_scatter-circulant", "reduce_scatter_circulant"},
    {"", "reduce_scatter-doubling", "reduce_scatter_doubling"},
    {"", "reduce_scatter-pairwise", "reduce_scatter_pairwise"},
    {"", "reduce_scatter-halving", "reduce_scatter_halving:far=1"},
    {"", "reduce_scatter-halving-ordered", "reduce_scatter_halving"},
    {"", "reduce_scatter-halving-rotated", "reduce_scatter_halving_rotated"},
    {"", "reduce_scatter-axes", "reduce_scatter_axes"},
    {"", "reduce_scatter-axes-rotated", "reduce_scatter_axes_rotated"},
    {"", "reduce_scatter-cycles", "reduce_scatter_cycles"},
    {"", "reduce_scatter-linear", "reduce_scatter_linear"},
    {"", "reduce_scatter-radix", "reduce_scatter_radix"},
    {"", "reduce_scatter-flood", "reduce_scatter_flood"},
    {"bus", "reduce_scatter", "reduce_scatter_bus"},
    {"shm", "reduce_scatter", "reduce_scatter_memory"},
    {"", "allreduce-doubling", "allreduce_doubling"},
    {"", "allreduce-fold", "allreduce_fold"},
    {"", "allreduce-census", "allreduce_census"},
    {"", "allreduce-ring", "allreduce_ring"},
    {"", "allreduce-twoway", "allreduce_twoway"},
    {"", "allreduce-circulant", "allreduce_circulant"},
    {"", "allreduce-halving", "allreduce_halving"},
    {"", "allreduce-halving-rotated", "allreduce_halving_rotated"},
    {"", "allreduce-axes-rotated", "allreduce_axes_rotated"},
    {"", "allreduce-cycles", "allreduce_cycles"},
    {"", "allreduce-linear", "allreduce_linear"},
    {"", "allreduce-radix", "allreduce_radix"},
    {"", "allreduce-esbt-trees", "allreduce_esbt"},
    {"", "allreduce-adst-trees", "allreduce_adst"},
    {"", "allreduce-dual-root", "allreduce_dual_root"},
    {"", "allreduce-two-trees", "allreduce_double_tree"},
    {"", "reduce-two-trees", "allreduce_double_tree"},
    {"", "allreduce-swing", "allreduce_swing"},
    {"", "allreduce-swing-latency", "allreduce_swing_latency"},
    {"", "allreduce-hierarchical", "allreduce_hierarchical"},
    {"bus", "allreduce", "allreduce_bus"},
    {"shm", "allreduce", "allreduce_memory"},
    {"", "scan-doubling", "scan_doubling"},
    {"", "scan-butterfly", "scan_butterfly"},
    {"", "scan-chain", "scan_chain"},
    {"", "scan-axes", "scan_axes"},
    {"bus", "scan", "scan_bus"},
    {"shm", "scan", "scan_memory"},
    {"", "exscan-butterfly", "exscan_butterfly"},
    {"", "exscan-shift", "exscan_shift"},
    {"", "exscan-123", "exscan_123"},
    {"", "exscan-chain", "exscan_chain"},
    {"bus", "exscan", "exscan_bus"},
    {"shm", "exscan", "exscan_memory"},
};

}  // namespace

Choice choice_of(const Json& entry) {
  const std::string kind = entry.at("machine").at("kind"), name = entry.at("algorithm");
  const std::string machine = kind == "shared-memory" ? "shm" : kind;
  for (const Translation& t : translations) {
    if (name != machine + "-" + std::string(t.name) || !(t.machine.empty() || t.machine == machine)) continue;
    Choice choice;
    try {
      choice = parse_choice(t.ours);
    } catch (const Error&) {
      throw NotBuilt{"algorithm " + name};
    }
    const Json& params = entry.at("params");
    for (const auto& [theirs, ours] :
         {std::pair{"nu", "packets"}, {"ways", "ways"}, {"radix", "radix"}, {"cores", "cores"}})
      for (const Parameter& p : choice.algorithm->parameters)
        if (p.name == ours && params.contains(theirs)) choice.params.set(ours, {params.at(theirs).get<std::int64_t>()});
    if (params.contains("nearest_first")) choice.params.set("far", {params.at("nearest_first").get<bool>() ? 0 : 1});
    return choice;
  }
  throw NotBuilt{"algorithm " + name};
}

}  // namespace quadrille::reference::reductions
