// "crossover" of a report: the time of each algorithm against size, and where the best one changes.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "algorithm/formula.hpp"
#include "report/json.hpp"
#include "report/sizes.hpp"

namespace quadrille::report {

namespace {

/// The best variant of an algorithm at a size; infinite when it cannot run.
struct Best {
  Seconds time = std::numeric_limits<double>::infinity();
  Params params;
};
Best best_of(const Algorithm& a, const Spec& spec, const Machine& machine) {
  Best best;
  if (!a.illegal(spec, machine, {}).empty()) return best;
  for (Params& params : a.variants(spec, machine)) {
    if (!algorithm::other_name(a, spec, params).empty()) continue;
    const Seconds time = seconds(algorithm::formula(a, spec, machine, params), machine, *spec.topology);
    if (time < best.time) best = {time, std::move(params)};
  }
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

/// What the plan's machine charges for what was measured; none when that is not known, or cannot run there.
std::optional<Seconds> priced(const Plan& plan, const Measurement& m) {
  if (m.choice.empty() || !(m.bytes >= 1) || m.bytes != std::floor(m.bytes)) return {};
  try {
    const Spec spec = with_bytes(plan.spec, static_cast<Bytes>(m.bytes));
    return seconds(build(spec, plan.machine, parse_choice(m.choice)).formula, plan.machine, *spec.topology);
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::internal) throw;
    return {};
  }
}

}  // namespace

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

SizeSeries size_series(const Plan& plan) {
  SizeSeries all;
  std::vector<Bytes>& sizes = all.bytes;
  for (Bytes size = 1; size <= Bytes{1} << 24; size *= 2) sizes.push_back(size);
  if (plan.spec.bytes > 0) sizes.push_back(plan.spec.bytes);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());

  constexpr Seconds none = std::numeric_limits<Seconds>::quiet_NaN();
  std::map<std::string_view, SizeSeries::Line> lines;
  const Algorithm* before = nullptr;
  constexpr std::int64_t proof = std::int64_t{1} << 18;  // some milliseconds for each of the sizes
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Plan at = quadrille::plan(with_bytes(plan.spec, sizes[i]), plan.machine, {.proof = proof});
    all.limit.push_back(at.bound.time);
    for (const Candidate& c : at.candidates) {
      const auto [found, fresh] = lines.try_emplace(
          c.algorithm->name,
          SizeSeries::Line{c.algorithm, std::vector(sizes.size(), none), std::vector<std::string>(sizes.size())});
      SizeSeries::Line& line = found->second;
      if (!std::isnan(line.time[i])) continue;  // candidates are sorted
      line.time[i] = c.time;
      line.variant[i] = to_text(*c.algorithm, c.params);
    }
    if (!at.possible()) continue;
    const Algorithm* now = at.best().algorithm;
    if (before != nullptr && now != before)
      all.thresholds.push_back({threshold(plan, *before, *now, sizes[i - 1], sizes[i]), before, now});
    before = now;
  }
  for (auto& [name, line] : lines) all.lines.push_back(std::move(line));
  return all;
}

Json crossover_json(const Plan& plan, const std::vector<Measurement>& measured) {
  const SizeSeries all = size_series(plan);
  Json lines = Json::array(), thresholds = Json::array(), points = Json::array();
  for (const SizeSeries::Line& line : all.lines) {
    Json list = Json::array();
    for (std::size_t i = 0; i < line.time.size(); ++i)
      list.push_back(std::isnan(line.time[i]) ? Json(nullptr) : Json{line.time[i], line.variant[i]});
    lines.push_back({{"algorithm", line.algorithm->name}, {"points", std::move(list)}});
  }
  for (const SizeSeries::Threshold& t : all.thresholds)
    thresholds.push_back({{"from", t.from}, {"below", t.below->name}, {"above", t.above->name}});
  for (const Measurement& m : measured) {
    const std::optional<Seconds> price = priced(plan, m);
    points.push_back({{"bytes", m.bytes},
                      {"time_s", m.time},
                      {"label", m.label},
                      {"choice", m.choice.empty() ? Json(nullptr) : Json(m.choice)},
                      {"price_s", price ? Json(*price) : Json(nullptr)}});
  }
  return {{"bytes", all.bytes},
          {"bound_s", all.limit},
          {"series", lines},
          {"thresholds", thresholds},
          {"measured", points}};
}

}  // namespace quadrille::report
