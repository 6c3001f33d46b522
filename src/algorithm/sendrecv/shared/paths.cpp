#include "algorithm/sendrecv/shared/paths.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/grid_tree.hpp"
#include "algorithm/sendrecv/shared/grid_paths.hpp"
#include "algorithm/sendrecv/shared/path_crowds.hpp"

namespace quadrille::algorithm::sendrecv {

namespace {

Path round_the_ring(const Spec& spec, Rank direction) {
  const Rank p = spec.ranks(), from = spec.root, length = base::wrap(direction * (spec.target - from), p);
  return {length, [=](std::int64_t i) { return base::wrap(from + direction * i, p); },
          [=](Rank r) {
            const Rank i = base::wrap(direction * (r - from), p);
            return i <= length ? i : -1;
          }};
}

Path flipping(Rank from, const std::vector<int>& dimensions) {
  std::vector<Rank> ranks{from};
  for (const int d : dimensions) ranks.push_back(ranks.back() ^ base::bit(d));
  return path_through(ranks);
}

/// Path j flips the differing dimensions from the j-th on, cyclically; then one path per other dimension e flips e, all
/// differing ones, e. [Saad & Schultz 1986, Prop. 3.2; 1985, Prop. 3.1]
std::vector<Path> cube_paths(const Spec& spec) {
  std::vector<int> differing, others;
  for (int d = 0; d < kit::dimension(spec); ++d) ((spec.root ^ spec.target) >> d & 1 ? differing : others).push_back(d);
  std::vector<Path> paths;
  for (std::size_t j = 0; j < differing.size(); ++j) {
    std::vector<int> turned = differing;
    std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(j), turned.end());
    paths.push_back(flipping(spec.root, turned));
  }
  for (const int e : others) {
    std::vector<int> detour{e};
    detour.insert(detour.end(), differing.begin(), differing.end());
    detour.push_back(e);
    paths.push_back(flipping(spec.root, detour));
  }
  return paths;
}

constexpr Rank most_relays = 1 << 10;  ///< of a crossbar: costs go through lists of paths

/// Straight there, and by way of every other rank.
std::vector<Path> crossbar_paths(const Spec& spec) {
  std::vector<Path> paths{path_through({spec.root, spec.target})};
  for (Rank r = 0; r < spec.ranks(); ++r)
    if (r != spec.root && r != spec.target) paths.push_back(path_through({spec.root, r, spec.target}));
  return paths;
}

}  // namespace

Path path_through(const std::vector<Rank>& ranks) {
  auto places = std::make_shared<std::vector<std::pair<Rank, std::int64_t>>>();
  for (const Rank r : ranks) places->emplace_back(r, static_cast<std::int64_t>(places->size()));
  std::sort(places->begin(), places->end());
  return {static_cast<std::int64_t>(ranks.size()) - 1,
          [list = std::make_shared<std::vector<Rank>>(ranks)](std::int64_t i) {
            return (*list)[static_cast<std::size_t>(i)];
          },
          [places](Rank r) {
            const auto found = std::lower_bound(places->begin(), places->end(), std::pair(r, std::int64_t{0}));
            return found != places->end() && found->first == r ? found->second : -1;
          }};
}

Path route_path(const Spec& spec) {
  if (pattern::is_cycle(spec)) {
    const Rank clockwise = base::wrap(spec.target - spec.root, spec.ranks());
    return round_the_ring(spec, 2 * clockwise <= spec.ranks() ? 1 : -1);
  }
  constexpr int most_listed = 1 << 24;
  if (const int distance = spec.topology->distance(spec.root, spec.target); distance > most_listed)
    throw Error(Error::Kind::budget, fmt::format("a path of {} links is not listed; at most {}; try sendrecv_direct",
                                                 distance, most_listed));
  std::vector<Link> links;
  spec.topology->route(spec.root, spec.target, links);
  std::vector<Rank> ranks{spec.root};
  for (const Link link : links) ranks.push_back(spec.topology->head(link));
  return path_through(ranks);
}

kit::Lengths lengths_of(const PathSet& paths) {
  kit::Lengths lengths;
  for (const Path& path : paths) lengths.push_back(path.length);
  return lengths;
}

std::vector<PathSet> path_sets(const Spec& spec) {
  std::vector<PathSet> found;
  if (kit::is_cube(spec)) {
    found = {cube_paths(spec)};
  } else if (pattern::is_cycle(spec) && spec.ranks() > 2) {
    found = {{round_the_ring(spec, 1), round_the_ring(spec, -1)}};
  } else if (kit::grid(spec)) {
    found = grid_path_sets(spec);
  } else if (kit::has_own_wires(spec) && spec.ranks() <= most_relays) {
    found = {crossbar_paths(spec)};
  }
  if (found.empty()) found = {{route_path(spec)}};
  std::vector<PathSet> sets;
  std::set<kit::Lengths> seen;
  for (PathSet& paths : found) {
    std::stable_sort(paths.begin(), paths.end(), [](const Path& a, const Path& b) { return a.length < b.length; });
    if (seen.insert(lengths_of(paths)).second) sets.push_back(std::move(paths));
  }
  return sets;
}

PathSet chosen_paths(const Spec& spec, const Params& params, Least least) {
  std::vector<PathSet> sets = path_sets(spec);
  const kit::Lengths wanted = params.list("lengths");
  const auto key = [&](const PathSet& paths) {
    const kit::Lengths lengths = lengths_of(paths);
    const std::int64_t longest = lengths.back(), total = std::accumulate(lengths.begin(), lengths.end(), Rank{0});
    const bool first = least == Least::longest;
    return std::tuple(lengths != wanted, first ? longest : total, first ? total : longest);
  };
  return *std::min_element(sets.begin(), sets.end(),
                           [&](const PathSet& a, const PathSet& b) { return key(a) < key(b); });
}

Parameter lengths_parameter() {
  return {.name = "lengths",
          .meaning = "lengths of the paths, shortest first, where several sets of paths are known",
          .is_list = true};
}

std::vector<Params> path_variants(const Spec& spec, const Machine& machine, std::string_view name,
                                  const std::function<std::int64_t(const PathSet&)>& best) {
  return path_variants(spec, machine, [&](const PathSet& paths) { return Params{{std::string(name), {best(paths)}}}; });
}

std::vector<Params> path_variants(const Spec& spec, const Machine& machine,
                                  const std::function<Params(const PathSet&)>& best) {
  const std::vector<PathSet> sets = path_sets(spec);
  std::vector<kit::Lengths> all;
  for (const PathSet& paths : sets) all.push_back(lengths_of(paths));
  const auto nowhere_longer = [](const kit::Lengths& a, const kit::Lengths& b) {
    return a != b && std::equal(a.begin(), a.end(), b.begin(), [](auto x, auto y) { return x <= y; });
  };
  std::vector<Params> variants;
  for (const PathSet& paths : sets) {
    const kit::Lengths lengths = lengths_of(paths);
    const bool longer =
        std::any_of(all.begin(), all.end(), [&](const kit::Lengths& other) { return nowhere_longer(other, lengths); });
    if (longer && !machine.has_overhead()) continue;
    variants.push_back(best(paths));
    if (all.size() > 1) variants.back().set("lengths", lengths);
  }
  return variants;
}

Claims path_claims(const Spec& spec, const Machine&, const Params& params) {
  const bool meet = kit::grid(spec) && !pattern::is_cycle(spec);
  return {.exact = !meet || (looks_for_meetings(chosen_paths(spec, params, Least::longest)) &&
                             looks_for_meetings(chosen_paths(spec, params, Least::total)))};
}

namespace {

std::string unknown_lengths(const Spec& spec, const Params& params) {
  const kit::Lengths wanted = params.list("lengths");
  if (wanted.empty()) return {};
  std::vector<std::string> known;
  for (const PathSet& paths : path_sets(spec)) {
    if (lengths_of(paths) == wanted) return {};
    known.push_back(fmt::format("lengths={}", fmt::join(lengths_of(paths), ",")));
  }
  return fmt::format("no paths of lengths {} from rank {} to rank {} that share no wire are known; try {}",
                     fmt::join(wanted, ","), spec.root, spec.target, fmt::join(known, " or "));
}

}  // namespace

std::string needs_paths(const Spec& spec, const Machine& machine, const Params& params) {
  const bool known = kit::is_cube(spec) || kit::is_ring(spec) || kit::grid(spec) || kit::has_own_wires(spec);
  if (!known || path_sets(spec).front().size() < 2)
    return fmt::format(
        "needs several paths from rank {} to rank {} that share no wire, and only one is known on {}; try {}",
        spec.root, spec.target, spec.topology->text(),
        spec.topology->direct() ? "sendrecv_pipelined" : "sendrecv_direct");
  if (machine.duplex == Duplex::node_half)
    return fmt::format(
        "a relay would receive one packet while it sends another, and a node here does one or the other; try "
        "sendrecv_pipelined or --set duplex=half{}",
        machine.ports == Ports::one ? " --set ports=all" : "");
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  return unknown_lengths(spec, params);
}

namespace {

class PathSchedule final : public Schedule {
 public:
  PathSchedule(const Spec& spec, std::vector<Path> paths, Deal deal, Round rounds, const Cut& cut, Round interval)
      : paths_(std::move(paths)), deal_(std::move(deal)), interval_(interval) {
    const bool relays = std::any_of(paths_.begin(), paths_.end(), [](const Path& p) { return p.length > 1; });
    shape_ = {.ranks = spec.ranks(), .rounds = rounds, .in = 1, .out = 1, .tmp = relays ? 1 : 0, .cut = cut};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (std::size_t j = 0; j < paths_.size(); ++j) {
      const Path& path = paths_[j];
      const std::int64_t here = path.position(r);
      if (here < 0) continue;
      if (here < path.length)
        if (const Slot s = piece(j, t, here); s >= 0)
          out.send(path.at(here + 1), here == 0 ? Buffer::in : Buffer::tmp, contiguous(s, 1));
      if (here > 0)
        if (const Slot s = piece(j, t, here - 1); s >= 0)
          out.recv(path.at(here - 1), here == path.length ? Buffer::out : Buffer::tmp, contiguous(s, 1));
    }
  }
  Rounds active(Rank r) const override {
    Round first = shape_.rounds;
    for (const Path& path : paths_)
      if (const std::int64_t here = path.position(r); here >= 0)
        first = std::min<Round>(first, std::max<Round>(here - 1, 0));
    return {first, shape_.rounds};
  }

 private:
  /// What leaves position `tail` of a path in round t, counted from 0.
  Slot piece(std::size_t path, Round t, std::int64_t tail) const {
    const Round since = t - tail;
    return since >= 0 && since % interval_ == 0 ? deal_(path, since / interval_) : -1;
  }

  std::vector<Path> paths_;
  Deal deal_;
  Round interval_;
  Shape shape_;
};

}  // namespace

SchedulePtr path_schedule(const Spec& spec, std::vector<Path> paths, Deal deal, Round rounds, const Cut& cut,
                          Round interval) {
  return std::make_shared<PathSchedule>(spec, std::move(paths), std::move(deal), rounds, cut, interval);
}

}  // namespace quadrille::algorithm::sendrecv
