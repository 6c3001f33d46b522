// What the times between pairs of ranks say of the network: who is near whom, and whose distances they follow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/integer.hpp"
#include "quadrille/tune.hpp"

namespace quadrille {

namespace {

/// Far is at least so many times near, and between them is a gap of at least that factor.
constexpr double apart = 2, gap = 1.5;
/// Distances count when they explain so much of the times' variance, and make the longest so much longer.
constexpr double convincing = 0.8, noticeable = 0.25;

using Time = Seconds PairSample::*;

/// The time between the two classes of pairs; 0 when all are alike.
Seconds threshold(const std::vector<PairSample>& pairs, Time time) {
  std::vector<Seconds> times;
  for (const PairSample& p : pairs) times.push_back(p.*time);
  std::sort(times.begin(), times.end());
  std::size_t widest = 0;
  double most = 0;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (const double ratio = times[i] / std::max(times[i - 1], 1e-12); ratio > most) most = ratio, widest = i;
  if (most < gap) return 0;
  const Seconds near = times[widest / 2], far = times[widest + (times.size() - widest) / 2];
  return far < apart * near ? 0 : (times[widest - 1] + times[widest]) / 2;
}

/// Ranks joined by near pairs; empty when some pair within is far or some across is near: then they are no groups.
std::vector<std::vector<Rank>> groups(Rank ranks, const std::vector<PairSample>& pairs, Time time) {
  const Seconds limit = threshold(pairs, time);
  if (limit == 0) return {};
  std::vector<Rank> leader(static_cast<std::size_t>(ranks));
  std::iota(leader.begin(), leader.end(), Rank{0});
  const auto of = [&](Rank r) { return leader[static_cast<std::size_t>(r)]; };
  for (const PairSample& p : pairs)
    if (p.*time < limit) {
      const Rank kept = std::min(of(p.a), of(p.b)), gone = std::max(of(p.a), of(p.b));
      std::replace(leader.begin(), leader.end(), gone, kept);
    }
  for (const PairSample& p : pairs)
    if ((of(p.a) == of(p.b)) != (p.*time < limit)) return {};
  std::vector<std::vector<Rank>> found;
  for (Rank first = 0; first < ranks; ++first) {
    std::vector<Rank> group;
    for (Rank r = 0; r < ranks; ++r)
      if (of(r) == first) group.push_back(r);
    if (!group.empty()) found.push_back(std::move(group));
  }
  const bool some = std::any_of(found.begin(), found.end(), [](const auto& g) { return g.size() > 1; });
  return found.size() > 1 && some ? found : std::vector<std::vector<Rank>>{};
}

/// Networks of so many ranks whose ranks are numbered as usual; of switches, leaves whose hosts share fewer links
/// upwards.
std::vector<std::string> candidates(Rank ranks) {
  std::vector<std::string> all;
  if (ranks < 4) return all;  // every network of three ranks is a line or a triangle
  all.push_back(fmt::format("ring:{}", ranks));
  if ((ranks & (ranks - 1)) == 0) all.push_back(fmt::format("hypercube:{}", base::log2_ceil(ranks)));
  for (const char* family : {"torus", "mesh"}) {
    for (Rank a = 2; a <= ranks / 2; ++a)
      if (ranks % a == 0) all.push_back(fmt::format("{}:{}x{}", family, a, ranks / a));
  }
  all.push_back(fmt::format("mesh:{}", ranks));
  for (Rank leaf = 2; leaf <= ranks / 2; ++leaf)
    for (Rank wide = 1; ranks % leaf == 0 && wide < leaf; wide *= 2)
      all.push_back(fmt::format("xgft:2;{},{};1,1{}", leaf, ranks / leaf, wide == 1 ? "" : fmt::format(";1,{}", wide)));
  return all;
}

struct Line {
  double start = 0, slope = 0, explained = 0;
};
struct Place {
  double at = 0;  ///< a distance, or a load
  Seconds time = 0;
};

/// Least squares of time = start + slope x at.
Line line(const std::vector<Place>& places) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (const auto& [d, s] : places) n += 1, x += d, y += s, xx += d * d, xy += d * s, yy += s * s;
  const double of_x = n * xx - x * x, of_y = n * yy - y * y, both = n * xy - x * y;
  if (!(of_x > 0) || !(of_y > 0) || both <= 0) return {};
  const double slope = both / of_x;
  return {(y - slope * x) / n, slope, both * both / (of_x * of_y)};
}

/// What counts of a fit to loads: k messages on a link take k times as long as one. Leaves with twice as many links
/// upwards are explained as well, by times that do not begin at 0.
double in_proportion(const Line& l) {
  constexpr double share = 0.2;
  return l.explained * (1 - share * std::min(1.0, std::abs(l.start) / std::abs(l.start + l.slope)));
}

/// Messages on the busiest directed link when all are sent at once; on a link twice as wide they count half.
double busiest_link(const Topology& t, const std::vector<Rank>& to) {
  std::vector<double> load(static_cast<std::size_t>(t.links()), 0);
  std::vector<Link> path;
  for (Rank r = 0; r < t.ranks(); ++r) {
    path.clear();
    t.route(r, to[static_cast<std::size_t>(r)], path);
    for (const Link link : path) load[static_cast<std::size_t>(link)] += 1.0 / static_cast<double>(t.facts(link).width);
  }
  return *std::max_element(load.begin(), load.end());
}

}  // namespace

Revealed revealed(Rank ranks, const std::vector<PairSample>& pairs) {
  Revealed found{.topology = fmt::format("crossbar:{}", ranks), .explained = 0, .groups = {}, .text = {}};
  for (const Time time : {&PairSample::small, &PairSample::large}) {
    if (found.groups = groups(ranks, pairs, time); !found.groups.empty()) {
      found.text = fmt::format(
          "ranks are in {} groups, near within and far between; taken for a crossbar between nodes with memory inside, "
          "and the constants are those between nodes",
          found.groups.size());
      return found;
    }
  }
  for (const Time time : {&PairSample::small, &PairSample::large}) {
    for (const std::string& name : candidates(ranks)) {
      const TopologyPtr t = parse_topology(name);
      std::vector<Place> places;
      for (const PairSample& p : pairs) places.push_back({static_cast<double>(t->distance(p.a, p.b)), p.*time});
      const Line l = line(places);
      const bool counts = l.slope * (t->diameter() - 1) >= noticeable * (l.start + l.slope);
      if (l.explained < convincing || !counts || l.explained <= found.explained + 1e-9) continue;
      found.topology = name;
      found.explained = l.explained;
    }
    if (found.explained > 0) {
      found.text = fmt::format("times follow the distances of {}, which explain {:.0f} % of their variance",
                               found.topology, 100 * found.explained);
      return found;
    }
  }
  found.text = pairs.size() < 2 ? "too few pairs to tell them apart; taken for a crossbar"
                                : "all pairs are alike; taken for a crossbar";
  return found;
}

std::vector<std::vector<Rank>> patterns(Rank ranks) {
  constexpr Rank most_shifts = 8;
  constexpr int shuffles = 8;
  std::vector<std::vector<Rank>> all;
  const auto add = [&](auto to) {
    std::vector<Rank> pattern;
    for (Rank r = 0; r < ranks; ++r) pattern.push_back(to(r));
    all.push_back(std::move(pattern));
  };
  for (Rank k = 1; k < std::min(ranks, most_shifts + 1); ++k) add([&](Rank r) { return (r + k) % ranks; });
  add([&](Rank r) { return ranks - 1 - r; });
  std::minstd_rand random(1);  // defined to the last bit, so all ranks draw the same
  for (int i = 0; i < shuffles && ranks > 3; ++i) {
    std::vector<Rank> to = all.front();
    for (Rank r = ranks - 1; r > 0; --r)
      std::swap(to[static_cast<std::size_t>(r)],
                to[static_cast<std::size_t>(random()) % static_cast<std::size_t>(r + 1)]);
    all.push_back(std::move(to));
  }
  return all;
}

Revealed revealed_at_once(Rank ranks, const std::vector<PatternSample>& samples) {
  Revealed found{.topology = fmt::format("crossbar:{}", ranks), .explained = 0, .groups = {}, .text = {}};
  double best = 0;
  for (const std::string& name : candidates(ranks)) {
    const TopologyPtr t = parse_topology(name);
    std::vector<Place> places;
    double most = 1;
    for (const PatternSample& p : samples) {
      places.push_back({busiest_link(*t, p.to), p.time});
      most = std::max(most, places.back().at);
    }
    const Line l = line(places);
    const bool counts = l.slope * (most - 1) >= noticeable * (l.start + l.slope);
    if (l.explained < convincing || !counts || in_proportion(l) <= best + 1e-9) continue;
    best = in_proportion(l);
    found.topology = name;
    found.explained = l.explained;
  }
  found.text =
      found.explained > 0
          ? fmt::format("messages at once share links as on {}, which explains {:.0f} % of their times' variance",
                        found.topology, 100 * found.explained)
          : "messages at once do not share links as on any network known here; taken for a crossbar";
  return found;
}

Revealed revealed(Rank ranks, const std::vector<PairSample>& first, const std::vector<PairSample>& second) {
  Revealed once = revealed(ranks, first);
  if (second.size() < first.size()) {
    once.text += first.size() < 2 ? "" : ", seen once";
    return once;
  }
  const Revealed again = revealed(ranks, second);
  if (once.topology == again.topology && once.groups == again.groups) {
    Revealed both = revealed(ranks, least(first, second));
    return both.topology == once.topology && both.groups == once.groups ? both : again;
  }
  const auto short_text = [](const Revealed& r) {
    return r.groups.empty() ? r.topology : fmt::format("{} groups of ranks", r.groups.size());
  };
  return {.topology = fmt::format("crossbar:{}", ranks),
          .explained = 0,
          .groups = {},
          .text = fmt::format("times differ more from one moment to the next than between pairs: they looked like {}, "
                              "then like {}; taken for a crossbar",
                              short_text(once), short_text(again))};
}

std::vector<PairSample> least(std::vector<PairSample> first, const std::vector<PairSample>& second) {
  for (std::size_t i = 0; i < second.size(); ++i) {
    first[i].small = std::min(first[i].small, second[i].small);
    first[i].large = std::min(first[i].large, second[i].large);
  }
  return first;
}

}  // namespace quadrille
