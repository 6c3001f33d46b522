// Which phases a multiphase complete exchange should have, and from which block size on: the optimisation of Nicol &
// Bokhari (1994), exact where the machine's constants are. SI seconds and bytes; "bytes" is one block, what a rank has
// for one other. A partition lists phase lengths, smaller ones first; the first phase spans the highest dimensions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "quadrille/base.hpp"
#include "quadrille/machine.hpp"

namespace quadrille {

using Partition = std::vector<std::int64_t>;  ///< phase lengths >= 1 that add up to the cube's dimension

/// k parts of d within 1 of each other, smaller parts first.
Partition equipartition(std::int64_t d, std::int64_t k);
/// All partitions of d, parts non-decreasing, in lexicographic order.
std::vector<Partition> partitions(std::int64_t d);

/// What the cost of an exchange on a cube depends on. Every function below throws Error(argument) for a dimension
/// outside 1 .. 30, a constant that is negative, not finite or beyond 1e12, a partition of another dimension, or blocks
/// of which 2^dimension together pass 2^62 bytes.
struct MultiphaseModel {
  int dimension = 1;
  Seconds lambda = 0;     ///< start-up of one message
  double tau = 0;         ///< seconds per byte on a wire
  Seconds delta = 0;      ///< set-up of one circuit, the same for every message; used with circuit = average
  Seconds delta_hop = 0;  ///< set-up per link crossed; used with circuit = exact
  double rho = 0;         ///< seconds per byte of local permutation
  Seconds barrier = 0;    ///< Q: once per phase
  CircuitCost circuit = CircuitCost::average;
  bool charge_identity = false;  ///< also pay the permutation of a one-phase run, which moves nothing
};
/// The machine on hypercube:dimension; delta is what half the diameter costs.
MultiphaseModel multiphase_model(const Machine& machine, int dimension, bool charge_identity = false);

/// Time as a function of the block size.
struct TimeLine {
  Seconds intercept = 0;
  double slope = 0;  ///< seconds per byte of block
  Seconds at(double bytes) const { return intercept + slope * bytes; }
};

/// P(n), eq. (1): one phase that spans n dimensions, always with its permutation.
TimeLine phase_line(const MultiphaseModel& model, std::int64_t n);
/// T, eq. (2): all phases of a partition, in any order.
TimeLine partition_line(const MultiphaseModel& model, const Partition& phases);

// Costs are compared in whole numbers: constants with a common decimal unit down to 1e-18 s are multiples of it, so
// that ties between decimal constants are ties; others are taken as the binary fractions they are.

struct BestPhases {
  Partition phases;
  Seconds time = 0;
  std::int64_t evaluations = 0;  ///< how often P(n) was worked out
};
/// The cheapest equipartition, the one with the fewest phases on ties, in at most 2 ceil(log2 d) + 5 evaluations of P.
/// With circuit = average no partition is cheaper (Theorem 1); with exact an uneven one can be, by about 1 %.
BestPhases best_equipartition(const MultiphaseModel& model, Bytes bytes);

struct AllBest {
  std::vector<Partition> phases;  ///< all the cheapest, fewest phases first, then lexicographic
  Seconds time = 0;
  std::int64_t examined = 0;  ///< partitions priced: every one of the dimension
};
AllBest best_partitions(const MultiphaseModel& model, Bytes bytes);

enum class Regime { direct, between, standard };
std::string_view to_string(Regime regime);  ///< "DE", "s_star", "SE"

/// How many phases an optimal equipartition has.
struct PhaseWindow {
  std::int64_t fewest = 1, most = 1;
  bool operator==(const PhaseWindow&) const = default;
};
/// ceil(d/t) .. max(ceil(d/t), floor(2d/t)), at most d, for t = ceil(s*), 1 <= t <= d.
PhaseWindow phase_window(std::int64_t d, std::int64_t t);
/// The members of the window that can win, as the cost is linear in k between the quotients d/q: at most 2(sqrt(d) + 1)
/// of them from d = 4 on. Increasing.
std::vector<std::int64_t> window_candidates(std::int64_t d, std::int64_t t);

/// Where one phase stops being best: the length s* at which one phase and two halves of it cost the same, with the
/// bounds on R between which it exists. About delta, the average circuit, and with charge_identity: a run that skips
/// the identity permutation must compare one phase as well. R and the bounds are infinite when blocks cost nothing.
struct SplitLength {
  double ratio = 0;     ///< R = (lambda + delta) / (bytes tau)
  double overhead = 0;  ///< C = 2^d rho / tau + Q / (bytes tau)
  double lower = 0;     ///< R below it: one phase is optimal
  double upper = 0;     ///< R above it: d phases are optimal
  double s_hat = 0;     ///< d - log2 R, never above s*
  Regime regime = Regime::direct;
  std::optional<double> s_star;  ///< in [2, d]; only in regime between
  PhaseWindow window;            ///< holds an optimal number of phases
};
SplitLength split_length(const MultiphaseModel& model, Bytes bytes);

struct Crossing {
  double bytes = 0;
  Seconds time = 0;
};
/// The block size from 0 on at which both cost the same; none when there is none or when they cost the same everywhere.
std::optional<Crossing> crossover(const MultiphaseModel& model, const Partition& a, const Partition& b);

/// The cheapest partition for every block size.
struct ThresholdTable {
  struct Entry {
    double from = 0;  ///< best from this many bytes to the next entry's
    Partition phases;
    TimeLine line;
  };
  std::vector<Entry> entries;  ///< from 0 on; slopes fall
  std::int64_t examined = 0;   ///< partitions compared
  /// By binary search; bytes >= 0.
  const Entry& at(double bytes) const;
};
/// Over the equipartitions, or over all partitions with circuit = exact.
ThresholdTable threshold_table(const MultiphaseModel& model);
/// Over these partitions, at least one.
ThresholdTable lower_envelope(const MultiphaseModel& model, const std::vector<Partition>& candidates);

}  // namespace quadrille
