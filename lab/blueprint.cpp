#include "blueprint.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"

namespace quadrille::lab {

namespace {

using Sources = std::map<std::pair<int, int>, std::set<int>>;  // [link from, to]: hosts whose messages cross it

/// Walks every route by its next hops.
Sources sources_by_route(const Wiring& w) {
  Sources sources;
  for (int from = 0; from < w.hosts; ++from)
    for (int to = 0; to < w.hosts; ++to)
      for (int at = from; at != to;) {
        const int next = w.next[static_cast<std::size_t>(at)][static_cast<std::size_t>(to)];
        sources[{at, next}].insert(from);
        at = next;
      }
  return sources;
}

Sources sources_by_switch(const Wiring& w) {
  Sources sources;
  for (int host = 0; host < w.hosts; ++host)
    for (int other = 0; other < w.hosts; ++other)
      if (other != host) {
        sources[{host, w.hosts}].insert(host);
        sources[{w.hosts, other}].insert(host);
      }
  return sources;
}

std::vector<int> listed(const std::set<int>& set) { return {set.begin(), set.end()}; }

std::string device_to(int node) { return fmt::format("to{}", node); }

/// A wire's end in the namespace of one node: "02:77" marks an address as locally made.
std::string hardware_address(int node, int peer) {
  return fmt::format("02:77:{:02x}:{:02x}:{:02x}:{:02x}", node >> 8, node & 255, peer >> 8, peer & 255);
}

void add_shapers(Blueprint& blueprint) {
  const Wiring& w = blueprint.wiring;
  if (w.medium == Medium::bus) {
    std::vector<int> all;
    for (int host = 0; host < w.hosts; ++host) all.push_back(host);
    blueprint.nodes.back().shapers.push_back({"bus", blueprint.options.rate, all});
    return;
  }
  Sources sources = w.medium == Medium::wires ? sources_by_route(w) : sources_by_switch(w);
  for (std::size_t i = 0; i < w.wires.size(); ++i) {
    const auto [a, b, trunk] = w.wires[i];
    const Rate rate = blueprint.rates[i];
    blueprint.nodes[static_cast<std::size_t>(a)].shapers.push_back({device_to(b), rate, listed(sources[{a, b}])});
    blueprint.nodes[static_cast<std::size_t>(b)].shapers.push_back({device_to(a), rate, listed(sources[{b, a}])});
  }
}

}  // namespace

Rate parse_rate(std::string_view text) {
  constexpr Rate least = 64'000, most = 10'000'000'000;
  static constexpr std::array<std::pair<std::string_view, double>, 3> units{
      {{"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}}};
  for (const auto& [unit, factor] : units)
    if (text.size() > unit.size() && text.ends_with(unit)) {
      const double rate = factor * base::parse_number(text.substr(0, text.size() - unit.size()), "rate");
      if (!(rate >= least && rate <= most)) break;
      return std::llround(rate);
    }
  throw Error(Error::Kind::argument,
              fmt::format("rate {}: expected 64kbit to 10gbit, such as 20mbit", base::quoted(text)));
}

std::string format_rate(Rate rate) {
  if (rate % 1'000'000 == 0) return fmt::format("{}mbit", rate / 1'000'000);
  if (rate % 1'000 == 0) return fmt::format("{}kbit", rate / 1'000);
  return fmt::format("{}bit", rate);
}

std::string address(int host) { return fmt::format("10.77.{}.{}", (host + 1) / 256, (host + 1) % 256); }

std::string node_label(const Wiring& wiring, int node) {
  return node < wiring.hosts ? fmt::format("{}", node) : fmt::format("s{}", node - wiring.hosts);
}

int parse_node(const Blueprint& blueprint, std::string_view text) {
  const Wiring& w = blueprint.wiring;
  for (int node = 0; node < w.nodes(); ++node)
    if (text == node_label(w, node) || text == blueprint.nodes[static_cast<std::size_t>(node)].name) return node;
  throw Error(Error::Kind::argument,
              fmt::format("host {}: expected 0 to {}{}", base::quoted(text), w.hosts - 1,
                          w.switches == 0 ? "" : fmt::format(", or a switch, s0 to s{}", w.switches - 1)));
}

Blueprint draw(Wiring wiring, const Options& options, std::string_view prefix, std::vector<Rate> rates) {
  Blueprint blueprint{.wiring = std::move(wiring), .options = options, .rates = std::move(rates), .nodes = {}};
  const Wiring& w = blueprint.wiring;
  for (int node = 0; node < w.nodes(); ++node)
    blueprint.nodes.push_back({fmt::format("{}{}", prefix, node_label(w, node)), {}, {}, {}});
  if (blueprint.rates.empty())
    for (const Wire& wire : w.wires)
      blueprint.rates.push_back(wire.trunk && options.trunk > 0 ? options.trunk : options.rate);
  for (const Wire& wire : w.wires) {
    blueprint.nodes[static_cast<std::size_t>(wire.a)].ports.push_back({device_to(wire.b), wire.b});
    blueprint.nodes[static_cast<std::size_t>(wire.b)].ports.push_back({device_to(wire.a), wire.a});
  }
  for (int node = 0; node < static_cast<int>(w.next.size()); ++node)
    for (int to = 0; to < w.hosts; ++to)
      if (to != node)
        blueprint.nodes[static_cast<std::size_t>(node)].routes.push_back(
            {to, w.next[static_cast<std::size_t>(node)][static_cast<std::size_t>(to)]});
  add_shapers(blueprint);
  return blueprint;
}

std::string namespaces_batch(const Blueprint& blueprint) {
  std::string batch;
  for (const Node& node : blueprint.nodes) batch += fmt::format("netns add {}\n", node.name);
  return batch;
}

std::string wires_batch(const Blueprint& blueprint) {
  std::string batch;
  for (const auto& [a, b, trunk] : blueprint.wiring.wires)
    batch += fmt::format("link add {} netns {} mtu {} address {} type veth peer name {} netns {} mtu {} address {}\n",
                         device_to(b), blueprint.nodes[static_cast<std::size_t>(a)].name, blueprint.options.mtu,
                         hardware_address(a, b), device_to(a), blueprint.nodes[static_cast<std::size_t>(b)].name,
                         blueprint.options.mtu, hardware_address(b, a));
  return batch;
}

std::string inside_batch(const Blueprint& blueprint, int number) {
  const Wiring& w = blueprint.wiring;
  const Node& node = blueprint.nodes[static_cast<std::size_t>(number)];
  const bool host = number < w.hosts, bridged = w.medium != Medium::wires;
  std::string batch = "link set lo up\n";
  if (host)  // an address that is not any wire's, on a device that is up: some MPIs skip the loopback device
    batch += fmt::format(
        "link add id0 mtu {0} type veth peer name id1 mtu {0}\nlink set id1 up\nlink set id0 up\n"
        "addr add {1}/32 dev id0\n",
        blueprint.options.mtu, address(number));
  if (!host && bridged) {
    batch += "link add br0 type bridge\nlink set br0 up\n";
    for (const Port& port : node.ports) batch += fmt::format("link set {} master br0\n", port.device);
  }
  if (!host && w.medium == Medium::bus) batch += "link add bus type ifb\nlink set bus up\n";
  for (const Port& port : node.ports) {
    // Packets as they are on the wire: bundles of many would break the turns that shapers give.
    batch += fmt::format("link set {} up gso_max_segs 1\n", port.device);
    if (!bridged)
      batch += fmt::format("neigh replace {} lladdr {} dev {} nud permanent\n", address(port.peer),
                           hardware_address(port.peer, number), port.device);
  }
  const std::string source = host ? fmt::format(" src {}", address(number)) : "";
  for (const Route& route : node.routes)
    batch += fmt::format("route add {}/32 via {} dev {} onlink{} rto_min 2s\n", address(route.to), address(route.via),
                         device_to(route.via), source);
  if (host && bridged) {
    batch += fmt::format("route add {} dev {} scope link{} rto_min 2s\n", all_addresses, device_to(w.hosts), source);
    for (int other = 0; other < w.hosts; ++other)
      if (other != number)
        batch += fmt::format("neigh replace {} lladdr {} dev {} nud permanent\n", address(other),
                             hardware_address(other, w.hosts), device_to(w.hosts));
  }
  return batch;
}

std::vector<std::pair<std::string, std::string>> kernel_settings(const Options& options) {
  return {{"ipv6/conf/all/disable_ipv6", "1"},
          {"ipv6/conf/default/disable_ipv6", "1"},
          {"ipv4/ip_forward", "1"},
          {"ipv4/conf/all/rp_filter", "0"},
          {"ipv4/conf/default/rp_filter", "0"},
          {"ipv4/conf/all/send_redirects", "0"},
          {"ipv4/conf/default/send_redirects", "0"},
          {"ipv4/tcp_congestion_control", options.congestion},
          {"ipv4/tcp_slow_start_after_idle", "0"},
          {"ipv4/tcp_no_metrics_save", "1"},
          {"ipv4/tcp_early_retrans", "0"}};
}

}  // namespace quadrille::lab
