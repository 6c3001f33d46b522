#include "topology/graph/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/text.hpp"
#include "topology/graph/existing.hpp"
#include "topology/graph/graph.hpp"
#include "topology/graph/job.hpp"
#include "topology/graph/nodes.hpp"
#include "topology/hosts/node_list.hpp"

namespace quadrille::topology {

namespace {

constexpr std::string_view signs = "!@~*", routes_word = ":routes=";

[[noreturn]] void refuse(std::string_view all, const std::string& why) {
  throw Error(Error::Kind::argument, fmt::format("topology {}: {}", base::quoted(all, 200), why));
}

/// Vertices by name.
class Names {
 public:
  Names(const Network& network, std::string_view all) : network_(network), all_(all) {
    for (std::int64_t v = 0; v < network.vertices; ++v)
      vertices_.emplace(network.name(v), static_cast<std::int32_t>(v));
  }

  std::optional<std::int32_t> find(std::string_view name) const {
    const auto found = vertices_.find(std::string(name));
    return found == vertices_.end() ? std::nullopt : std::optional(found->second);
  }

  /// "0", "g1", "4-7" where names are numbers, or "n[01-03,07]" as SLURM has it.
  std::vector<std::int32_t> list(std::string_view text) const {
    std::vector<std::int32_t> all;
    for (const std::string_view raw : list_entries(text)) {
      const std::string_view entry = base::trimmed(raw);
      if (is_node_list(entry)) {
        const auto refuse_list = [&](const std::string& expected) {
          refuse(all_, fmt::format("list {}: expected {}", base::quoted(entry, 100), expected));
        };
        for (const std::string& name : node_list(entry, refuse_list)) {
          const auto vertex = find(name);
          if (!vertex) no_vertex(name, "expected names of its nodes");
          all.push_back(*vertex);
        }
        continue;
      }
      if (const auto vertex = find(entry)) {
        all.push_back(*vertex);
        continue;
      }
      const auto dash = entry.find('-');
      const auto first = find(entry.substr(0, dash));
      const auto last = dash == std::string_view::npos ? first : find(entry.substr(dash + 1));
      if (!first || !last || *last < *first) no_vertex(entry, "expected names or numbers of its nodes, as in 0,1,4-7");
      for (std::int32_t v = *first; v <= *last; ++v) all.push_back(v);
    }
    std::vector<std::int32_t> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      refuse(all_, fmt::format("{} stands twice in a list; expected every node once", network_.name(*twice)));
    return all;
  }

  [[noreturn]] void no_vertex(std::string_view entry, std::string_view expected) const {
    refuse(all_, fmt::format("there is no {}; {}", base::quoted(entry), expected));
  }

  /// The two names in "a-b"; names may have a '-' of their own.
  std::pair<std::int32_t, std::int32_t> ends(std::string_view entry) const {
    for (auto dash = entry.find('-'); dash != std::string_view::npos; dash = entry.find('-', dash + 1)) {
      const auto a = find(entry.substr(0, dash)), b = find(entry.substr(dash + 1));
      if (a && b) return {*a, *b};
    }
    no_vertex(entry, "expected what has failed: a link such as 0-1, the second of several as 0-1#2, or a node as n5");
  }

 private:
  const Network& network_;
  std::string_view all_;
  std::unordered_map<std::string, std::int32_t> vertices_;
};

/// The network without some vertices; ranks and the others keep their order.
Network without(const Network& network, const std::vector<bool>& gone, std::string_view all) {
  std::vector<std::int32_t> order;
  Rank ranks = 0;
  for (std::int64_t v = 0; v < network.vertices; ++v) {
    if (gone[at(v)]) continue;
    order.push_back(static_cast<std::int32_t>(v));
    ranks += v < network.ranks;
  }
  if (ranks == 0) refuse(all, "no host is left; expected at least one");
  return renumbered(network, order, ranks);
}

void fail_link(Network& network, const Names& names, std::string_view entry, std::string_view all) {
  const auto hash = entry.find('#');
  const auto [a, b] = names.ends(entry.substr(0, hash));
  const auto joins = [a = a, b = b](const Wire& w) { return (w.a == a && w.b == b) || (w.a == b && w.b == a); };
  const std::int64_t several = std::count_if(network.wires.begin(), network.wires.end(), joins);
  if (several == 0)
    refuse(all, fmt::format("no link joins the two of {}, or it has failed before; expected two nodes that one joins",
                            base::quoted(entry)));
  if (hash == std::string_view::npos) {
    std::erase_if(network.wires, joins);
    return;
  }
  const std::int64_t which = base::parse_integer(entry.substr(hash + 1), 1, several,
                                                 fmt::format("number of the link {}", base::quoted(entry)));
  std::int64_t seen = 0;
  network.wires.erase(std::find_if(network.wires.begin(), network.wires.end(),
                                   [&](const Wire& w) { return joins(w) && ++seen == which; }));
}

Network failed(Network network, std::string_view entries, std::string_view all) {
  const Names names(network, all);
  std::vector<bool> gone(at(network.vertices), false);
  bool any_gone = false;
  for (const std::string_view raw : base::split(entries, ',')) {
    const std::string_view entry = base::trimmed(raw);
    auto node = names.find(entry);
    if (!node && entry.starts_with('n')) node = names.find(entry.substr(1));
    if (node)
      gone[at(*node)] = any_gone = true;
    else
      fail_link(network, names, entry, all);
  }
  return any_gone ? without(network, gone, all) : network;
}

TopologyPtr routed_by(const TopologyPtr& t, std::string_view word, std::string_view all) {
  const auto* const routed = dynamic_cast<const Routed*>(t.get());
  if (routed != nullptr && routed->routing() == word) return t;
  const std::string own = routed == nullptr ? "" : fmt::format(", {}", routed->routing());
  const std::optional<Routing> routing = routing_of(word);
  if (!routing)
    refuse(all, fmt::format("routes {}; expected shortest, updown, balanced, chosen{}", base::quoted(word), own));
  Network network = network_of(*t);
  network.drawing.like = t;
  network.routing = *routing;
  return make_graph(std::move(network), {"graph", fmt::format("{}{}{}", t->text(), routes_word, word), t->describe()});
}

/// Some of the ranks that share nodes, in this order; the others relay.
TopologyPtr some_ranks(const TopologyPtr& t, std::string_view operand, const std::string& text, std::string_view all) {
  if (t->vertices() > most_vertices)
    refuse(all, fmt::format("{} ranks and nodes; to take some ranks, expected at most 2^20", t->vertices()));
  const std::vector<std::int32_t> list = Names({.vertices = t->ranks(), .ranks = t->ranks()}, all).list(operand);
  if (std::ssize(list) == t->ranks())
    refuse(all, fmt::format("all ranks of {} are named; expected some of them, or none", t->text()));
  return make_job(t, list, text);
}

TopologyPtr change(const TopologyPtr& t, char sign, std::string_view operand, std::string_view all) {
  if (operand.empty())
    refuse(all,
           fmt::format("nothing stands behind {}; expected a list: !0-1 for failed links, @0,1,4 for the hosts of a "
                       "job, ~6,7 for hosts that are gone",
                       sign));
  const std::string text = fmt::format("{}{}{}", t->text(), sign, operand);
  if (sign == '@' && t->structure().per_node > 0) return some_ranks(t, operand, text, all);
  Network network = network_of(*t);
  network.drawing.like = t;
  if (sign == '!')
    return make_graph(failed(std::move(network), operand, all), {"graph", text, t->describe() + " with failures"});
  const std::vector<std::int32_t> list = Names(network, all).list(operand);
  if (sign == '@') {
    for (const std::int32_t v : list)
      if (v >= network.ranks) refuse(all, fmt::format("{} is no host; expected hosts behind @", network.name(v)));
    return make_job(with_existing_links(t), list, text);
  }
  std::vector<bool> gone(at(network.vertices), false);
  for (const std::int32_t v : list) gone[at(v)] = true;
  return make_graph(without(network, gone, all), {"graph", text, t->describe() + " without some hosts"});
}

}  // namespace

std::size_t changes_at(std::string_view text) {
  return std::min({text.find_first_of(signs), text.find(routes_word), text.size()});
}

TopologyPtr changed(TopologyPtr network, std::string_view changes, std::string_view all) {
  while (!changes.empty()) {
    const bool routes = changes.starts_with(routes_word);
    const std::string_view rest = changes.substr(routes ? routes_word.size() : 1);
    const auto end = changes_at(rest);
    const std::string_view operand = base::trimmed(rest.substr(0, end));
    network = routes                   ? routed_by(network, operand, all)
              : changes.front() == '*' ? with_ranks_on_nodes(network, operand, all)
                                       : change(network, changes.front(), operand, all);
    changes = rest.substr(end);
  }
  return network;
}

std::optional<std::string> without_failures(std::string_view text) {
  std::string whole(text.substr(0, changes_at(text)));
  bool any = false;
  for (std::string_view rest = text.substr(whole.size()); !rest.empty();) {
    const std::size_t sign = rest.starts_with(routes_word) ? routes_word.size() : 1;
    const std::size_t end = sign + changes_at(rest.substr(sign));
    if (rest.front() == '!')
      any = true;
    else
      whole += rest.substr(0, end);
    rest = rest.substr(end);
  }
  return any ? std::optional<std::string>(std::move(whole)) : std::nullopt;
}

}  // namespace quadrille::topology
