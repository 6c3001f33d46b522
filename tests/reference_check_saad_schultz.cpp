// Entries of the Saad & Schultz format: an algorithm on a machine with its exact counts.
#include <functional>
#include <numeric>
#include <optional>

#include "algorithm/necklace.hpp"
#include "algorithm/paths.hpp"
#include "algorithm/pipeline.hpp"
#include "algorithm/spread.hpp"
#include "algorithm/twoedst.hpp"
#include "base/text.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "reference_check.hpp"
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
    {"torus", "a2abcast-two-half", "allgather_axes_rotated", "", ""},
    {"torus", "scatter-row-column", "scatter_axes:first=1", "", ""},
    {"torus", "gather-row-column", "gather_axes:first=1", "", ""},
    {"torus", "scatter-two-half", "scatter_axes_rotated:ways=1", "", ""},
    {"torus", "gather-two-half", "gather_axes_rotated:ways=1", "", ""},
    {"torus", "transpose-two-phase", "alltoall_rotate:first=1", "", ""},
    {"torus", "transpose-two-phase-bidir", "alltoall_bidir:first=1:ways=1", "", ""},
    {"torus", "transpose-two-half", "alltoall_bidir_rotated", "", ""},
    {"torus", "block-transpose-diagonal", "transpose_diagonal", "", ""},
    {"switch", "transpose-xor", "alltoall_mtadea", "", ""},
    {"switch", "bcast-bintree-pipelined", "bcast_bintree", "packets", "nu"},
    {"switch", "transpose-shift", "alltoall_pairwise", "", ""},
    {"switch", "transpose-bruck", "alltoall_bruck:radix=2", "", ""},
};

/// The lengths of an entry's paths, where the algorithm can choose among several sets.
std::optional<Lengths> lengths_given(const Algorithm& algorithm, const Json& params) {
  for (const Parameter& p : algorithm.parameters)
    if (p.name == "lengths" && params.contains("path_lengths")) return params.at("path_lengths").get<Lengths>();
  return {};
}

std::optional<Choice> translate(const std::string& machine, const std::string& name, const Json& params, Rank ranks) {
  const std::string kind = machine == "shared-memory" ? "shm" : machine, prefix = kind + "-";
  if (!name.starts_with(prefix)) return {};
  for (const Translation& t : translations) {
    if (name.substr(prefix.size()) != t.name || !(t.machine.empty() || t.machine == kind)) continue;
    Choice choice = parse_choice(t.ours);
    std::vector<std::int64_t> values;
    for (const std::string_view field : split(t.fields, ','))
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

/// A rank given by its number, or on a torus by row and column.
Rank rank_of(const Json& rank, const Topology& topology) {
  if (!rank.is_array()) return rank.get<Rank>();
  const auto& sides = dynamic_cast<const Grid&>(topology).sides();
  return rank.at(0).get<Rank>() * sides.at(1) + rank.at(1).get<Rank>();
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

std::string check_execution(const Json& entry) {
  const std::string kind = entry.at("machine").at("kind"), name = entry.at("algorithm");
  const Spec spec = spec_of(entry);
  const std::optional<Choice> choice = translate(kind, name, entry.at("params"), spec.ranks());
  if (!choice) throw NotBuilt{"algorithm " + name};
  const Machine machine = machine_of(entry);
  const Built built = build(spec, machine, *choice);
  const Proof proof = verify(spec, machine, *built.schedule, built.claims, {.use_symmetry = false});
  if (!proof.holds) return "refused: " + proof.counterexample->text;
  const Traffic traffic = count(spec, machine, *built.schedule);
  const Json& expected = entry.at("expected");
  Comparison compare;
  const auto integer = [&](const char* field, std::int64_t found) {
    if (expected.contains(field)) compare.near(field, rational(expected.at(field)), static_cast<double>(found), 0);
  };
  const double time = seconds(traffic.cost, machine, *spec.topology);
  compare.near("time", rational(expected.at("time")), time, 1e-9 * time);
  integer("rounds", traffic.cost.startups);
  integer("messages", traffic.messages);
  integer("words_critical", traffic.critical_bytes);
  integer("shared_resource_words", traffic.busiest_link);
  integer("busiest_directed_link_words", traffic.busiest_link);
  integer("busiest_undirected_link_words", traffic.busiest_wire);
  integer("busiest_out_port_words", traffic.busiest_out_port);
  integer("busiest_in_port_words", traffic.busiest_in_port);
  integer("word_hops", traffic.byte_hops);
  const double formula = seconds(built.formula, machine, *spec.topology);
  if (built.claims.exact) compare.near("closed form", time, formula, 1e-9 * time);
  const Json& params = entry.at("params");
  if (params.contains("packets_per_path"))
    compare.equal("packets_per_path", params.at("packets_per_path"),
                  balanced_packets(chosen_lengths(spec, built.choice.params, Least::total),
                                   params.at("packets").get<std::int64_t>()));
  if (params.contains("path_lengths"))
    compare.equal("path_lengths", params.at("path_lengths"), chosen_lengths(spec, built.choice.params, Least::longest));
  return compare.complaints();
}

/// The best split when no path waits for another: a time that is not the lockstep count's.
std::string check_unsynchronised(const Json& entry) {
  const Json &expected = entry.at("expected"), &params = entry.at("params");
  const Spec spec = spec_of(entry);
  const Machine machine = machine_of(entry);
  const Built built = build(spec, machine, parse_choice("sendrecv_unsynchronised"));
  const Proof proof = verify(spec, machine, *built.schedule, built.claims, {.use_symmetry = false});
  if (!proof.holds) return "refused: " + proof.counterexample->text;
  const Lengths lengths = chosen_lengths(spec, built.choice.params, Least::total);
  const auto time_of = [&](const Split& split) { return split_time(lengths, split, machine.alpha, machine.beta); };
  const double time = rational(expected.at("time"));
  Comparison compare;
  compare.equal("path_lengths", params.at("path_lengths"), lengths);
  compare.near("time", time, time_of({built.choice.params.list("bytes"), built.choice.params.list("packets")}), 1e-9);
  if (expected.contains("words_on_short_path_one_optimum")) {
    Split split;
    split.bytes = {expected.at("words_on_short_path_one_optimum").get<Bytes>()};
    split.bytes.push_back(spec.bytes - split.bytes[0]);
    for (const std::size_t j : {0U, 1U})
      split.packets.push_back(best_packets({lengths.at(j), split.bytes[j]}, machine.alpha, machine.beta));
    compare.near("time of the words given", time, time_of(split), 1e-9);
  }
  return compare.complaints();
}

std::string check_optimum(const Json& entry) {
  const Json &expected = entry.at("expected"), &params = entry.at("params");
  const std::string name = entry.at("algorithm"), kind = entry.at("machine").at("kind");
  Comparison compare;
  if (name == "multi-path-balanced") {
    const Lengths lengths = params.at("path_lengths").get<Lengths>();
    const Bytes words = params.at("N");
    const double tau = rational(entry.at("cost").at("tau")), g = rational(entry.at("cost").at("time_per_word"));
    const Bytes packet = best_packet_bytes(lengths, words, tau, g);
    const Cost cost = balanced_cost(lengths, words, packet);
    const std::int64_t packets = (words + packet - 1) / packet;
    compare.near("time", rational(expected.at("time")),
                 static_cast<double>(cost.startups) * tau + static_cast<double>(cost.bytes) * g, 1e-9);
    compare.equal("packet_words", expected.at("packet_words"), packet);
    compare.equal("packets", expected.at("packets"), packets);
    compare.equal("rounds", expected.at("rounds"), cost.startups);
    compare.equal("packets_per_path", expected.at("packets_per_path"), balanced_packets(lengths, packets));
    return compare.complaints();
  }
  if (name.ends_with("p2p-two-path-unsynchronised")) return check_unsynchronised(entry);
  const Spec spec = spec_of(entry);
  const Machine machine = machine_of(entry);
  const std::optional<Choice> choice = translate(kind, name,
                                                 Json{{"nu", 1},
                                                      {"nu_per_path", 1},
                                                      {"nu_per_tree", 1},
                                                      {"nu_per_half", 1},
                                                      {"nu_phase1", 1},
                                                      {"nu_phase2", 1},
                                                      {"packet_words", 1}},
                                                 spec.ranks());
  if (!choice) throw NotBuilt{"algorithm " + name};
  Params fixed;
  if (const auto given = lengths_given(*choice->algorithm, params)) fixed.set("lengths", *given);
  const Built built = build(spec, machine, {choice->algorithm, fixed});
  const Traffic traffic = count(spec, machine, *built.schedule);
  const double time = seconds(traffic.cost, machine, *spec.topology);
  compare.near("time", rational(expected.at("time")), time, 1e-9 * time);
  if (expected.contains("nu_best_integer"))
    compare.equal("nu_best_integer", expected.at("nu_best_integer"), built.choice.params.get("packets", 0));
  return compare.complaints();
}

/// The two trees of a square torus that share no wire.
std::string check_two_trees(const Json& entry) {
  const Rank side = entry.at("machine").at("rows");
  Comparison compare;
  compare.equal("beta", entry.at("expected").at("beta"), edst_shift(side));
  compare.equal("tree_depth", entry.at("expected").at("tree_depth"),
                edst_trees(side, entry.at("params").value("root", Rank{0}), edst_shift(side))[0].depth);
  return compare.complaints();
}

/// The least total length and the least longest path of four edge-disjoint paths.
std::string check_disjoint_paths(const Json& entry) {
  const Spec spec = spec_of(entry);
  const Json& expected = entry.at("expected");
  const Lengths total = chosen_lengths(spec, {}, Least::total);
  Comparison compare;
  compare.equal("distance", expected.at("distance"), spec.topology->distance(spec.root, spec.target));
  compare.equal("min_total_length_of_4_paths", expected.at("min_total_length_of_4_paths"),
                std::accumulate(total.begin(), total.end(), Rank{0}));
  compare.equal("min_of_longest_length", expected.at("min_of_longest_length"),
                chosen_lengths(spec, {}, Least::longest).back());
  return compare.complaints();
}

/// Loads per link of the cube's total exchange, by distance.
std::string check_loads(const Json& entry) {
  const int n = entry.at("params").at("n");
  const Json& expected = entry.at("expected");
  Comparison compare;
  std::vector<std::int64_t> least, literal, ours;
  for (int i = 1; i <= n; ++i) {
    least.push_back((binomial(n, i) + n - 1) / n);
    std::int64_t necklaces = 0;
    each_necklace(n, [&](std::int64_t word, int) { necklaces += popcount(word) == i; });
    literal.push_back(necklaces);
    const Spread spread(n, {{i, i}});
    std::size_t most = 0;
    std::vector<std::uint32_t> members;
    for (int j = 0; j < n; ++j) {
      members.clear();
      spread.members(0, j, members);
      most = std::max(most, members.size());
    }
    ours.push_back(static_cast<std::int64_t>(most));
  }
  for (const auto& [field, found] : {std::pair{"tokens_per_link_and_direction_by_distance", least},
                                     std::pair{"one_representative_per_class_shifted_n_times", literal},
                                     std::pair{"max_load_least_loaded_rule", ours}})
    if (expected.contains(field)) compare.equal(field, expected.at(field), found);
  return compare.complaints();
}

std::string check_structure(const Json& entry) {
  const std::string name = entry.at("algorithm"), kind = entry.at("machine").at("kind");
  if (kind == "hypercube" && name.starts_with("hypercube-a2abcast-tea2")) return check_loads(entry);
  if (name == "torus-bcast-two-edst") return check_two_trees(entry);
  if (name == "torus-edge-disjoint-paths") return check_disjoint_paths(entry);
  throw NotBuilt{"structure of " + name};
}

}  // namespace

void check_saad_schultz(const Json& file, Tally& tally) {
  for (const Json& entry : file) {
    const std::string kind = entry.value("kind", "");
    if (kind == "readme") continue;
    tally.entry(entry.value("id", "entry without id"), [&]() -> std::string {
      if (kind == "execution") return check_execution(entry);
      if (kind == "optimum") return check_optimum(entry);
      if (kind == "structure") return check_structure(entry);
      return "unknown kind '" + kind + "'";
    });
  }
}

}  // namespace quadrille::reference
