// Networks of hosts and switches, for SLURM and as ibnetdiscover prints them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "base/text.hpp"
#include "cost/link_costs.hpp"
#include "formats/networks.hpp"

namespace quadrille::formats {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Hosts come first, then switches; wires are counted once, from the lower end.
struct Switched {
  Switched(const Topology& topology, std::string_view form) : ranks(topology.ranks()), vertices(topology.vertices()) {
    constexpr std::int64_t most = std::int64_t{1} << 20;
    if (topology.direct() || !topology.structure().routed || vertices == ranks)
      throw Error(Error::Kind::illegal, fmt::format("{} has no switches by name, and {} is made of them; expected such "
                                                    "as fattree:4, xgft, dragonfly or graph",
                                                    topology.text(), form));
    if (topology.links() > most)
      throw Error(Error::Kind::budget, fmt::format("{} links; expected at most {}", topology.links(), most));
    wires.resize(at(vertices));
    for (Link l = 0; l < topology.links(); ++l)
      if (topology.tail(l) >= 0) wires[at(topology.tail(l))].emplace_back(topology.head(l), l);
  }
  bool is_host(std::int64_t v) const { return v < ranks; }
  Rank ranks;
  std::int64_t vertices;
  std::vector<std::vector<std::pair<std::int64_t, Link>>> wires;
};

/// Links from the nearest host.
std::vector<int> levels_of(const Switched& net) {
  std::vector<int> level(at(net.vertices), -1);
  std::vector<std::int64_t> queue;
  for (std::int64_t v = 0; v < net.ranks; ++v) level[at(v)] = 0, queue.push_back(v);
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const auto& [other, link] : net.wires[at(queue[i])])
      if (level[at(other)] < 0) level[at(other)] = level[at(queue[i])] + 1, queue.push_back(other);
  return level;
}

/// Switches of one level that share a child are one switch of the tree.
class Merged {
 public:
  explicit Merged(const Switched& net) : level_(levels_of(net)), group_(at(net.vertices)) {
    std::iota(group_.begin(), group_.end(), 0);
    for (std::int64_t v = 0; v < net.vertices; ++v) {
      std::int64_t first = -1;
      for (const auto& [other, link] : net.wires[at(v)]) {
        if (level_[at(other)] == level_[at(v)] && !net.is_host(v)) join(v, other);
        if (level_[at(other)] <= level_[at(v)]) continue;
        if (first >= 0) join(first, other);
        first = other;
      }
    }
    // What is merged below may join what is above it.
    for (bool changed = true; changed;) {
      changed = false;
      std::map<std::int64_t, std::int64_t> parents;
      for (std::int64_t v = 0; v < net.vertices; ++v)
        for (const auto& [other, link] : net.wires[at(v)])
          if (level_[at(other)] > level_[at(v)]) {
            const auto [found, is_new] = parents.try_emplace(find(v), find(other));
            if (!is_new && find(found->second) != find(other)) join(found->second, other), changed = true;
          }
    }
  }
  std::int64_t find(std::int64_t v) {
    while (group_[at(v)] != v) v = group_[at(v)] = group_[at(group_[at(v)])];
    return v;
  }
  int level(std::int64_t v) const { return level_[at(v)]; }

 private:
  void join(std::int64_t a, std::int64_t b) {
    a = find(a), b = find(b);
    group_[at(std::max(a, b))] = std::min(a, b);
  }
  std::vector<int> level_;
  std::vector<std::int64_t> group_;
};

/// "n[0-3,8]", of increasing numbers.
std::string list_of(std::string_view letter, const std::set<std::int64_t>& numbers) {
  std::string ranges;
  for (auto it = numbers.begin(); it != numbers.end();) {
    const std::int64_t first = *it;
    std::int64_t last = first;
    for (++it; it != numbers.end() && *it == last + 1; ++it) last = *it;
    ranges += fmt::format("{}{}", ranges.empty() ? "" : ",", first);
    if (last > first) ranges += fmt::format("-{}", last);
  }
  return numbers.size() == 1 ? fmt::format("{}{}", letter, ranges) : fmt::format("{}[{}]", letter, ranges);
}

/// InfiniBand's rates of four lanes, in bytes a second a direction.
constexpr std::pair<double, std::string_view> rates[] = {{1e9, "4xSDR"},   {2e9, "4xDDR"},    {4e9, "4xQDR"},
                                                         {6.8e9, "4xFDR"}, {12.5e9, "4xEDR"}, {25e9, "4xHDR"},
                                                         {50e9, "4xNDR"},  {100e9, "4xXDR"}};
std::string_view rate_of(double bytes) {
  std::string_view nearest = rates[0].second;
  double best = 1e300;
  for (const auto& [rate, name] : rates)
    if (const double off = std::abs(std::log(bytes / rate)); off < best) best = off, nearest = name;
  return nearest;
}

}  // namespace

std::string slurm_topology(const Topology& topology, const Machine&) {
  const Switched net(topology, "topology.conf");
  Merged merged(net);
  std::map<std::int64_t, std::set<std::int64_t>> nodes, children;
  std::set<std::int64_t> switches;
  for (std::int64_t v = 0; v < net.vertices; ++v) {
    if (!net.is_host(v)) switches.insert(merged.find(v));
    for (const auto& [other, link] : net.wires[at(v)])
      if (merged.level(other) > merged.level(v))
        (net.is_host(v) ? nodes : children)[merged.find(other)].insert(net.is_host(v) ? v : merged.find(v));
  }
  std::string text =
      fmt::format("# {}: switches that share a child are one; SLURM knows no bandwidths\n", topology.text());
  for (const std::int64_t s : switches) {
    const std::string name = fmt::format("s{}", s - net.ranks);
    if (nodes.contains(s))
      fmt::format_to(std::back_inserter(text), "SwitchName={} Nodes={}\n", name, list_of("n", nodes[s]));
    if (!children.contains(s)) continue;
    std::set<std::int64_t> below;
    for (const std::int64_t child : children[s]) below.insert(child - net.ranks);
    fmt::format_to(std::back_inserter(text), "SwitchName={} Switches={}\n", name, list_of("s", below));
  }
  return text;
}

std::string ibnetdiscover_text(const Topology& topology, const Machine& machine) {
  const Switched net(topology, "ibnetdiscover");
  const Machine plain = cost::by_fastest_link(machine, topology);
  if (!(plain.beta > 0))
    throw Error(Error::Kind::illegal,
                fmt::format("machine {} has links without a rate", base::quoted(machine.name, 60)));
  const cost::LinkCosts costs(plain, topology);
  std::map<Link, std::size_t> ports;
  for (const auto& wires : net.wires)
    for (std::size_t i = 0; i < wires.size(); ++i) ports[wires[i].second] = i + 1;
  const auto guid = [&](std::int64_t v) { return (net.is_host(v) ? 0x100000 : 0x200000) + 2 * v; };
  const auto name = [&](std::int64_t v) {
    return net.is_host(v) ? fmt::format("n{}", v) : fmt::format("s{}", v - net.ranks);
  };
  const auto id = [&](std::int64_t v) { return fmt::format("\"{}-{:016x}\"", net.is_host(v) ? 'H' : 'S', guid(v)); };
  std::string text = fmt::format("#\n# Topology file: {}, made by quadrille\n#\n", topology.text());
  for (std::int64_t v = net.vertices; v-- > 0;) {
    const auto& wires = net.wires[at(v)];
    const std::string_view kind = net.is_host(v) ? "ca" : "switch";
    fmt::format_to(std::back_inserter(text), "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x{:x}\n{}guid=0x{:x}{}\n", guid(v),
                   kind, guid(v), net.is_host(v) ? "" : fmt::format("({:x})", guid(v)));
    fmt::format_to(std::back_inserter(text), "{}\t{} {}\t\t# \"{}\"{}\n", net.is_host(v) ? "Ca" : "Switch",
                   wires.size(), id(v), name(v), net.is_host(v) ? "" : " base port 0 lid 0 lmc 0");
    for (std::size_t i = 0; i < wires.size(); ++i) {
      const auto& [other, link] = wires[i];
      const std::size_t port = ports.at(topology.reverse(link));
      const std::string_view rate = rate_of(1 / (plain.beta * costs.slowness(link)));
      const std::string peer =
          fmt::format("{}[{}]{}", id(other), port, net.is_host(other) ? fmt::format("({:x})", guid(other) + 1) : "");
      if (net.is_host(v))
        fmt::format_to(std::back_inserter(text), "[{}]({:x}) \t{}\t\t# lid 0 lmc 0 \"{}\" lid 0 {}\n", i + 1,
                       guid(v) + 1, peer, name(other), rate);
      else
        fmt::format_to(std::back_inserter(text), "[{}]\t{} \t\t# \"{}\" lid 0 {}\n", i + 1, peer, name(other), rate);
    }
  }
  return text;
}

}  // namespace quadrille::formats
