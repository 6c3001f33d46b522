// Digit after digit: groups of ranks that differ in one digit exchange all that they hold.
#include "algorithm/kit/support.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_radix {

namespace {

/// One digit makes one group of all ranks.
std::string_view other_name(const Spec& spec, const Params& params) {
  return params.get("radix", spec.ranks()) >= spec.ranks() ? "allgather_linear" : std::string_view{};
}

}  // namespace

Algorithm describe() {
  Algorithm all = reduce_scatter::radix_base();
  all.name = "allgather_radix";
  all.other_name = other_name;
  return all;
}

}  // namespace quadrille::algorithm::allgather_radix
