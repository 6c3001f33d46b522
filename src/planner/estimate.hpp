// All candidates for a question by their prices, the cheapest first.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "planner/assure.hpp"

namespace quadrille::planner {

struct Estimate {
  Plan plan;
  CountedVisits visits = {};
  bool passed_over = false;  ///< some were not priced, as another one takes less
};
/// `quick`: of PlanOptions. `failed` are no candidates, and none is passed over for them.
Estimate estimate(const Spec& request, const Machine& machine, const std::vector<Algorithm>& known, bool quick,
                  const std::vector<Candidate>& failed);

/// What decides between equal times: fewer start-ups, then what is not searched for, then the name.
std::tuple<std::int64_t, bool, std::string_view> order_of_equals(const Candidate& candidate);

/// The cheapest first.
void sort_by_price(Plan& plan);

}  // namespace quadrille::planner
