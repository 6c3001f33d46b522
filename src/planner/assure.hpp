// Proofs of what is recommended, where a plan has found its price already.
#pragma once

#include <vector>

#include "quadrille/plan.hpp"

namespace quadrille::planner {

/// What the plan knows of a candidate's price.
struct KnownPrice {
  const Cost* cost = nullptr;
  std::int64_t visits = 0;  ///< that counting its messages took; 0: it is a closed form
};

Assurance assure(const Spec& spec, const Machine& machine, const Choice& choice, std::int64_t visits, Order order,
                 Network network, const KnownPrice& known);

/// How many visits prices took that were counted.
class CountedVisits {
 public:
  void note(const Algorithm* algorithm, const Params& params, std::int64_t visits) {
    all_.push_back({algorithm, params, visits});
  }
  void add(const CountedVisits& other) { all_.insert(all_.end(), other.all_.begin(), other.all_.end()); }
  std::int64_t of(const Candidate& c) const {
    for (const Counted& one : all_)
      if (one.algorithm == c.algorithm && one.params == c.params) return one.visits;
    return 0;
  }

 private:
  struct Counted {
    const Algorithm* algorithm;
    Params params;
    std::int64_t visits;
  };
  std::vector<Counted> all_;
};

}  // namespace quadrille::planner
