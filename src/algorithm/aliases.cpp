#include "algorithm/aliases.hpp"

#include <algorithm>

namespace quadrille::algorithm {

std::string_view other_name(const Algorithm& algorithm, const Spec& spec, const Params& params) {
  if (algorithm.name == "alltoall_mce" && params.get("charge_identity", 0) == 0) {
    const std::vector<std::int64_t> phases = params.list("phases");
    if (phases.size() == 1) return "alltoall_direct";
    if (!phases.empty() && *std::max_element(phases.begin(), phases.end()) == 1) return "alltoall_standard";
  }
  if (algorithm.name == "alltoall_bruck" && params.get("radix", 0) >= spec.ranks() - 1) return "alltoall_pairwise";
  return {};
}

}  // namespace quadrille::algorithm
