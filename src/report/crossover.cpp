// Time against size, for every algorithm: which is best where.
#include <algorithm>
#include <cmath>
#include <map>

#include "algorithm/formula.hpp"
#include "report/json.hpp"

namespace quadrille::report {

namespace {

/// The same request with blocks of another size; the lengths of sources keep their proportions.
Spec with_bytes(const Spec& spec, Bytes bytes) {
  Spec other = spec;
  other.bytes = bytes;
  if (spec.sources && spec.bytes > 0) {
    std::vector<std::pair<Rank, Bytes>> list;
    for (Slot i = 0; i < spec.sources->count(); ++i)
      list.emplace_back(spec.sources->ranks[static_cast<std::size_t>(i)],
                        std::llround(static_cast<double>(spec.sources->bytes(i)) * static_cast<double>(bytes) /
                                     static_cast<double>(spec.bytes)));
    other.sources = make_sources(std::move(list));
  }
  return checked(other);
}

/// The best variant of an algorithm at a size; infinite when it cannot run.
struct Best {
  Seconds time = std::numeric_limits<double>::infinity();
  Params params;
};
Best best_of(const Algorithm& a, const Spec& spec, const Machine& machine) {
  Best best;
  if (!a.illegal(spec, machine, {}).empty()) return best;
  for (Params& params : a.variants(spec, machine))
    if (const Seconds time = seconds(formula(a, spec, machine, params), machine, *spec.topology); time < best.time)
      best = {time, std::move(params)};
  return best;
}

/// The size from which `later` beats `earlier`, which does at `low`; `high` is such a size.
Bytes threshold(const Plan& plan, const Algorithm& earlier, const Algorithm& later, Bytes low, Bytes high) {
  while (high - low > std::max<Bytes>(1, low / 256)) {
    const Bytes middle = low + (high - low) / 2;
    const Spec spec = with_bytes(plan.spec, middle);
    const bool passed = best_of(later, spec, plan.machine).time < best_of(earlier, spec, plan.machine).time;
    (passed ? high : low) = middle;
  }
  return high;
}

}  // namespace

Json crossover_json(const Plan& plan, const std::vector<Measurement>& measured) {
  std::vector<Bytes> sizes;
  for (Bytes size = 1; size <= Bytes{1} << 24; size *= 2) sizes.push_back(size);
  if (plan.spec.bytes > 0) sizes.push_back(plan.spec.bytes);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());

  std::map<std::string_view, Json> series;
  Json limits = Json::array(), thresholds = Json::array();
  const Algorithm* before = nullptr;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Plan at = quadrille::plan(with_bytes(plan.spec, sizes[i]), plan.machine);
    limits.push_back(at.bound.time);
    for (const Candidate& c : at.candidates) {
      Json& line = series[c.algorithm->name];
      if (line.is_null()) line = Json(std::vector<Json>(sizes.size(), nullptr));
      if (line[i].is_null()) line[i] = {c.time, to_text(*c.algorithm, c.params)};  // candidates are sorted
    }
    if (!at.possible()) continue;
    const Algorithm* now = at.best().algorithm;
    if (before != nullptr && now != before)
      thresholds.push_back({{"from", threshold(plan, *before, *now, sizes[i - 1], sizes[i])},
                            {"below", before->name},
                            {"above", now->name}});
    before = now;
  }
  Json lines = Json::array(), points = Json::array();
  for (auto& [name, line] : series) lines.push_back({{"algorithm", name}, {"points", std::move(line)}});
  for (const Measurement& m : measured) points.push_back({{"bytes", m.bytes}, {"time_s", m.time}, {"label", m.label}});
  return {{"bytes", sizes}, {"limit_s", limits}, {"series", lines}, {"thresholds", thresholds}, {"measured", points}};
}

}  // namespace quadrille::report
