#include "topology/graph/chosen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>

namespace quadrille::topology {

namespace {

void check_way(const Topology::Way& way, const Network& network, const Arcs& arcs, const std::string& what) {
  const auto refuse = [&](const std::string& why) {
    throw Error(Error::Kind::argument, fmt::format("{}: the way from {} to {} {}", what, way.from, way.to, why));
  };
  const auto is_rank = [&](Rank r) { return r >= 0 && r < network.ranks; };
  if (!is_rank(way.from) || !is_rank(way.to) || way.from == way.to)
    refuse(fmt::format("joins no two ranks; expected ranks below {} that differ", network.ranks));
  std::int64_t here = way.from;
  for (const Link link : way.links) {
    if (link < 0 || link >= arcs.size() || arcs.tail(link) != here)
      refuse(fmt::format("goes on by link {}, which does not leave {}", link, network.name(here)));
    here = arcs.head(link);
    if (std::count(way.links.begin(), way.links.end(), link) > 1) refuse(fmt::format("crosses link {} twice", link));
    if (is_rank(here) && here != way.to) refuse(fmt::format("passes rank {}; expected switches only", here));
  }
  if (here != way.to) refuse(fmt::format("ends at {}", network.name(here)));
  if (way.parts < 1 || way.parts > Topology::most_parts)
    refuse(fmt::format("has {} parts; expected 1 to {}", way.parts, Topology::most_parts));
}

}  // namespace

Chosen::Chosen(std::vector<Topology::Way> ways, const Network& network, const Arcs& arcs, const std::string& what)
    : ways_(std::move(ways)), first_(at(network.ranks) + 1, 0) {
  const auto pair = [](const Topology::Way& way) { return std::tie(way.from, way.to); };
  const auto place = [](const Topology::Way& way) { return std::tie(way.from, way.to, way.links); };
  std::sort(ways_.begin(), ways_.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    check_way(ways_[i], network, arcs, what);
    if (i > 0 && place(ways_[i]) == place(ways_[i - 1]))
      throw Error(Error::Kind::argument, fmt::format("{}: the way from {} to {} is there twice; expected one with more "
                                                     "parts",
                                                     what, ways_[i].from, ways_[i].to));
    several_ = several_ || (i > 0 && pair(ways_[i]) == pair(ways_[i - 1]));
    first_[at(ways_[i].from) + 1] = i + 1;
  }
  std::stable_sort(ways_.begin(), ways_.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.from, a.to, -a.parts) < std::tuple(b.from, b.to, -b.parts);
  });
  for (std::size_t r = 1; r < first_.size(); ++r) first_[r] = std::max(first_[r], first_[r - 1]);
}

std::span<const Topology::Way> Chosen::of(Rank from, Rank to) const {
  if (!said()) return {};
  const auto begin = ways_.begin() + static_cast<std::ptrdiff_t>(first_[at(from)]),
             end = ways_.begin() + static_cast<std::ptrdiff_t>(first_[at(from) + 1]);
  const auto found =
      std::lower_bound(begin, end, to, [](const Topology::Way& way, Rank rank) { return way.to < rank; });
  auto behind = found;
  while (behind != end && behind->to == to) ++behind;
  return std::span(ways_).subspan(static_cast<std::size_t>(found - ways_.begin()),
                                  static_cast<std::size_t>(behind - found));
}

Link Chosen::next(const Topology::Way& way, Link last) {
  auto link = way.links.begin();
  if (last >= 0) link = std::find(link, way.links.end(), last) + 1;
  return link == way.links.end() ? -1 : *link;
}

void Chosen::add_lengths(Rank from, std::vector<std::int32_t>& lengths) const {
  if (!said()) return;
  for (std::size_t i = first_[at(from) + 1]; i-- > first_[at(from)];)  // of several the one with most parts
    lengths[at(ways_[i].to)] = static_cast<std::int32_t>(ways_[i].links.size());
}

}  // namespace quadrille::topology
