#include "quadrille/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.hpp"
#include "topology/additions.hpp"
#include "topology/families.hpp"
#include "topology/graph/changes.hpp"
#include "topology/graph/drawing.hpp"

namespace quadrille {

std::string Topology::describe() const { return base::with_article(family()); }

topology::Drawing Topology::drawing() const { return {}; }

Rank Topology::farthest(Rank from) const {
  Rank far = from == 0 ? 1 : 0;
  for (Rank r = 0; r < ranks() && distance(from, far) < diameter(); ++r)
    if (r != from && distance(from, r) > distance(from, far)) far = r;
  return far;
}

Link Topology::next(Link last, Rank from, Rank to) const {
  std::vector<Link> path;
  route(from, to, path);
  const auto at = last < 0 ? path.begin() : std::find(path.begin(), path.end(), last) + 1;
  return at == path.end() ? -1 : *at;
}

std::shared_ptr<const Topology> Topology::with_ways(std::vector<Way>) const {
  throw Error(Error::Kind::argument,
              fmt::format("{}: messages cannot choose their ways; expected a network with ':routes=chosen'", text()));
}

std::string Topology::name(Link link) const { return fmt::format("{}->{}", tail(link), head(link)); }

Rank Topology::Stages::places() const {
  Rank places = 1;
  for (int i = 0; i < stages; ++i) places *= arity;
  return places;
}

static bool listed_before(const TopologyFamily& a, const TopologyFamily& b) {
  return std::tie(a.place, a.name) < std::tie(b.place, b.name);
}

static std::vector<TopologyFamily>& family_list() {
  static std::vector<TopologyFamily> families = [] {
    std::vector<TopologyFamily> all = topology::generated_families();
    std::sort(all.begin(), all.end(), listed_before);
    return all;
  }();
  return families;
}

const std::vector<TopologyFamily>& topology_families() { return family_list(); }

void topology::add_family(const TopologyFamily& added) {
  std::vector<TopologyFamily>& all = family_list();
  all.insert(std::upper_bound(all.begin(), all.end(), added, listed_before), added);
}

TopologyPtr topology_of(const TopologyFamily& family, Rank ranks) {
  const std::string arguments = family.shape != nullptr ? family.shape(ranks) : std::string();
  return arguments.empty() ? nullptr : family.make(arguments);
}

const TopologyFamily* find_topology_family(std::string_view name) {
  for (const TopologyFamily& family : topology_families())
    if (family.name == name || std::find(family.also.begin(), family.also.end(), name) != family.also.end())
      return &family;
  return nullptr;
}

/// "torus:4x4", without changes behind it.
static TopologyPtr named_topology(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const TopologyFamily* family = find_topology_family(name);
  if (family == nullptr) {
    std::vector<std::string> known;
    for (const TopologyFamily& f : topology_families()) known.emplace_back(f.form);
    base::unknown_name("topology", name, "family", known);
  }
  const bool sized = family->form.find(':') != std::string_view::npos;
  if (sized == (colon == std::string_view::npos))
    throw Error(Error::Kind::argument, fmt::format("topology {}: {}; expected {}", base::quoted(text),
                                                   sized ? "a size is missing" : "it has no sizes", family->form));
  return family->make(sized ? text.substr(colon + 1) : std::string_view());
}

TopologyPtr parse_topology(std::string_view text) {
  const auto end = topology::changes_at(text);
  std::string_view network = text.substr(0, end);
  while (end < text.size() && network.ends_with(' ')) network.remove_suffix(1);
  return topology::changed(named_topology(network), text.substr(end), text);
}

}  // namespace quadrille
