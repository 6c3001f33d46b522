// What links that failed change: the plan for the whole network beside that for what is left of it.
#pragma once

#include <optional>

#include "quadrille/plan.hpp"

namespace quadrille::planner {

struct BeforeFailure {
  Plan plan;                         ///< for the network as if its links had not failed
  double stays = 1;                  ///< share of the bytes of its best schedule that keep their routes
  std::optional<Seconds> kept = {};  ///< the same schedule's price now, around what failed; none: it cannot run
};

/// Nothing where no link failed, by what stands behind a '!' or in the network's file, where nodes did, or where the
/// schedule has more messages than are looked at. Takes about as long as the plan, which must have a best candidate.
std::optional<BeforeFailure> before_failure(const Plan& plan, const PlanOptions& options);

}  // namespace quadrille::planner
