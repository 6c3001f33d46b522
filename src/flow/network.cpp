#include "flow/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/integer.hpp"

namespace quadrille::flow {

namespace {

constexpr std::int64_t most_capacity = std::int64_t{1} << 40;  // of all arcs: products with a time then fit 63 bits

void refuse(const Arc& arc, std::string_view why) {
  throw Error(Error::Kind::argument, fmt::format("link {} - {}: {}", arc.from, arc.to, why));
}

void check_arcs(const std::vector<Arc>& arcs, Vertex vertices) {
  std::int64_t all = 0;
  for (const Arc& arc : arcs) {
    if (std::min(arc.from, arc.to) < 0 || std::max(arc.from, arc.to) >= vertices)
      refuse(arc, fmt::format("vertices are 0 .. {}", vertices - 1));
    if (arc.from == arc.to) refuse(arc, "a link joins two different vertices");
    if (arc.capacity < 1)
      refuse(arc, fmt::format("the capacity is {}; expected 1 or more, and a failed link is left out", arc.capacity));
    all = base::checked_add(all, arc.capacity, "capacity of all links");
  }
  if (all > most_capacity)
    throw Error(Error::Kind::budget,
                fmt::format("capacities are {} together; at most {}, in a larger unit", all, most_capacity));
}

/// By tail and head, each pair once.
std::vector<Arc> merged(std::vector<Arc> arcs) {
  std::sort(arcs.begin(), arcs.end(),
            [](const Arc& a, const Arc& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  std::size_t kept = 0;
  for (const Arc& arc : arcs) {
    if (kept > 0 && arcs[kept - 1].from == arc.from && arcs[kept - 1].to == arc.to)
      arcs[kept - 1].capacity += arc.capacity;
    else
      arcs[kept++] = arc;
  }
  arcs.resize(kept);
  return arcs;
}

}  // namespace

Network::Network(Vertex vertices, std::vector<Vertex> hosts, std::vector<Arc> arcs)
    : hosts_(std::move(hosts)),
      rank_(static_cast<std::size_t>(vertices), -1),
      first_(static_cast<std::size_t>(vertices) + 1, 0) {
  if (hosts_.empty()) throw Error(Error::Kind::argument, "a network has at least one host, and this one has none");
  for (std::size_t r = 0; r < hosts_.size(); ++r) {
    if (hosts_[r] < 0 || hosts_[r] >= vertices)
      throw Error(Error::Kind::argument, fmt::format("host {}: vertices are 0 .. {}", hosts_[r], vertices - 1));
    if (is_host(hosts_[r])) throw Error(Error::Kind::argument, fmt::format("host {} is named twice", hosts_[r]));
    rank_[static_cast<std::size_t>(hosts_[r])] = static_cast<Rank>(r);
  }
  check_arcs(arcs, vertices);
  arcs_ = merged(std::move(arcs));
  for (const Arc& arc : arcs_) ++first_[static_cast<std::size_t>(arc.from) + 1];
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
}

std::span<const Arc> Network::leaving(Vertex v) const {
  const std::size_t first = first_[static_cast<std::size_t>(v)], end = first_[static_cast<std::size_t>(v) + 1];
  return {arcs_.data() + first, end - first};
}

std::int64_t Network::find(Vertex from, Vertex to) const {
  const std::span<const Arc> arcs = leaving(from);
  const auto found =
      std::lower_bound(arcs.begin(), arcs.end(), to, [](const Arc& arc, Vertex v) { return arc.to < v; });
  return found == arcs.end() || found->to != to ? -1 : &*found - arcs_.data();
}

std::int64_t Network::out(Vertex v) const {
  std::int64_t sum = 0;
  for (const Arc& arc : leaving(v)) sum += arc.capacity;
  return sum;
}

Network Network::reversed() const {
  std::vector<Arc> arcs = arcs_;
  for (Arc& arc : arcs) std::swap(arc.from, arc.to);
  return {vertices(), hosts_, std::move(arcs)};
}

}  // namespace quadrille::flow
