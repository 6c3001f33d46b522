// Costs of partitions and the search for the best ones.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "algorithm/alltoall/shared/multiphase_grid.hpp"
#include "base/integer.hpp"
#include "quadrille/multiphase.hpp"

namespace quadrille {

MultiphaseModel multiphase_model(const Machine& machine, int dimension, bool charge_identity) {
  check(machine);  // names the machine's constants, not the model's
  return {.dimension = dimension,
          .lambda = machine.alpha,
          .tau = machine.beta,
          .delta = machine.per_hop * dimension / 2,
          .delta_hop = machine.per_hop,
          .rho = machine.rho,
          .barrier = machine.barrier + machine.barrier_log2 * dimension,
          .circuit = machine.circuit,
          .charge_identity = charge_identity};
}

TimeLine phase_line(const MultiphaseModel& model, std::int64_t n) {
  const algorithm::alltoall::MultiphaseGrid grid(model);
  if (n < 1 || n > model.dimension)
    throw Error(Error::Kind::argument,
                fmt::format("a phase of {} dimensions: 1 .. {} are accepted", n, model.dimension));
  return grid.seconds(grid.phase(n));
}

TimeLine partition_line(const MultiphaseModel& model, const Partition& phases) {
  const algorithm::alltoall::MultiphaseGrid grid(model);
  return grid.seconds(grid.partition(phases));
}

namespace {

/// P at one block size, each length worked out once.
class PhaseCosts {
 public:
  PhaseCosts(const algorithm::alltoall::MultiphaseGrid& grid, Bytes bytes) : grid_(grid), bytes_(bytes) {}
  algorithm::alltoall::Wide operator()(std::int64_t n) {
    const auto i = static_cast<std::size_t>(n);
    if (!known_[i]) known_[i] = true, cost_[i] = grid_.phase(n).at(bytes_), ++evaluations_;
    return cost_[i];
  }
  /// The equipartition with k parts.
  algorithm::alltoall::Wide equal(std::int64_t k) {
    const std::int64_t d = grid_.dimension(), longer = d % k;
    const algorithm::alltoall::Wide cost =
        (k - longer) * (*this)(d / k) + (longer > 0 ? longer * (*this)(d / k + 1) : 0);
    return k == 1 && !grid_.charge_identity() ? cost - grid_.identity_slope() * bytes_ : cost;
  }
  std::int64_t evaluations() const { return evaluations_; }

 private:
  const algorithm::alltoall::MultiphaseGrid& grid_;
  Bytes bytes_;
  std::array<bool, 31> known_{};
  std::array<algorithm::alltoall::Wide, 31> cost_{};
  std::int64_t evaluations_ = 0;
};

/// The length with the least P(q)/q, the largest of them: the smallest q from which P(q)/q rises. P(q)/q falls and then
/// rises because P does not start below 0 and its differences fall and then rise.
std::int64_t best_length(PhaseCosts& cost, std::int64_t d) {
  std::int64_t low = 1, high = d;
  while (low < high) {
    const std::int64_t q = (low + high) / 2;
    if (q * cost(q + 1) > (q + 1) * cost(q))
      high = q;
    else
      low = q + 1;
  }
  return low;
}

}  // namespace

BestPhases best_equipartition(const MultiphaseModel& model, Bytes bytes) {
  const algorithm::alltoall::MultiphaseGrid grid(model);
  grid.check(bytes);
  const std::int64_t d = grid.dimension();
  PhaseCosts cost(grid, bytes);
  const std::int64_t q = best_length(cost, d);
  // The cost of k equal parts is d times the mean cost of a dimension at length d/k, on the broken line through the
  // whole lengths: so the best k is next to d/q. One phase is apart, as it can skip its permutation.
  std::int64_t best = 1;
  algorithm::alltoall::Wide least = cost.equal(1);
  for (const std::int64_t k : {d / q, base::ceil_div(d, q)}) {
    const algorithm::alltoall::Wide time = cost.equal(k);
    if (time < least) least = time, best = k;
  }
  return {equipartition(d, best), grid.seconds(least), cost.evaluations()};
}

AllBest best_partitions(const MultiphaseModel& model, Bytes bytes) {
  const algorithm::alltoall::MultiphaseGrid grid(model);
  grid.check(bytes);
  AllBest all;
  algorithm::alltoall::Wide least = 0;
  for (Partition& phases : partitions(grid.dimension())) {
    const algorithm::alltoall::Wide time = grid.partition(phases).at(bytes);
    if (all.examined++ == 0 || time < least) least = time, all.phases.clear();
    if (time == least) all.phases.push_back(std::move(phases));
  }
  std::stable_sort(all.phases.begin(), all.phases.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  all.time = grid.seconds(least);
  return all;
}

}  // namespace quadrille
