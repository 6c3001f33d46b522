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
    if (const auto time = algorithm::time_below(best.time, a, spec, machine, params)) best = {*time, std::move(params)};
  }
  return best;
}

/// The size from which `later` beats `earlier`, which does at `low`; `high` is such a size. All are whole elements.
Bytes threshold(const Plan& plan, const Algorithm& earlier, const Algorithm& later, Bytes low, Bytes high) {
  const Bytes element = plan.spec.element;
  while (high - low > std::max(element, low / 256)) {
    const Bytes middle = low + (high - low) / element / 2 * element;
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

/// The length times to / from, in whole elements.
Bytes scaled(Bytes length, Bytes to, Bytes from, Bytes element) {
  const double elements = static_cast<double>(length / element);
  return std::llround(elements * static_cast<double>(to) / static_cast<double>(from)) * element;
}

/// From one element on, each twice the one before, or four times where a plan takes longer; and the plan's own size.
std::vector<Bytes> sizes_of(const Spec& spec) {
  constexpr Bytes most = Bytes{1} << 24;
  constexpr Rank many = 256;
  std::vector<Bytes> sizes;
  for (Bytes size = spec.element; size <= most; size *= spec.ranks() > many ? 4 : 2) sizes.push_back(size);
  if (spec.bytes > 0) sizes.push_back(spec.bytes);
  if (sizes.empty()) sizes.push_back(spec.element);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace

Spec with_bytes(const Spec& spec, Bytes bytes) {
  Spec other = spec;
  other.bytes = bytes;
  if (spec.sources && spec.bytes > 0) {
    std::vector<std::pair<Rank, Bytes>> list;
    for (Slot i = 0; i < spec.sources->count(); ++i)
      list.emplace_back(spec.sources->ranks[static_cast<std::size_t>(i)],
                        scaled(spec.sources->bytes(i), bytes, spec.bytes, 1));
    other.sources = make_sources(std::move(list));
  }
  if (spec.demands && spec.bytes > 0) {
    std::vector<Demand> pairs = spec.demands->pairs;
    for (Demand& pair : pairs) pair.bytes = scaled(pair.bytes, bytes, spec.bytes, 1);
    other.demands = make_demands(spec.ranks(), std::move(pairs));
  }
  if (spec.offsets && spec.bytes > 0) {
    auto offsets = std::make_shared<std::vector<Bytes>>(1, 0);
    for (std::size_t i = 1; i < spec.offsets->size(); ++i)
      offsets->push_back(offsets->back() +
                         scaled((*spec.offsets)[i] - (*spec.offsets)[i - 1], bytes, spec.bytes, spec.element));
    other.offsets = std::move(offsets);
  }
  return checked(other);
}

SizeSeries size_series(const Plan& plan) {
  SizeSeries all;
  const std::vector<Bytes>& sizes = all.bytes = sizes_of(plan.spec);
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
