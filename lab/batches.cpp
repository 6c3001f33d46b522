// What `ip` is told: namespaces, wires, addresses and routes.
#include <fmt/format.h>

#include <algorithm>

#include "blueprint.hpp"

namespace quadrille::lab {

namespace {

/// A wire's end in the namespace of one node: "02:77" marks an address as locally made. Nodes and wires between two
/// of them are fewer than 256.
std::string hardware_address(int node, int peer, int which) {
  return fmt::format("02:77:{:02x}:{:02x}:{:02x}:{:02x}", which - 1, node, peer >> 8, peer & 255);
}

bool is_host(const Blueprint& blueprint, int node) { return node < blueprint.wiring.hosts; }

/// Neighbours and routes of a host at the one switch.
std::string ways_at_switch(const Blueprint& blueprint, int host) {
  const Wiring& w = blueprint.wiring;
  const std::string& device = blueprint.nodes[static_cast<std::size_t>(host)].ports.front().device;
  std::string batch =
      fmt::format("route replace {} dev {} scope link src {} rto_min 2s\n", all_addresses, device, address(host));
  for (int other = 0; other < w.hosts; ++other)
    if (other != host)
      batch += fmt::format("neigh replace {} lladdr {} dev {} nud permanent\n", address(other),
                           hardware_address(other, w.hosts, 1), device);
  return batch;
}

/// Packets as they are on the wire: bundles of many would break the turns that shapers give.
std::string device_up(const std::string& device) { return fmt::format("link set {} up gso_max_segs 1\n", device); }

}  // namespace

std::string namespaces_batch(const Blueprint& blueprint) {
  std::string batch;
  for (const Node& node : blueprint.nodes) batch += fmt::format("netns add {}\n", node.name);
  return batch;
}

std::string wires_batch(const Blueprint& blueprint) {
  std::string batch;
  const auto end = [&](int node, int wire) {
    const Node& n = blueprint.nodes[static_cast<std::size_t>(node)];
    const auto port = std::find_if(n.ports.begin(), n.ports.end(), [&](const Port& p) { return p.wire == wire; });
    return fmt::format(
        "{} netns {} mtu {} address {}", port->device, n.name, blueprint.options.mtu,
        hardware_address(node, port->peer, blueprint.wiring.wires[static_cast<std::size_t>(wire)].which));
  };
  for (int i = 0; i < static_cast<int>(blueprint.wiring.wires.size()); ++i) {
    const Wire& wire = blueprint.wiring.wires[static_cast<std::size_t>(i)];
    batch += fmt::format("link add {} type veth peer name {}\n", end(wire.a, i), end(wire.b, i));
  }
  return batch;
}

std::string inside_batch(const Blueprint& blueprint, int number) {
  const Wiring& w = blueprint.wiring;
  const Node& node = blueprint.nodes[static_cast<std::size_t>(number)];
  const bool host = is_host(blueprint, number);
  std::string batch = "link set lo up\n";
  if (host)  // an address that is not any wire's, on a device that is up: some MPIs skip the loopback device
    batch += fmt::format(
        "link add id0 mtu {0} type veth peer name id1 mtu {0}\nlink set id1 up\nlink set id0 up\n"
        "addr add {1}/32 dev id0\n",
        blueprint.options.mtu, address(number));
  if (!host && w.medium != Medium::wires) {
    batch += "link add br0 type bridge\nlink set br0 up\n";
    for (const Port& port : node.ports) batch += fmt::format("link set {} master br0\n", port.device);
  }
  if (!host && w.medium == Medium::bus) batch += "link add bus type ifb\nlink set bus up\n";
  for (const Port& port : node.ports) batch += device_up(port.device);
  return batch + ways_batch(blueprint, number);
}

std::string ways_batch(const Blueprint& blueprint, int number) {
  const Wiring& w = blueprint.wiring;
  const Node& node = blueprint.nodes[static_cast<std::size_t>(number)];
  const bool host = is_host(blueprint, number);
  const auto works = [&](const Port& port) { return !blueprint.changes.failed.contains(port.wire); };
  if (w.medium != Medium::wires)
    return host && works(node.ports.front()) ? ways_at_switch(blueprint, number) : std::string();
  std::string batch;
  for (const Port& port : node.ports)
    if (works(port))
      batch += fmt::format("neigh replace {} lladdr {} dev {} nud permanent\n", address(port.peer),
                           hardware_address(port.peer, number, w.wires[static_cast<std::size_t>(port.wire)].which),
                           port.device);
  const std::string source = host ? fmt::format(" src {}", address(number)) : "";
  for (const Route& route : node.routes) {
    const auto port =
        std::find_if(node.ports.begin(), node.ports.end(), [&](const Port& p) { return p.device == route.device; });
    if (works(*port))
      batch += fmt::format("route replace {}/32 via {} dev {} onlink{} rto_min 2s\n", address(route.to),
                           address(route.via), route.device, source);
  }
  return batch;
}

std::string switching_batch(const Blueprint& blueprint, int number, const std::set<int>& wires, bool up) {
  std::string batch;
  for (const Port& port : blueprint.nodes[static_cast<std::size_t>(number)].ports)
    if (wires.contains(port.wire))
      batch += up ? device_up(port.device) : fmt::format("link set {} down\n", port.device);
  return batch;
}

}  // namespace quadrille::lab
