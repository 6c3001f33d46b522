#include "algorithm/paths.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "algorithm/pipeline.hpp"
#include "algorithm/support.hpp"

namespace quadrille {

namespace {

Path round_the_ring(const Spec& spec, Rank direction) {
  const Rank p = spec.ranks(), from = spec.root, length = wrap(direction * (spec.target - from), p);
  return {length, [=](std::int64_t i) { return wrap(from + direction * i, p); },
          [=](Rank r) {
            const Rank i = wrap(direction * (r - from), p);
            return i <= length ? i : -1;
          }};
}

Path flipping(Rank from, const std::vector<int>& dimensions) {
  std::vector<Rank> ranks{from};
  for (const int d : dimensions) ranks.push_back(ranks.back() ^ bit(d));
  return path_through(ranks);
}

/// Path j flips the differing dimensions from the j-th on, cyclically; then one path per other dimension e flips e, all
/// differing ones, e. [461 Prop. 3.2, 428 Prop. 3.1]
std::vector<Path> cube_paths(const Spec& spec) {
  std::vector<int> differing, others;
  for (int d = 0; d < dimension(spec); ++d) ((spec.root ^ spec.target) >> d & 1 ? differing : others).push_back(d);
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
  if (as<Ring>(spec)) {
    const Rank clockwise = wrap(spec.target - spec.root, spec.ranks());
    return round_the_ring(spec, 2 * clockwise <= spec.ranks() ? 1 : -1);
  }
  std::vector<Link> links;
  spec.topology->route(spec.root, spec.target, links);
  std::vector<Rank> ranks{spec.root};
  for (const Link link : links) ranks.push_back(spec.topology->head(link));
  return path_through(ranks);
}

std::vector<Path> disjoint_paths(const Spec& spec) {
  std::vector<Path> paths;
  if (as<Hypercube>(spec)) {
    paths = cube_paths(spec);
  } else if (as<Ring>(spec) && spec.ranks() > 2) {
    paths = {round_the_ring(spec, 1), round_the_ring(spec, -1)};
  } else {
    paths = {route_path(spec)};
  }
  std::stable_sort(paths.begin(), paths.end(), [](const Path& a, const Path& b) { return a.length < b.length; });
  return paths;
}

Lengths disjoint_lengths(const Spec& spec) {
  Lengths lengths;
  for (const Path& path : disjoint_paths(spec)) lengths.push_back(path.length);
  return lengths;
}

std::string needs_paths(const Spec& spec, const Machine& machine) {
  if (disjoint_lengths(spec).size() < 2)
    return fmt::format(
        "needs several paths from rank {} to rank {} that share no wire, and only one is known on {}; try "
        "sendrecv_pipelined",
        spec.root, spec.target, spec.topology->text());
  if (machine.duplex == Duplex::node_half)
    return "a relay would receive one packet while it sends another, and a node here does one or the other; try "
           "sendrecv_pipelined or --set duplex=half";
  return needs_all_ports(machine);
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

Cost equal_cost(const Lengths& lengths, Bytes bytes, std::int64_t packets) {
  if (bytes == 0) return {};
  // The paths with a larger part and the others: of each kind the longest path is the busy one to the end.
  struct Stream {
    std::int64_t length;
    Bytes part;
  };
  const auto count = static_cast<std::int64_t>(lengths.size());
  const std::int64_t larger = bytes % count;
  std::vector<Stream> streams{{lengths.back(), bytes / count}};
  if (larger > 0) streams.push_back({lengths[static_cast<std::size_t>(larger - 1)], bytes / count + 1});
  Lengths sizes{0};
  for (const Stream& s : streams) sizes.insert(sizes.end(), {s.part / packets, ceil_div(s.part, packets)});
  std::sort(sizes.begin(), sizes.end());
  // A packet of at least `size` bytes is on its way until the last such packet of some stream arrives.
  const auto rounds_with = [&](Bytes size) {
    Round rounds = 0;
    for (const Stream& s : streams) {
      const std::int64_t so_large = size <= s.part / packets            ? packets
                                    : size <= ceil_div(s.part, packets) ? s.part % packets
                                                                        : 0;
      if (so_large > 0) rounds = std::max(rounds, so_large - 1 + s.length);
    }
    return rounds;
  };
  Bytes total = 0;
  for (std::size_t i = 1; i < sizes.size(); ++i)
    if (sizes[i] > sizes[i - 1]) total += (sizes[i] - sizes[i - 1]) * rounds_with(sizes[i]);
  return neighbour_cost(packets - 1 + lengths.back(), total);
}

std::int64_t best_equal_packets(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte) {
  const Bytes part = bytes / static_cast<std::int64_t>(lengths.size());
  if (part <= 1) return 1;
  // The longest path alone is a pipeline of the smaller part.
  const auto further = static_cast<double>(lengths.back() - 1), size = static_cast<double>(part);
  const double ideal = startup > 0 ? std::sqrt(further * size * per_byte / startup) : size;
  return cheapest_cut({.total = part,
                       .high = part,
                       .ideal = ideal,
                       .cost =
                           [&](std::int64_t nu) {
                             const Cost c = equal_cost(lengths, bytes, nu);
                             return static_cast<double>(c.startups) * startup + static_cast<double>(c.bytes) * per_byte;
                           },
                       .bound =
                           [&](std::int64_t nu) {
                             const auto packets = static_cast<double>(nu);
                             return (packets + further) * (startup + size * per_byte / packets);
                           }});
}

Slot balanced_piece(const Lengths& lengths, std::size_t path, std::int64_t index) {
  // Packets are dealt in order of (round of arrival, path): count those before.
  const Round arrival = index + lengths[path];
  auto before = static_cast<Slot>(path);
  for (const std::int64_t length : lengths) before += std::max<Round>(0, arrival - length);
  return before;
}

Round balanced_rounds(const Lengths& lengths, std::int64_t packets) {
  if (packets == 0) return 0;
  // With only the k shortest paths in use R = ceil((M + S_k) / k); another path helps until it would not be reached.
  Round least = 0;
  std::int64_t excess = 0, used = 0;
  for (const std::int64_t length : lengths) {
    excess += length - 1;
    ++used;
    const Round rounds = ceil_div(packets + excess, used);
    if (used == 1 || rounds < least) least = rounds;
  }
  return least;
}

std::vector<std::int64_t> balanced_packets(const Lengths& lengths, std::int64_t packets) {
  const Round before = balanced_rounds(lengths, packets) - 1;
  std::vector<std::int64_t> given;
  for (const std::int64_t length : lengths) given.push_back(std::max<std::int64_t>(0, before - length + 1));
  std::int64_t rest = packets - std::accumulate(given.begin(), given.end(), std::int64_t{0});
  for (std::size_t j = 0; rest > 0; ++j, --rest) ++given[j];
  return given;
}

Cost balanced_cost(const Lengths& lengths, Bytes bytes, Bytes packet_bytes) {
  if (bytes == 0) return {};
  const std::int64_t packets = ceil_div(bytes, packet_bytes);
  const Round rounds = balanced_rounds(lengths, packets), full = balanced_rounds(lengths, packets - 1);
  return neighbour_cost(rounds, packet_bytes * full + (bytes - (packets - 1) * packet_bytes) * (rounds - full));
}

Bytes best_packet_bytes(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte) {
  if (startup <= 0 || bytes <= 1) return 1;  // rounds are free: R(N) bytes, the least
  const auto size = static_cast<double>(bytes);
  const auto cost = [&](Bytes w) {
    const Cost c = balanced_cost(lengths, bytes, w);
    return static_cast<double>(c.startups) * startup + static_cast<double>(c.bytes) * per_byte;
  };
  // R(M) is at least the least over k of (M + S_k)/k, which is linear between integers: so the cost is at least the
  // least over k of the bounds below. Each is convex and the best size lies under one of them. Of paths of equal length
  // all help or none does.
  Bytes best = 0;
  std::int64_t excess = 0;
  for (std::size_t j = 0; j < lengths.size(); ++j) {
    excess += lengths[j] - 1;
    if (j + 1 < lengths.size() && lengths[j + 1] == lengths[j]) continue;
    const auto s = static_cast<double>(excess), k = static_cast<double>(j + 1);
    const auto bound = [&](Bytes w) {
      const auto packet = static_cast<double>(w);
      return (startup + per_byte * packet) * (size / packet + s) / k;
    };
    const double ideal = s * per_byte > 0 ? std::sqrt(startup * size / (per_byte * s)) : size;
    const Bytes found = cheapest_cut({.total = bytes, .high = bytes, .ideal = ideal, .cost = cost, .bound = bound});
    const double ratio = best == 0 ? 0 : cost(found) / cost(best);
    if (ratio < 1 - 1e-12 || (ratio <= 1 + 1e-12 && found < best)) best = found;
  }
  return best;
}

}  // namespace quadrille
