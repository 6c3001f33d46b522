#include "blueprint.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/text.hpp"

namespace quadrille::lab {

namespace {

constexpr Rate least_rate = 64'000, most_rate = 10'000'000'000;

using Sources = std::vector<std::set<int>>;  // as Changes has them

std::size_t direction(const Wiring& w, int wire, int from) {
  return 2 * static_cast<std::size_t>(wire) + (w.wires[static_cast<std::size_t>(wire)].a == from ? 0 : 1);
}

/// Walks every route by its next hops.
void add_sources_by_route(Sources& sources, const Wiring& w) {
  for (int from = 0; from < w.hosts; ++from)
    for (int to = 0; to < w.hosts; ++to)
      for (int at = from; at != to;) {
        const int wire = w.next[static_cast<std::size_t>(at)][static_cast<std::size_t>(to)];
        sources[direction(w, wire, at)].insert(from);
        at = w.across(wire, at);
      }
}

/// Wire h leads from host h to the switch.
void add_sources_by_switch(Sources& sources, const Wiring& w) {
  for (int host = 0; host < w.hosts; ++host)
    for (int other = 0; other < w.hosts; ++other)
      if (other != host) {
        sources[direction(w, host, host)].insert(host);
        sources[direction(w, other, w.hosts)].insert(host);
      }
}

std::vector<int> listed(const std::set<int>& set) { return {set.begin(), set.end()}; }

std::string device_to(int node, int which) {
  return which == 1 ? fmt::format("to{}", node) : fmt::format("to{}-{}", node, which);
}

void add_ports(Blueprint& blueprint) {
  const Wiring& w = blueprint.wiring;
  for (std::size_t i = 0; i < w.wires.size(); ++i) {
    const Wire& wire = w.wires[i];
    const int number = static_cast<int>(i);
    blueprint.nodes[static_cast<std::size_t>(wire.a)].ports.push_back({device_to(wire.b, wire.which), wire.b, number});
    blueprint.nodes[static_cast<std::size_t>(wire.b)].ports.push_back({device_to(wire.a, wire.which), wire.a, number});
  }
}

void add_routes(Blueprint& blueprint) {
  const Wiring& w = blueprint.wiring;
  for (int node = 0; node < static_cast<int>(w.next.size()); ++node)
    for (int to = 0; to < w.hosts; ++to) {
      const int wire = w.next[static_cast<std::size_t>(node)][static_cast<std::size_t>(to)];
      if (to == node || wire < 0) continue;
      const int via = w.across(wire, node), which = w.wires[static_cast<std::size_t>(wire)].which;
      blueprint.nodes[static_cast<std::size_t>(node)].routes.push_back({to, via, device_to(via, which)});
    }
}

void add_shapers(Blueprint& blueprint) {
  const Wiring& w = blueprint.wiring;
  if (w.medium == Medium::bus) {
    std::vector<int> all;
    for (int host = 0; host < w.hosts; ++host) all.push_back(host);
    blueprint.nodes.back().shapers.push_back({"bus", blueprint.options.rate, all});
    return;
  }
  Sources& sources = blueprint.changes.sources;
  sources.resize(2 * w.wires.size());
  w.medium == Medium::wires ? add_sources_by_route(sources, w) : add_sources_by_switch(sources, w);
  for (std::size_t i = 0; i < w.wires.size(); ++i) {
    const Wire& wire = w.wires[i];
    const Rate rate = blueprint.changes.rates[i];
    blueprint.nodes[static_cast<std::size_t>(wire.a)].shapers.push_back(
        {device_to(wire.b, wire.which), rate, listed(sources[2 * i])});
    if (!wire.one_way)
      blueprint.nodes[static_cast<std::size_t>(wire.b)].shapers.push_back(
          {device_to(wire.a, wire.which), rate, listed(sources[2 * i + 1])});
  }
}

/// Of a link of width 1.
double rate_of_kind(const Wiring& w, const Wire& wire, const Options& options) {
  const auto own = options.kinds.find(w.kinds[static_cast<std::size_t>(wire.kind)]);
  if (own != options.kinds.end()) return static_cast<double>(own->second);
  return options.rate > 0 ? static_cast<double>(options.rate) : w.stated;
}

}  // namespace

Rate parse_rate(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 3> units{
      {{"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}}};
  for (const auto& [unit, factor] : units)
    if (text.size() > unit.size() && text.ends_with(unit)) {
      const double rate = factor * base::parse_number(text.substr(0, text.size() - unit.size()), "rate");
      if (!(rate >= static_cast<double>(least_rate) && rate <= static_cast<double>(most_rate))) break;
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

std::optional<int> find_node(const Blueprint& blueprint, std::string_view text) {
  const Wiring& w = blueprint.wiring;
  for (int node = 0; node < w.nodes(); ++node)
    if (text == node_label(w, node) || text == blueprint.nodes[static_cast<std::size_t>(node)].name) return node;
  return std::nullopt;
}

int parse_node(const Blueprint& blueprint, std::string_view text) {
  if (const auto node = find_node(blueprint, text)) return *node;
  const Wiring& w = blueprint.wiring;
  throw Error(Error::Kind::argument,
              fmt::format("host {}: expected 0 to {}{}", base::quoted(text), w.hosts - 1,
                          w.switches == 0 ? "" : fmt::format(", or a switch, s0 to s{}", w.switches - 1)));
}

std::vector<Rate> usual_rates(const Wiring& w, const Options& options) {
  std::vector<Rate> rates;
  for (const Wire& wire : w.wires) {
    const double rate = wire.trunk && options.trunk > 0
                            ? static_cast<double>(options.trunk)
                            : rate_of_kind(w, wire, options) * static_cast<double>(wire.width);
    if (!(rate >= static_cast<double>(least_rate) && rate <= static_cast<double>(most_rate)))
      throw Error(
          Error::Kind::argument,
          fmt::format("the link {} would have {:.4g} Mbit/s; expected 64kbit to 10gbit: --rate says what one of "
                      "width 1 has",
                      wire_name(w, wire), rate / 1e6));
    rates.push_back(std::llround(rate));
  }
  return rates;
}

Blueprint draw(const Wiring& whole, const Options& options, std::string_view prefix, Changes changes) {
  Blueprint blueprint{
      .wiring = around(whole, changes.avoided), .options = options, .changes = std::move(changes), .nodes = {}};
  const Wiring& w = blueprint.wiring;
  for (int node = 0; node < w.nodes(); ++node)
    blueprint.nodes.push_back({fmt::format("{}{}", prefix, node_label(w, node)), {}, {}, {}});
  if (blueprint.changes.rates.empty()) blueprint.changes.rates = usual_rates(w, options);
  add_ports(blueprint);
  add_routes(blueprint);
  add_shapers(blueprint);
  return blueprint;
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
