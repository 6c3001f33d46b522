// Which partition is best from which block size on: costs are lines in the block size, so this is a lower envelope.
#include <algorithm>

#include "algorithm/alltoall/shared/multiphase_grid.hpp"
#include "base/integer.hpp"

namespace quadrille {

namespace {

double crossing(const algorithm::alltoall::MultiphaseGrid::Line& a,
                const algorithm::alltoall::MultiphaseGrid::Line& b) {
  return static_cast<double>(static_cast<long double>(b.intercept - a.intercept) /
                             static_cast<long double>(a.slope - b.slope));
}

}  // namespace

std::optional<Crossing> crossover(const MultiphaseModel& model, const Partition& a, const Partition& b) {
  const algorithm::alltoall::MultiphaseGrid grid(model);
  algorithm::alltoall::MultiphaseGrid::Line one = grid.partition(a), other = grid.partition(b);
  if (one.slope < other.slope) std::swap(one, other);
  if (one.slope == other.slope || one.intercept > other.intercept) return std::nullopt;
  const double bytes = crossing(one, other);
  return Crossing{bytes, grid.seconds(one).at(bytes)};
}

ThresholdTable lower_envelope(const MultiphaseModel& model, const std::vector<Partition>& candidates) {
  if (candidates.empty()) throw Error(Error::Kind::argument, "lower envelope of no partitions: at least one is needed");
  const algorithm::alltoall::MultiphaseGrid grid(model);
  struct NextLine {
    algorithm::alltoall::MultiphaseGrid::Line line;
    const Partition* phases;
  };
  std::vector<NextLine> rest;
  for (const Partition& p : candidates) rest.push_back({grid.partition(p), &p});
  // Equal lines: the one with the fewest phases comes first and stays.
  std::stable_sort(rest.begin(), rest.end(),
                   [](const NextLine& a, const NextLine& b) { return a.phases->size() < b.phases->size(); });
  const NextLine* now = &rest.front();
  for (const NextLine& c : rest)
    if (c.line.intercept < now->line.intercept ||
        (c.line.intercept == now->line.intercept && c.line.slope < now->line.slope))
      now = &c;
  ThresholdTable table{.entries = {}, .examined = static_cast<std::int64_t>(candidates.size())};
  for (double from = 0; now != nullptr;) {
    table.entries.push_back({from, *now->phases, grid.seconds(now->line)});
    const NextLine* next = nullptr;
    for (const NextLine& c : rest) {
      if (c.line.slope >= now->line.slope) continue;
      const int order = next == nullptr
                            ? -1
                            : algorithm::alltoall::compare_fractions(
                                  c.line.intercept - now->line.intercept, now->line.slope - c.line.slope,
                                  next->line.intercept - now->line.intercept, now->line.slope - next->line.slope);
      if (order < 0 || (order == 0 && c.line.slope < next->line.slope)) next = &c;
    }
    if (next != nullptr) from = crossing(now->line, next->line);
    now = next;
  }
  return table;
}

ThresholdTable threshold_table(const MultiphaseModel& model) {
  algorithm::alltoall::MultiphaseGrid{model};  // refuses a dimension of which there are too many partitions
  if (model.circuit == CircuitCost::exact) return lower_envelope(model, partitions(model.dimension));
  std::vector<Partition> equal;
  for (std::int64_t k = 1; k <= model.dimension; ++k) equal.push_back(equipartition(model.dimension, k));
  return lower_envelope(model, equal);
}

const ThresholdTable::Entry& ThresholdTable::at(double bytes) const {
  if (!(bytes >= 0)) throw Error(Error::Kind::argument, "threshold table: block sizes from 0 bytes on are accepted");
  const auto after = std::upper_bound(entries.begin(), entries.end(), bytes,
                                      [](double m, const Entry& entry) { return m < entry.from; });
  return *(after - 1);
}

}  // namespace quadrille
