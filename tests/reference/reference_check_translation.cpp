// The papers' algorithms and machines in this library's words.
#include "base/text.hpp"
#include "reference_saad_schultz.hpp"
#include "topology/grid.hpp"

namespace quadrille::reference {

namespace {

/// The papers' name of an algorithm, without its machine, and ours.
struct Translation {
  std::string_view machine, name, ours;
  std::string_view parameter, fields;  ///< our parameter and the entry's fields for it, one per value
};
constexpr Translation translations[] = {
    {"", "p2p-naive", "sendrecv_pipelined:packets=1", "", ""},
    {"", "p2p-pipelined", "sendrecv_pipelined", "packets", "nu"},
    {"", "p2p-two-path-equal", "sendrecv_multipath", "packets", "nu_per_path"},
    {"torus", "p2p-four-path-equal", "sendrecv_multipath", "packets", "nu_per_path"},
    {"torus", "p2p-four-path-balanced", "sendrecv_balanced", "packet_bytes", "packet_words"},
    {"", "p2p-n-path-equal", "sendrecv_multipath", "packets", "nu_per_path"},
    {"", "p2p-two-path-balanced", "sendrecv_balanced", "packet_bytes", "packet_words"},
    {"", "p2p-n-path-balanced", "sendrecv_balanced", "packet_bytes", "packet_words"},
    {"switch", "p2p", "sendrecv_direct", "", ""},
    {"switch", "bcast-native", "bcast_pipelined:packets=1", "", ""},
    {"bus", "p2p", "sendrecv_direct", "", ""},
    {"bus", "bcast", "bcast_pipelined:packets=1", "", ""},
    {"bus", "a2abcast-sequential", "allgather_sequential:packets=1", "", ""},
    {"bus", "scatter-sequential", "scatter_direct", "", ""},
    {"bus", "gather-sequential", "gather_direct", "", ""},
    {"bus", "scatter-one-broadcast", "scatter_star", "", ""},
    {"bus", "transpose-broadcast", "alltoall_scatters", "", ""},
    {"bus", "transpose-pairwise", "alltoall_tournament", "", ""},
    {"shm", "p2p", "sendrecv_pipelined:packets=1", "", ""},
    {"shm", "p2p-pipelined", "sendrecv_pipelined", "packets", "nu"},
    {"shm", "bcast", "bcast_memory:packets=1", "", ""},
    {"shm", "a2abcast", "allgather_memory", "", ""},
    {"shm", "scatter", "scatter_memory", "", ""},
    {"shm", "gather", "gather_memory", "", ""},
    {"shm", "transpose", "alltoall_memory", "", ""},
    {"", "bcast-sbt", "bcast_binomial", "", ""},
    {"", "bcast-sbt-pipelined", "bcast_pipelined", "packets", "nu"},
    {"", "bcast-esbt", "bcast_esbt", "packets", "nu_per_tree"},
    {"ring", "bcast-oneway-pipelined", "bcast_chain", "packets", "nu"},
    {"ring", "bcast-twoway-pipelined", "bcast_pipelined", "packets", "nu"},
    {"torus", "bcast-tree-pipelined", "bcast_pipelined", "packets", "nu"},
    {"torus", "bcast-row-then-column", "bcast_axes", "packets", "nu_phase1,nu_phase2"},
    {"torus", "bcast-two-half-catchup", "bcast_catchup", "packets", "nu_per_half"},
    {"torus", "bcast-two-half-late", "bcast_late", "packets", "nu_per_half"},
    {"torus", "bcast-two-half-neighbour", "bcast_two_trees", "packets", "nu_per_half"},
    {"torus", "bcast-two-edst", "bcast_two_edst", "packets", "nu_per_half"},
    {"switch", "bcast-doubling", "bcast_binomial", "", ""},
    {"switch", "bcast-ring-pipelined", "bcast_chain", "packets", "nu"},
    {"hypercube", "a2abcast-sequential", "allgather_sequential", "packets", "nu"},
    {"ring", "a2abcast-daisy", "allgather_daisy", "", ""},
    {"hypercube", "a2abcast-daisy", "allgather_daisy", "", ""},
    {"switch", "a2abcast-daisy", "allgather_daisy", "", ""},
    {"", "a2abcast-adea", "allgather_adea", "", ""},
    {"", "a2abcast-adea-rotated", "allgather_adea_rotated", "", ""},
    {"", "a2abcast-tea1", "allgather_tea1", "", ""},
    {"", "a2abcast-tea2", "allgather_tea2", "", ""},
    {"", "a2abcast-tea1-grouped", "allgather_tea1_grouped", "", ""},
    {"", "a2abcast-tea2-grouped", "allgather_tea2_grouped", "", ""},
    {"switch", "a2abcast-doubling", "allgather_doubling", "", ""},
    {"", "scatter-sbt", "scatter_tree", "", ""},
    {"", "gather-sbt", "gather_tree", "", ""},
    {"", "scatter-rotated", "scatter_rotated", "", ""},
    {"", "gather-rotated", "gather_rotated", "", ""},
    {"ring", "scatter-twoway", "scatter_twoway:ways=1", "", ""},
    {"ring", "gather-twoway", "gather_twoway:ways=1", "", ""},
    {"switch", "scatter-shift", "scatter_tree", "", ""},
    {"switch", "gather-shift", "gather_tree", "", ""},
    {"", "transpose-mtadea", "alltoall_mtadea", "", ""},
    {"", "transpose-mtadea-rotated", "alltoall_mtadea_rotated", "", ""},
    {"hypercube", "transpose-sequential-multigather", "alltoall_gathers", "", ""},
    {"ring", "transpose-rotate", "alltoall_rotate", "", ""},
    {"ring", "transpose-bidir", "alltoall_bidir:ways=1", "", ""},
    {"torus", "a2abcast-sequential", "allgather_sequential", "packets", "nu"},
    {"torus", "a2abcast-daisy", "allgather_daisy", "", ""},
    {"torus", "a2abcast-alternating", "allgather_axes", "", ""},
    {"torus", "a2abcast-two-half", "allgather_axes_rotated:ways=1", "", ""},
    {"torus", "scatter-row-column", "scatter_axes:first=1", "", ""},
    {"torus", "gather-row-column", "gather_axes:first=1", "", ""},
    {"torus", "scatter-two-half", "scatter_axes_rotated:ways=1", "", ""},
    {"torus", "gather-two-half", "gather_axes_rotated:ways=1", "", ""},
    {"torus", "transpose-two-phase", "alltoall_rotate:first=1", "", ""},
    {"torus", "transpose-two-phase-bidir", "alltoall_bidir:first=1:ways=1", "", ""},
    {"torus", "transpose-two-half", "alltoall_bidir_rotated:ways=1", "", ""},
    {"torus", "block-transpose-diagonal", "transpose_diagonal", "", ""},
    {"switch", "transpose-xor", "alltoall_mtadea", "", ""},
    {"switch", "bcast-bintree-pipelined", "bcast_bintree", "packets", "nu"},
    {"switch", "transpose-shift", "alltoall_pairwise", "", ""},
    {"switch", "transpose-bruck", "alltoall_bruck:radix=2", "", ""},
};

std::string topology_text(const Json& machine) {
  const std::string kind = machine.at("kind");
  if (kind == "hypercube") return fmt::format("hypercube:{}", machine.at("n").get<int>());
  if (kind == "ring") return fmt::format("ring:{}", machine.at("k").get<int>());
  if (kind == "torus") return fmt::format("torus:{}x{}", machine.at("rows").get<int>(), machine.at("cols").get<int>());
  if (kind == "bus") return fmt::format("bus:{}", machine.at("k").get<int>());
  if (kind == "shared-memory") return fmt::format("memory:{}", machine.at("k").get<int>());
  if (kind == "switch") return fmt::format("crossbar:{}", machine.at("k").get<int>());
  throw NotBuilt{"machine " + kind};
}

/// A rank given by its number, or on a torus by row and column.
Rank rank_of(const Json& rank, const Topology& topology) {
  if (!rank.is_array()) return rank.get<Rank>();
  const auto& sides = topology.structure().grid->sides();
  return rank.at(0).get<Rank>() * sides.at(1) + rank.at(1).get<Rank>();
}

}  // namespace

std::optional<algorithm::kit::Lengths> lengths_given(const Algorithm& algorithm, const Json& params) {
  for (const Parameter& p : algorithm.parameters)
    if (p.name == "lengths" && params.contains("path_lengths"))
      return params.at("path_lengths").get<algorithm::kit::Lengths>();
  return {};
}

std::optional<Choice> translate(const std::string& machine, const std::string& name, const Json& params, Rank ranks) {
  const std::string kind = machine == "shared-memory" ? "shm" : machine, prefix = kind + "-";
  if (!name.starts_with(prefix)) return {};
  for (const Translation& t : translations) {
    if (name.substr(prefix.size()) != t.name || !(t.machine.empty() || t.machine == kind)) continue;
    Choice choice = parse_choice(t.ours);
    std::vector<std::int64_t> values;
    for (const std::string_view field : base::split(t.fields, ','))
      if (!t.parameter.empty()) values.push_back(params.at(std::string(field)).get<std::int64_t>());
    if (!values.empty()) choice.params.set(std::string(t.parameter), values);
    if (const auto given = lengths_given(*choice.algorithm, params)) choice.params.set("lengths", *given);
    if (params.contains("first"))  // a phase in every row goes along the second coordinate
      choice.params.set("first", {params.at("first") == "rows" ? 1 : 0});
    const std::string mode = choice.algorithm->name == "bcast_bintree" ? params.value("mode", "eager") : "eager";
    if (mode != "eager") choice.params.set("turns", {mode == "alternating" ? 2 : 3});
    if (choice.algorithm->name == "scatter_memory" || choice.algorithm->name == "gather_memory")
      choice.params.set("batch", {ranks - 1});  // the paper's
    return choice;
  }
  return {};
}

Machine machine_of(const Json& entry) {
  const Json& text = entry.at("machine");
  Machine machine;
  machine.alpha = rational(entry.at("cost").at("tau"));
  machine.beta = rational(entry.at("cost").at("time_per_word"));
  machine.ports = text.value("ports", "all") == "all" && text.at("kind") != "switch" ? Ports::all : Ports::one;
  machine.shared = text.value("k_star", std::int64_t{1});
  machine.multicast = text.value("switch_broadcast", false);
  machine.duplex = text.value("duplex", "full") == "full" ? Duplex::full
                   : text.at("duplex") == "half"          ? Duplex::half
                                                          : Duplex::node_half;
  machine.switching = Switching::store_and_forward;
  return machine;
}

Spec spec_of(const Json& entry) {
  const Json& params = entry.at("params");
  const std::string operation = entry.at("operation");
  const auto collective = find_collective(operation);
  if (!collective) throw NotBuilt{"operation " + operation};
  const bool whole = *collective == Collective::sendrecv || *collective == Collective::bcast;
  const char* size = whole ? "N" : *collective == Collective::alltoall ? "block_words" : "m";
  Spec spec{.collective = *collective,
            .topology = parse_topology(topology_text(entry.at("machine"))),
            .bytes = params.value(size, Bytes{1})};
  const char* root = *collective == Collective::sendrecv ? "src" : "root";
  if (has_root(*collective) && params.contains(root)) spec.root = rank_of(params.at(root), *spec.topology);
  if (*collective == Collective::sendrecv) spec.target = rank_of(params.at("dst"), *spec.topology);
  return checked(spec);
}

}  // namespace quadrille::reference
