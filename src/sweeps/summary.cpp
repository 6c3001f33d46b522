// What a sweep says in short: who wins from which size to which, and what one algorithm for all sizes costs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "quadrille/sweep.hpp"
#include "sweeps/row.hpp"

namespace quadrille {

namespace {

/// Times of an algorithm over the best, at the points of a network.
struct Losses {
  std::size_t points = 0;
  double logarithms = 0;
  SweepFixed fixed;
};

void add(std::map<std::string, Losses>& all, const SweepPoint& point) {
  std::set<std::string_view> seen;
  for (const SweepRow* row : point.rows) {
    if (!row->known() || !seen.insert(row->algorithm).second) continue;
    Losses& l = all[row->algorithm];
    const double loss = *point.loss(row->algorithm);
    const std::string& params = point.fastest(row->algorithm)->params;
    if (++l.points == 1) l.fixed.params = params;
    l.fixed.same_params = l.fixed.same_params && params == l.fixed.params;
    l.logarithms += std::log(loss);
    if (loss > l.fixed.worst || l.points == 1)
      l.fixed.worst = loss, l.fixed.worst_bytes = row->bytes, l.fixed.worst_topology = row->topology;
  }
}

void choose(std::vector<SweepFixed>& chosen, std::map<std::string, Losses>& all, std::size_t points,
            const std::string& topology) {
  const SweepFixed* least = nullptr;
  for (auto& [algorithm, l] : all) {
    if (l.points < points) continue;
    l.fixed.topology = topology, l.fixed.algorithm = algorithm;
    l.fixed.mean = std::exp(l.logarithms / static_cast<double>(points));
    if (least == nullptr || l.fixed.mean < least->mean) least = &l.fixed;
  }
  if (least == nullptr) return;
  chosen.push_back(*least);
  if (!least->same_params) chosen.back().params.clear();
}

}  // namespace

const SweepRow* SweepPoint::fastest(std::string_view algorithm) const {
  const SweepRow* least = nullptr;  // of several rows with different parameters
  for (const SweepRow* row : rows)
    if (row->algorithm == algorithm && row->known() && (least == nullptr || *row->known() < *least->known()))
      least = row;
  return least;
}

std::optional<double> SweepPoint::loss(std::string_view algorithm) const {
  const SweepRow* least = fastest(algorithm);
  if (least == nullptr || best == nullptr) return {};
  return *best->known() > 0 ? *least->known() / *best->known() : 1;
}

std::vector<SweepPoint> points_of(const std::vector<SweepRow>& rows) {
  std::vector<SweepPoint> points;
  for (const SweepRow& row : rows) {
    const bool same = !points.empty() && points.back().rows.front()->topology == row.topology &&
                      points.back().rows.front()->bytes == row.bytes;
    if (!same) points.emplace_back();
    points.back().rows.push_back(&row);
    if (row.best) points.back().best = &row;
  }
  for (SweepPoint& point : points)
    for (const SweepRow* row : point.rows)
      if (point.best != nullptr && row->algorithm != point.best->algorithm && row->known() &&
          (point.runner_up == nullptr || *row->known() < *point.runner_up->known()))
        point.runner_up = row;
  return points;
}

std::vector<SweepWinner> winners(const std::vector<SweepRow>& rows) {
  std::vector<SweepWinner> all;
  bool goes_on = false;
  for (const SweepPoint& point : points_of(rows)) {
    const SweepRow* best = point.best;
    if (best == nullptr) {
      goes_on = false;
      continue;
    }
    const bool same = goes_on && all.back().topology == best->topology && all.back().algorithm == best->algorithm &&
                      all.back().params == best->params;
    if (!same)
      all.push_back(
          {.topology = best->topology, .from = best->bytes, .algorithm = best->algorithm, .params = best->params});
    goes_on = true;
    SweepWinner& w = all.back();
    w.to = best->bytes;
    if (point.runner_up == nullptr) continue;
    const double lead = *point.loss(point.runner_up->algorithm);
    if (w.runner_up.empty() || lead < w.least_lead) w.runner_up = point.runner_up->choice(), w.least_lead = lead;
    w.most_lead = std::max(w.most_lead, lead);
  }
  return all;
}

SweepProofs proofs_of(const std::vector<SweepRow>& rows) {
  SweepProofs found;
  std::set<std::string_view> wrong;
  for (const SweepRow& row : rows) {
    if (row.best) ++(row.note.find(sweeps::not_proven) == std::string::npos ? found.proven : found.undecided);
    if (row.note.starts_with(sweeps::is_wrong) && wrong.insert(row.algorithm).second)
      found.mistakes.push_back(
          fmt::format("{} on {}, {}: {}", row.choice(), row.topology, base::format_bytes(row.bytes), row.note));
  }
  return found;
}

std::vector<SweepFixed> best_fixed(const std::vector<SweepRow>& rows) {
  std::vector<SweepFixed> chosen;
  std::map<std::string, Losses> here, everywhere;
  std::size_t points = 0, all_points = 0, networks = 0;
  std::string topology;
  for (const SweepPoint& point : points_of(rows)) {
    if (point.best == nullptr) continue;
    if (point.best->topology != topology) {
      choose(chosen, here, points, topology);
      here.clear();
      points = 0, ++networks, topology = point.best->topology;
    }
    add(here, point), ++points;
    add(everywhere, point), ++all_points;
  }
  choose(chosen, here, points, topology);
  if (networks > 1) choose(chosen, everywhere, all_points, "");
  return chosen;
}

std::vector<std::int64_t> parse_range(std::string_view text, std::string_view what,
                                      const std::function<std::int64_t(std::string_view)>& parse) {
  constexpr std::size_t most = 10000;
  std::vector<std::int64_t> values;
  const auto add = [&](std::int64_t value) {
    if (values.size() == most)
      throw Error(Error::Kind::argument, fmt::format("{} {}: more than {} values", what, base::quoted(text), most));
    values.push_back(value);
  };
  for (const std::string_view item : base::split(text, ',')) {
    const auto dots = item.find("..");
    if (dots == std::string_view::npos) {
      add(parse(item));
      continue;
    }
    const std::string_view upper = item.substr(dots + 2);
    const auto step = upper.find_first_of("*+");
    const std::int64_t low = parse(item.substr(0, dots)), high = parse(upper.substr(0, step));
    if (low > high)
      throw Error(Error::Kind::argument,
                  fmt::format("{} {}: it goes down; expected LOW..HIGH, LOW..HIGH*FACTOR or LOW..HIGH+STEP", what,
                              base::quoted(item)));
    const bool adds = step != std::string_view::npos && upper[step] == '+';
    const std::int64_t by =
        step == std::string_view::npos ? 2
        : adds                         ? parse(upper.substr(step + 1))
               : base::parse_integer(upper.substr(step + 1), 2, 1 << 30, fmt::format("factor of {}", what));
    if (by < 1) throw Error(Error::Kind::argument, fmt::format("{} {}: the step is 0", what, base::quoted(item)));
    for (std::int64_t value = low; value <= high;) {
      add(value);
      if (adds ? value > high - by : value > high / by) break;
      value = adds ? value + by : std::max(value * by, value + 1);
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace quadrille
