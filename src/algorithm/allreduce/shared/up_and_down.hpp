// A vector up trees and down trees at once.
#pragma once

#include "algorithm/kit/shared_forest.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::algorithm::allreduce {

/// Each copy of a tree has so many pieces of the vector. `together`: a message has pieces of all trees that its arc
/// serves, and not of one of them at a time.
SchedulePtr up_and_down(const Spec& spec, const kit::SharedForest& plan, std::int64_t pieces, bool together);
/// Its rounds.
Round rounds_up_and_down(const kit::SharedForest& plan, std::int64_t pieces, bool together);

}  // namespace quadrille::algorithm::allreduce
