// What ranks do when, kept while a simulation runs.
#pragma once

#include <vector>

#include "quadrille/simulate.hpp"
#include "quadrille/timeline.hpp"
#include "report/json.hpp"

namespace quadrille::report {

/// Keeps the stays of ranks 0, every, 2 every, ... so that they are not too many to show.
class Stays final : public Observer {
 public:
  Stays(Rank ranks, Round rounds);
  void stayed(const Stay& stay) override;
  /// Columns of equal length, rank by rank in order of time; null where no time passed.
  Json json(const SimulateOptions& how, Seconds makespan);

 private:
  Rank ranks_, every_;
  std::vector<Stay> stays_;
};

}  // namespace quadrille::report
