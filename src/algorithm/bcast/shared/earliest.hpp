// What bcast_earliest and the reduction that is that run backwards say of their parameters.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithm/kit/earliest_trees.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::bcast {

/// What trees are made for: parts, a power of two, of so many bytes as their size says.
struct EarliestParts {
  std::int64_t parts = 1, size = 0;
  static EarliestParts of(const Params& params) { return {params.get("parts", 1), params.get("size", 0)}; }
  Params params() const { return {{"parts", {parts}}, {"size", {size}}}; }
  std::shared_ptr<const kit::EarliestTrees> trees(const Spec& spec, const Machine& machine) const {
    return kit::earliest_trees(spec, machine, parts, kit::bytes_of_size(size));
  }
};

std::vector<Parameter> earliest_parameters();
std::string earliest_illegal(const Spec& spec, const Params& params, std::string_view instead);
/// The lowest price in rounds; and for each number of parts the trees for about such parts, which may end earlier.
std::vector<Params> earliest_variants(const Spec& spec, const Machine& machine,
                                      const std::function<Cost(const Params&)>& cost);
Claims earliest_claims(const Spec& spec, const kit::EarliestTrees& trees);
/// Every part of the message down its tree.
SchedulePtr earliest_broadcast(const Spec& spec, std::shared_ptr<const kit::EarliestTrees> trees, std::int64_t parts);

}  // namespace quadrille::algorithm::bcast
