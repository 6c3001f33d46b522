// Multiphase complete exchange: the cube's dimensions are spanned in phases; within a phase every rank exchanges with
// the 2^n - 1 others that differ from it in those dimensions. Few long phases save volume, many short ones start-ups.
#include "algorithm/alltoall/shared/multiphase.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_mce {

namespace {

bool charges(const Params& params) { return params.get("charge_identity", 0) != 0; }

/// Equipartitions are enough where a circuit costs the same at every distance (Theorem 1); with exact circuits the
/// theorem fails by up to 1.3 %, so there every partition is priced.
std::vector<Params> candidates(const Spec& spec, const Machine& machine) {
  const std::int64_t d = kit::dimension(spec);
  std::vector<Params> all;
  const auto add = [&](const Partition& p) {
    if (alltoall::multiphase_illegal(spec, machine, p).empty()) all.push_back(Params{{"phases", p}});
  };
  if (machine.circuit == CircuitCost::exact && machine.per_hop > 0) {
    for (const Partition& p : partitions(d)) add(p);
  } else {
    for (std::int64_t k = 1; k <= d; ++k) add(equipartition(d, k));
  }
  return all;
}

std::string_view other_name(const Spec&, const Params& params) {
  const std::vector<std::int64_t> phases = params.list("phases");
  if (charges(params) || phases.empty()) return {};
  if (phases.size() == 1) return "alltoall_direct";
  return *std::max_element(phases.begin(), phases.end()) == 1 ? "alltoall_standard" : std::string_view{};
}

std::string refusal(const Spec& spec, const Machine& machine, const Params& params) {
  return alltoall::multiphase_illegal(spec, machine, params.list("phases"));
}

}  // namespace

Algorithm describe() {
  return {
      .name = "alltoall_mce",
      .collective = Collective::alltoall,
      .summary = "multiphase complete exchange over any ordered list of phase lengths",
      .source = "Nicol & Bokhari 1994, eq. (1), (2)",
      .closed_form =
          {.where = "hypercube, circuits: 2^n_i - 1 start-ups and (2^n_i - 1) 2^(n - n_i) blocks in every phase n_i"},
      .parameters =
          {{.name = "phases",
            .meaning =
                "phase lengths, the first spans the highest dimensions; they add up to the dimensions of the cube",
            .is_list = true,
            .high = 30},
           {.name = "charge_identity",
            .meaning = "1: also perform and pay the identity permutation of a one-phase run",
            .low = 0,
            .high = 1}},
      .claims = kit::all_claims,
      .illegal = refusal,
      .variants = candidates,
      .cost = [](const Spec& s, const Machine& m,
                 const Params& p) { return alltoall::multiphase_formula(s, m, p.list("phases"), charges(p)); },
      .build = [](const Spec& s, const Machine& m,
                  const Params& p) { return alltoall::multiphase_build(s, m, p.list("phases"), charges(p)); },
      .other_name = other_name};
}

}  // namespace quadrille::algorithm::alltoall_mce
