// Entries of the Saad & Schultz format on trees, paths and loads, which no run is needed for.
#include <numeric>

#include "algorithm/allgather/shared/link_spread.hpp"
#include "algorithm/allgather/shared/necklace.hpp"
#include "algorithm/bcast/shared/two_edst.hpp"
#include "algorithm/sendrecv/shared/paths.hpp"
#include "reference_saad_schultz.hpp"

namespace quadrille::reference {

namespace {

/// The two trees of a square torus that share no wire.
std::string check_two_trees(const Json& entry) {
  const Rank side = entry.at("machine").at("rows"), root = entry.at("params").value("root", Rank{0});
  const Json& expected = entry.at("expected");
  Comparison compare;
  if (expected.contains("beta")) compare.equal("beta", expected.at("beta"), algorithm::bcast::edst_shift(side));
  if (expected.contains("tree_depth"))
    compare.equal("tree_depth", expected.at("tree_depth"),
                  algorithm::bcast::edst_trees(side, root, algorithm::bcast::edst_shift(side))[0].depth);
  return compare.complaints();
}

/// The least total length and the least longest path of four edge-disjoint paths.
std::string check_disjoint_paths(const Json& entry) {
  const Spec spec = spec_of(entry);
  const Json& expected = entry.at("expected");
  const algorithm::kit::Lengths total =
      algorithm::sendrecv::chosen_lengths(spec, {}, algorithm::sendrecv::Least::total);
  Comparison compare;
  for (const auto& [field, found] :
       {std::pair{"distance", Rank{spec.topology->distance(spec.root, spec.target)}},
        std::pair{"min_total_length_of_4_paths", std::accumulate(total.begin(), total.end(), Rank{0})},
        std::pair{"min_of_longest_length",
                  algorithm::sendrecv::chosen_lengths(spec, {}, algorithm::sendrecv::Least::longest).back()}})
    if (expected.contains(field)) compare.equal(field, expected.at(field), found);
  return compare.complaints();
}

/// Loads per link of the cube's total exchange, by distance.
std::string check_loads(const Json& entry) {
  const int n = entry.at("params").at("n");
  const Json& expected = entry.at("expected");
  Comparison compare;
  std::vector<std::int64_t> least, literal, ours;
  for (int i = 1; i <= n; ++i) {
    least.push_back((base::binomial(n, i) + n - 1) / n);
    std::int64_t necklaces = 0;
    algorithm::allgather::each_necklace(n, [&](std::int64_t word, int) { necklaces += base::popcount(word) == i; });
    literal.push_back(necklaces);
    const algorithm::allgather::Spread spread(n, {{i, i}});
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

}  // namespace

std::string check_structure(const Json& entry) {
  const std::string name = entry.at("algorithm"), kind = entry.at("machine").at("kind");
  if (kind == "hypercube" && name.starts_with("hypercube-a2abcast-tea2")) return check_loads(entry);
  if (name == "torus-bcast-two-edst") return check_two_trees(entry);
  if (name == "torus-edge-disjoint-paths") return check_disjoint_paths(entry);
  throw NotBuilt{"structure of " + name};
}

}  // namespace quadrille::reference
