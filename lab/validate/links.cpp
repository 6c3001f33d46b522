// From constants between two ranks to those of each kind of link.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "validate/figures.hpp"

namespace quadrille::validate {

namespace {

double speed_of(const Speeds& speeds, const std::string& kind) {
  const auto found = std::find_if(speeds.begin(), speeds.end(), [&](const auto& s) { return s.first == kind; });
  return found == speeds.end() ? 1 : found->second;
}

/// Of the slowest link between two ranks that is not a memory's.
double slowest_link(const Topology& topology, Rank near, const Speeds& speeds) {
  const std::vector<std::string> kinds = topology.kinds();
  std::vector<Link> path;
  topology.route(0, near, path);
  double slowest = 0;
  for (const Link link : path) {
    const Topology::LinkFacts facts = topology.facts(link);
    if (topology.structure().per_node > 0 && facts.kind == 0) continue;
    const double speed =
        static_cast<double>(facts.width) * speed_of(speeds, kinds[static_cast<std::size_t>(facts.kind)]);
    slowest = slowest == 0 ? speed : std::min(slowest, speed);
  }
  return slowest == 0 ? 1 : slowest;
}

/// First ranks of other nodes with a wire to this one, whose routes there and back are that wire.
std::vector<Rank> a_wire_away(const Topology& t, Rank rank) {
  const Rank step = std::max<Rank>(t.structure().per_node, 1);
  const int wire = t.structure().per_node > 0 ? 3 : 1;  // with a step in the memory at either end
  std::vector<Rank> found;
  for (Rank other = 0; other < t.ranks(); other += step)
    if (t.distance(rank, other) == wire && t.distance(other, rank) == wire) found.push_back(other);
  return found;
}

}  // namespace

std::vector<Rank> neighbours_of(const Topology& t, Rank rank) {
  const Rank step = std::max<Rank>(t.structure().per_node, 1), nodes = t.ranks() / step;
  if (nodes < 2)
    throw Error(Error::Kind::argument,
                fmt::format("{} has one node; expected two or more, between which to measure", t.text()));
  if (rank % step != 0) return {};
  Rank alone = 0, with_all = 0;
  for (Rank r = 0; r < t.ranks(); r += step) {
    const auto near = static_cast<Rank>(a_wire_away(t, r).size());
    alone += near == 0;
    with_all += near == nodes - 1;
  }
  if (alone == 0 && (nodes <= 3 || with_all < nodes)) return a_wire_away(t, rank);
  const Rank node = rank / step, next = (node + 1) % nodes * step, before = (node + nodes - 1) % nodes * step;
  return next == before ? std::vector<Rank>{next} : std::vector<Rank>{next, before};
}

std::pair<std::string, double> parse_speed(std::string_view text) {
  const auto equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0)
    throw Error(
        Error::Kind::argument,
        fmt::format("speed {}: expected a kind of link and how fast it is, as in level1=2", base::quoted(text)));
  const double speed = base::parse_number(text.substr(equals + 1), "speed of a kind of link");
  if (!(speed > 1e-6 && speed < 1e6))
    throw Error(Error::Kind::argument, fmt::format("speed {}: expected more than 1e-6 and less than 1e6", speed));
  return {std::string(text.substr(0, equals)), speed};
}

Machine on_links(Machine machine, const Topology& topology, const std::vector<Samples::Point>& inside,
                 const Speeds& speeds) {
  const Rank near = neighbours_of(topology, 0).front();
  constexpr Seconds least = 1e-9;
  const auto less_hops = [&](Seconds time, int hops) { return std::max(time - machine.per_hop * hops, least); };
  machine.alpha = less_hops(machine.alpha, topology.distance(0, near) - 1);
  machine.beta *= slowest_link(topology, near, speeds);
  const std::vector<std::string> kinds = topology.kinds();
  for (std::size_t i = inside.empty() ? 0 : 1; i < kinds.size(); ++i)
    if (topology.rate() > 0 || speed_of(speeds, kinds[i]) != 1)
      machine.links.push_back({kinds[i], -1, machine.beta / speed_of(speeds, kinds[i]), 0});
  if (inside.empty()) return machine;
  const Samples::Point &small = inside.front(), &large = inside.back();
  const double beta = std::max((large.time - small.time) / static_cast<double>(large.bytes - small.bytes), 1e-15);
  machine.links.push_back({kinds.front(), less_hops(small.time, 2), beta, 0});
  return machine;
}

}  // namespace quadrille::validate
