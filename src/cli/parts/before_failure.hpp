// What failed links have changed, as a plan says it.
#pragma once

#include <chrono>
#include <optional>

#include "cli/json.hpp"
#include "console/command.hpp"
#include "planner/before_failure.hpp"

namespace quadrille::cli {

struct Replanned {
  planner::BeforeFailure before;
  Seconds took = 0;  ///< to plan for what is left
};
/// Of a plan that was begun then and has just been made. Nothing where it was measured: that would take as long again.
std::optional<Replanned> replanned(const Plan& plan, const PlanOptions& options,
                                   std::chrono::steady_clock::time_point begun);
/// Without the time that planning took: equal questions have equal answers.
Json json_of(const Replanned& replanned);
void print_before_failure(const Replanned& replanned, console::Context& context);

}  // namespace quadrille::cli
