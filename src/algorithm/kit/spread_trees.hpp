// What is spread, and how it goes down trees in rounds.
#pragma once

#include <memory>
#include <vector>

#include "algorithm/kit/forest_plan.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::algorithm::kit {

/// Who has blocks, and how long these are.
struct TreeSources {
  std::vector<Rank> owners;  ///< of labels
  std::shared_ptr<const std::vector<Bytes>> offsets = {};
  Bytes largest = 0;
  Bytes bytes(std::size_t label) const { return offsets ? (*offsets)[label + 1] - (*offsets)[label] : largest; }
};
/// Of a broadcast, a multi-broadcast and an all-gather.
TreeSources tree_sources(const Spec& spec);

struct PreparedTrees {
  std::shared_ptr<const ForestPlan> plan;
  bool one_port = false;
  bool together = false;  ///< a message has pieces of all trees that its arc serves
  std::int64_t pieces = 1;
};
/// In so many pieces for each copy of a tree.
SchedulePtr spread_schedule(const Spec& spec, const PreparedTrees& p, std::int64_t pieces);

}  // namespace quadrille::algorithm::kit
