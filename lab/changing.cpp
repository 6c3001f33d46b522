// What happens to the wires of a lab while it is up: other rates, failures, and their end.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "lab.hpp"
#include "state.hpp"
#include "system.hpp"

namespace quadrille::lab {

namespace {

const std::string& name_of_node(const Lab& lab, int node) {
  return lab.blueprint.nodes[static_cast<std::size_t>(node)].name;
}

Blueprint redrawn(const Lab& lab, Changes changes) {
  return draw(parse_wiring(lab.blueprint.wiring.text), lab.blueprint.options, lab.prefix, std::move(changes));
}

void tell(const Lab& lab, std::string_view program, int node, const std::string& batch) {
  if (!batch.empty()) run({std::string(program), "-netns", name_of_node(lab, node), "-batch", "-"}, batch);
}

/// Makes the lab what the blueprint says, but for wires that fail or come back.
void adopt(Lab& lab, Blueprint blueprint) {
  std::swap(lab.blueprint, blueprint);
  for (int node = 0; node < lab.blueprint.wiring.nodes(); ++node) {
    tell(lab, "ip", node, ways_batch(lab.blueprint, node));
    tell(lab, "tc", node, reshaping_batch(lab.blueprint, blueprint, node));
  }
  save(lab);
}

void switch_wires(const Lab& lab, const std::set<int>& wires, bool up) {
  for (int node = 0; node < lab.blueprint.wiring.nodes(); ++node)
    tell(lab, "ip", node, switching_batch(lab.blueprint, node, wires, up));
}

/// The two nodes in "A-B"; names of namespaces have dashes of their own.
std::optional<std::pair<int, int>> nodes_named(const Blueprint& blueprint, std::string_view text) {
  for (auto dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
    const auto a = find_node(blueprint, text.substr(0, dash)), b = find_node(blueprint, text.substr(dash + 1));
    if (a && b) return std::pair(*a, *b);
  }
  return std::nullopt;
}

std::set<int> wires_between(const Wiring& w, int a, int b) {
  std::set<int> found;
  for (std::size_t i = 0; i < w.wires.size(); ++i)
    if (std::minmax({w.wires[i].a, w.wires[i].b}) == std::minmax({a, b})) found.insert(static_cast<int>(i));
  if (found.empty())
    throw Error(Error::Kind::argument, fmt::format("no wire joins {} and {}; 'quadrille-lab links' lists them",
                                                   node_label(w, a), node_label(w, b)));
  return found;
}

}  // namespace

void set_rate(Lab& lab, int a, int b, Rate rate) {
  const FolderLock lock(lab.folder);
  const Wiring& w = lab.blueprint.wiring;
  if (w.medium == Medium::bus)
    throw Error(Error::Kind::illegal, "a bus has one rate, that of all; take it down and up again with --rate");
  Changes changes = lab.blueprint.changes;
  for (const int wire : wires_between(w, a, b)) changes.rates[static_cast<std::size_t>(wire)] = rate;
  adopt(lab, redrawn(lab, std::move(changes)));
}

std::set<int> wires_named(const Blueprint& blueprint, std::string_view text) {
  const Wiring& w = blueprint.wiring;
  const auto hash = text.find('#');
  const auto nodes = nodes_named(blueprint, text.substr(0, hash));
  if (!nodes)
    throw Error(Error::Kind::argument,
                fmt::format("wire {}: expected two hosts or switches of this lab, as in {}, or the second of several "
                            "between them, as in {}#2",
                            base::quoted(text), wire_name(w, w.wires.front()), wire_name(w, w.wires.front())));
  const std::set<int> all = wires_between(w, nodes->first, nodes->second);
  if (hash == std::string_view::npos) return all;
  const auto which = base::parse_integer(text.substr(hash + 1), 1, std::ssize(all), "number of the wire");
  return {*std::next(all.begin(), which - 1)};
}

void fail(Lab& lab, const std::set<int>& wires, bool keep_routes) {
  const FolderLock lock(lab.folder);
  Changes changes = lab.blueprint.changes;
  changes.failed.insert(wires.begin(), wires.end());
  if (!keep_routes) changes.avoided = changes.failed;
  Blueprint blueprint = redrawn(lab, std::move(changes));  // refuses before anything happens
  switch_wires(lab, wires, false);
  adopt(lab, std::move(blueprint));
}

void restore(Lab& lab, const std::set<int>& wires) {
  const FolderLock lock(lab.folder);
  Changes changes = lab.blueprint.changes;
  for (const int wire : wires) changes.failed.erase(wire), changes.avoided.erase(wire);
  Blueprint blueprint = redrawn(lab, std::move(changes));
  switch_wires(lab, wires, true);
  adopt(lab, std::move(blueprint));
}

}  // namespace quadrille::lab
