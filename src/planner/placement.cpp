#include "quadrille/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "base/toml.hpp"
#include "collective/traits.hpp"
#include "files/file.hpp"
#include "planner/placed_demands.hpp"
#include "schedule/combine.hpp"
#include "topology/hosts/node_list.hpp"

namespace quadrille {

namespace {

constexpr std::size_t most_hosts_shown = 3;

std::vector<Rank> inverse(const std::vector<Rank>& nodes) {
  std::vector<Rank> ranks(nodes.size());
  for (std::size_t r = 0; r < nodes.size(); ++r) ranks[static_cast<std::size_t>(nodes[r])] = static_cast<Rank>(r);
  return ranks;
}

/// Every node once; in order is as good as none told.
Placement with_nodes(Placement placement, std::vector<Rank> nodes, std::string_view where) {
  const Topology& t = *placement.topology;
  const auto refuse = [&](const std::string& why) {
    throw Error(
        Error::Kind::argument,
        fmt::format("{}: {}; expected every node of {} once, the nodes of ranks 0, 1, ...", where, why, t.text()));
  };
  if (t.nodes() != t.ranks())
    throw Error(Error::Kind::argument,
                fmt::format("{}: {} has a node that is no rank; its ranks cannot be placed", where, t.text()));
  if (static_cast<Rank>(nodes.size()) != t.ranks())
    refuse(fmt::format("{} nodes for {} ranks", nodes.size(), t.ranks()));
  std::vector<bool> taken(nodes.size(), false);
  for (const Rank node : nodes) {
    if (node < 0 || node >= t.ranks()) refuse(fmt::format("there is no node {}", node));
    if (taken[static_cast<std::size_t>(node)]) refuse(fmt::format("node {} has two ranks", node));
    taken[static_cast<std::size_t>(node)] = true;
  }
  if (!std::is_sorted(nodes.begin(), nodes.end())) placement.nodes = std::move(nodes);
  return placement;
}

bool is_topology(std::string_view text) {
  const auto colon = text.find(':');
  return colon != std::string_view::npos && find_topology_family(text.substr(0, colon)) != nullptr;
}

class File {
 public:
  File(std::string_view text, const std::string& where)
      : name_(fmt::format("topology file {}", base::quoted(where, 200))),
        table_(base::parse_toml(text, where, name_)) {}

  Placement read() const {
    for (const auto& [key, node] : table_)
      if (key != "topology" && key != "nodes" && key != "hosts")
        base::unknown_name(fmt::format("{}, line {}: key", name_, key.source().begin.line), key.str(), "key",
                           {"topology", "nodes", "hosts"});
    const auto topology = table_["topology"].value<std::string>();
    if (!topology) refuse("topology is missing or no text; expected topology = \"torus:4x4\"");
    Placement placement{.topology = parse_topology(*topology)};
    if (table_.contains("nodes") && table_.contains("hosts")) refuse("nodes and hosts; expected one of them");
    if (table_.contains("nodes"))
      return with_nodes(placement, list<std::int64_t>("nodes", "numbers: nodes = [0, 1, 3, 2]"), name_ + ": nodes");
    if (!table_.contains("hosts")) return placement;
    for (const std::string& entry : list<std::string>("hosts", "names in quotes: hosts = [\"a\", \"b\"]"))
      add(entry, placement.hosts);
    if (static_cast<Rank>(placement.hosts.size()) != placement.topology->nodes())
      refuse(fmt::format("{} hosts; {} has {} nodes", placement.hosts.size(), *topology, placement.topology->nodes()));
    return placement;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(Error::Kind::format, fmt::format("{}: {}", name_, why));
  }
  /// A name, or those of a list of SLURM's: n[01-03,07].
  void add(const std::string& entry, std::vector<std::string>& hosts) const {
    if (!topology::is_node_list(entry)) return hosts.push_back(entry);
    const auto refuse_list = [&](const std::string& expected) {
      refuse(fmt::format("hosts: list {}: expected {}", base::quoted(entry, 100), expected));
    };
    for (std::string& name : topology::node_list(entry, refuse_list)) hosts.push_back(std::move(name));
  }
  template <class Value>
  std::vector<Value> list(std::string_view key, std::string_view expected) const {
    std::vector<Value> values;
    const toml::array* const array = table_[key].as_array();
    if (array == nullptr) refuse(fmt::format("{}: expected a list of {}", key, expected));
    for (const toml::node& node : *array) {
      const auto value = node.value_exact<Value>();
      if (!value) refuse(fmt::format("{}: expected a list of {}", key, expected));
      values.push_back(*value);
    }
    return values;
  }

  std::string name_;
  toml::table table_;
};

/// A schedule of nodes as that of the ranks on them, also where blocks are numbered by source and not by rank.
class ForRanks final : public Schedule {
 public:
  ForRanks(SchedulePtr base, const Placement& placement, std::vector<Slot> sources)
      : base_(std::move(base)), renamed_(schedule::relabel(base_, renaming(placement))), sources_(std::move(sources)) {}
  const Shape& shape() const override { return base_->shape(); }
  void step(Round t, Rank r, Steps& out) const override { renamed_->step(t, r, out); }
  Rounds active(Rank r) const override { return renamed_->active(r); }
  bool barrier(Round t) const override { return base_->barrier(t); }
  Slot block(Buffer b, Slot label, Slot piece) const override {
    if (sources_.empty()) return renamed_->block(b, label, piece);
    const Slot inner = base_->block(b, label, piece);
    return b == Buffer::out ? sources_[static_cast<std::size_t>(inner)] : inner;
  }

 private:
  static schedule::Renaming renaming(const Placement& placement) {
    return {[ranks = inverse(placement.nodes)](Rank node) { return ranks[static_cast<std::size_t>(node)]; },
            [nodes = placement.nodes](Rank rank) { return nodes[static_cast<std::size_t>(rank)]; }};
  }

  SchedulePtr base_, renamed_;
  std::vector<Slot> sources_;  ///< of every source among the nodes', its number among the ranks'
};

bool applies(const Placement& placement, const Spec& spec) {
  return placement.moves() && spec.topology->text() == placement.topology->text();
}

/// "a.example.org" is called "a", too.
bool is_called(std::string_view host, std::string_view name) {
  return host == name || (host.starts_with(name) && host[name.size()] == '.');
}

}  // namespace

std::string Placement::text() const {
  return moves() ? fmt::format("{}@{}", topology->text(), base::join(nodes, ",")) : topology->text();
}

/// As many numbers as there are ranks say where each is; fewer are the hosts of a job, a network of its own.
Placement parse_placement(std::string_view text) {
  const auto at = text.rfind('@');
  const std::string_view list = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  if (at == std::string_view::npos || list.find_first_not_of("0123456789,") != std::string_view::npos)
    return {.topology = parse_topology(text)};
  Placement placement{.topology = parse_topology(text.substr(0, at))};
  const std::vector<std::string_view> numbers = base::split(list, ',');
  if (!list.empty() && std::ssize(numbers) < placement.topology->ranks()) return {.topology = parse_topology(text)};
  const std::string where = "topology " + base::quoted(text);
  std::vector<Rank> nodes;
  for (const std::string_view number : numbers)
    nodes.push_back(base::parse_integer(number, 0, placement.topology->nodes() - 1, where + ": node"));
  return with_nodes(std::move(placement), std::move(nodes), where);
}

Placement parse_placement_file(std::string_view toml, const std::string& where) { return File(toml, where).read(); }

Placement load_placement(const std::string& text_or_path) {
  std::error_code ignored;
  const bool is_path = text_or_path.find('/') != std::string::npos || text_or_path.ends_with(".toml") ||
                       std::filesystem::exists(text_or_path, ignored);
  if (is_topology(text_or_path) || !is_path) return parse_placement(text_or_path);
  return parse_placement_file(files::read_file(text_or_path, base::most_toml_bytes, "topology file"), text_or_path);
}

Placement resolved(Placement placement, const std::vector<std::string>& host_of_rank) {
  if (placement.hosts.empty()) return placement;
  const std::vector<std::string> hosts = std::move(placement.hosts);
  placement.hosts.clear();
  std::vector<bool> taken(hosts.size(), false);
  std::vector<Rank> nodes;
  for (std::size_t r = 0; r < host_of_rank.size(); ++r) {
    std::size_t node = 0;
    while (node < hosts.size() && (taken[node] || !is_called(host_of_rank[r], hosts[node]))) ++node;
    if (node == hosts.size()) {
      const std::vector<std::string> some(
          hosts.begin(), hosts.begin() + static_cast<std::ptrdiff_t>(std::min(hosts.size(), most_hosts_shown)));
      throw Error(Error::Kind::argument,
                  fmt::format("rank {} runs on {}, which has no more node in the topology file; its hosts are {}{}", r,
                              base::quoted(host_of_rank[r]), base::quoted(base::join(some, ", "), 200),
                              hosts.size() > some.size() ? ", ..." : ""));
    }
    taken[node] = true;
    nodes.push_back(static_cast<Rank>(node));
  }
  return with_nodes(std::move(placement), std::move(nodes), "hosts of the topology file");
}

Spec on_nodes(const Spec& spec, const Placement& placement) {
  if (!applies(placement, spec)) return spec;
  return collective::traits(spec).placed(spec, [&](Rank r) { return placement.node(r); });
}

Spec on_crossbar_if_refused(Spec spec, const Placement& placement) {
  if (!applies(placement, spec)) return spec;
  try {
    on_nodes(spec, placement);
  } catch (const Error& refused) {
    if (refused.kind() != Error::Kind::illegal) throw;
    spec.topology = parse_topology(fmt::format("crossbar:{}", spec.ranks()));
  }
  return spec;
}

SchedulePtr for_ranks(SchedulePtr schedule, const Spec& spec, const Placement& placement) {
  if (!applies(placement, spec)) return schedule;
  std::vector<Slot> sources;
  if (spec.sources) {
    const std::vector<Rank> ranks = inverse(placement.nodes);
    const Spec on = on_nodes(spec, placement);
    for (const Rank node : on.sources->ranks)
      sources.push_back(spec.sources->find(ranks[static_cast<std::size_t>(node)]));
  }
  SchedulePtr for_ranks = std::make_shared<ForRanks>(std::move(schedule), placement, std::move(sources));
  if (!spec.demands) return for_ranks;
  return planner::in_order_of_ranks(std::move(for_ranks), spec.demands, on_nodes(spec, placement).demands,
                                    placement.nodes);
}

SchedulePtr between_nodes(SchedulePtr schedule, const Placement& placement) {
  if (!placement.moves()) return schedule;
  return schedule::relabel(
      std::move(schedule),
      {[nodes = placement.nodes](Rank rank) { return nodes[static_cast<std::size_t>(rank)]; },
       [ranks = inverse(placement.nodes)](Rank node) { return ranks[static_cast<std::size_t>(node)]; }});
}

}  // namespace quadrille
