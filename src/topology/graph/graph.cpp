#include "topology/graph/graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "topology/graph/usual_drawing.hpp"

namespace quadrille::topology {

GraphTopology::GraphTopology(Network network, GraphName name)
    : network_(std::move(network)), name_(std::move(name)), arcs_(network_), routes_(network_, arcs_) {
  for (Rank r = 0; r < network_.ranks; ++r) {
    const int here = degree_at(r);
    degree_ = std::max(degree_, here);
    least_degree_ = r == 0 ? here : std::min(least_degree_, here);
  }
  for (const Wire& w : network_.wires) {
    alike_ = alike_ && LinkFacts{w.kind, w.width, w.latency} == LinkFacts{};
    widest_ = std::max(widest_, w.width);
  }
  if (network_.vertices == network_.ranks) colour_vertices();
}

GraphTopology::GraphTopology(const GraphTopology& other, std::vector<Way> ways)
    : GraphTopology(other.network_, other.name_) {
  chosen_ = Chosen(std::move(ways), network_, arcs_, "topology " + base::quoted(name_.text, 200));
}

std::shared_ptr<const Topology> GraphTopology::with_ways(std::vector<Way> ways) const {
  if (!chooses_ways()) return Routed::with_ways(std::move(ways));
  return std::make_shared<GraphTopology>(*this, std::move(ways));
}

std::shared_ptr<const Topology> GraphTopology::before_failures() const {
  if (network_.failed.empty()) return nullptr;
  Network whole = network_;
  whole.wires.insert(whole.wires.end(), whole.failed.begin(), whole.failed.end());
  whole.failed.clear();
  GraphName name = name_;
  name.text += " before links failed";
  return std::make_shared<GraphTopology>(std::move(whole), std::move(name));
}

/// Over links in either direction; a link between equal colours is part of an odd cycle.
void GraphTopology::colour_vertices() {
  std::vector<signed char> colours(at(network_.vertices), -1);
  std::vector<std::int32_t> queue{0};
  colours[0] = 0;
  bool odd = false;
  const auto meet = [&](std::int32_t from, std::int32_t to) {
    const auto other = static_cast<signed char>(1 - colours[at(from)]);
    if (colours[at(to)] < 0) {
      colours[at(to)] = other;
      queue.push_back(to);
    } else {
      odd = odd || colours[at(to)] != other;
    }
  };
  for (std::size_t i = 0; i < queue.size() && !odd; ++i) {
    const Arcs::Range out = arcs_.leaving(queue[i]);
    for (Link link = out.begin_; link < out.end_; ++link) meet(queue[i], arcs_.head(link));
    for (const Link link : arcs_.entering(queue[i])) meet(queue[i], arcs_.tail(link));
  }
  if (!odd) colours_ = std::move(colours);
}

std::optional<int> GraphTopology::colour(Rank rank) const {
  if (colours_.empty()) return std::nullopt;
  return colours_[at(rank)];
}

int GraphTopology::distance(Rank from, Rank to) const {
  int links = 0;
  for (Link link = from == to ? -1 : next(-1, from, to); link >= 0; link = next(link, from, to)) ++links;
  return links;
}

std::vector<std::int32_t> GraphTopology::lengths_from(Rank from) const {
  std::vector<std::int32_t> lengths = routes_.lengths_from(from);
  chosen_.add_lengths(from, lengths);
  return lengths;
}

Rank GraphTopology::farthest(Rank from) const {
  const std::vector<std::int32_t> far = lengths_from(from);
  Rank best = from == 0 && ranks() > 1 ? 1 : 0;
  for (Rank r = 0; r < ranks(); ++r)
    if (r != from && far[at(r)] > far[at(best)]) best = r;
  return best;
}

std::int64_t GraphTopology::total_distance(Rank from) const {
  const std::vector<std::int32_t> far = lengths_from(from);
  std::int64_t total = 0;
  for (Rank r = 0; r < ranks(); ++r) total += far[at(r)];
  return total;
}

/// Ranks whose links all lead to the same vertex are one link farther from everything than that vertex.
const GraphTopology::Lengths& GraphTopology::lengths() const {
  std::call_once(measured_, [&] {
    std::int64_t known = -1, total = 0;
    std::vector<std::int32_t> far;
    for (Rank r = 0; r < ranks(); ++r) {
      const bool leaf = network_.routing == Routing::shortest && arcs_.only_target(r) != r;
      const std::int64_t start = leaf ? arcs_.only_target(r) : r;
      if (start != known) {
        far = lengths_from(start);
        far.resize(at(ranks()));
        total = 0;
        for (const std::int32_t links : far) total += links;
        known = start;
      }
      if (!leaf) {
        lengths_.sum += total;
        lengths_.diameter = std::max(lengths_.diameter, *std::max_element(far.begin(), far.end()));
        continue;
      }
      lengths_.sum += total - far[at(r)] + ranks() - 1;
      for (Rank to = 0; to < ranks(); ++to)
        if (to != r) lengths_.diameter = std::max(lengths_.diameter, far[at(to)] + 1);
    }
  });
  return lengths_;
}

int GraphTopology::diameter() const { return lengths().diameter; }

std::int64_t GraphTopology::sum_of_distances() const { return lengths().sum; }

double GraphTopology::mean_distance() const {
  if (ranks() == 1) return 0;
  return static_cast<double>(lengths().sum) / (static_cast<double>(ranks()) * static_cast<double>(ranks() - 1));
}

/// "16->24", and "16->24#2" for the second of several.
std::string GraphTopology::name(Link link) const {
  const std::string ends = Routed::name(link);
  const Link which = link - arcs_.bundle(link);
  return which == 0 ? ends : fmt::format("{}#{}", ends, which + 1);
}

Topology::LinkFacts GraphTopology::facts(Link link) const {
  const Wire& w = network_.wires[at(arcs_.wire(link))];
  return {w.kind, w.width, w.latency};
}

Drawing GraphTopology::drawing() const {
  if (network_.vertices > Drawing::most_vertices) return {};
  return network_.drawing.none() ? usual_drawing(network_) : network_.drawing;
}

std::int64_t GraphTopology::bisection() const {
  std::call_once(cut_found_, [&] { cut_ = narrow_cut(network_, arcs_); });
  return cut_.width;
}

TopologyPtr make_graph(Network network, GraphName name) {
  check(network, "topology " + base::quoted(name.text, 200));
  return std::make_shared<GraphTopology>(std::move(network), std::move(name));
}

}  // namespace quadrille::topology
