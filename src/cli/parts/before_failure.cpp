#include "cli/parts/before_failure.hpp"

#include <fmt/format.h>

#include "console/words.hpp"

namespace quadrille::cli {

std::optional<Replanned> replanned(const Plan& plan, const PlanOptions& options,
                                   std::chrono::steady_clock::time_point begun) {
  const Seconds took = std::chrono::duration<Seconds>(std::chrono::steady_clock::now() - begun).count();
  if (!plan.possible() || options.effort == Effort::measure) return {};
  std::optional<planner::BeforeFailure> before = planner::before_failure(plan, options);
  if (!before) return {};
  return Replanned{*std::move(before), took};
}

Json json_of(const Replanned& replanned) {
  const planner::BeforeFailure& before = replanned.before;
  const Candidate& best = before.plan.best();
  return {{"topology", before.plan.spec.topology->text()},
          {"choice", to_text(*best.algorithm, best.params)},
          {"price_s", best.time},
          {"bound_s", before.plan.bound.time},
          {"bytes_that_stay", before.stays},
          {"kept_s", before.kept ? Json(*before.kept) : Json(nullptr)}};
}

void print_before_failure(const Replanned& replanned, console::Context& context) {
  const planner::BeforeFailure& before = replanned.before;
  const Candidate& best = before.plan.best();
  const Machine& machine = before.plan.machine;
  const std::string kept =
      before.kept
          ? fmt::format("the same schedule takes {} now, around what failed", console::time_text(*before.kept, machine))
          : "the same schedule cannot run, as some of its messages no longer go to neighbours";
  console::print_line(
      context, "before",
      fmt::format("on {} {} takes {}, {:.2f} times the limit there; {} of its bytes keep their routes, and {}",
                  before.plan.spec.topology->text(), to_text(*best.algorithm, best.params),
                  console::time_text(best.time, machine), before.plan.gap(), console::share(before.stays, 1), kept));
  console::print_line(context, "", fmt::format("planned anew in {:.2g} s", replanned.took));
}

}  // namespace quadrille::cli
