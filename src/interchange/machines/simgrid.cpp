// Platforms of SimGrid: one cluster, or one zone whose routes are links between two of its hosts and routers.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "interchange/machines/imported.hpp"
#include "quadrille/topology.hpp"
#include "topology/file/amount.hpp"

namespace quadrille::interchange {

namespace {

class SimgridReader {
 public:
  SimgridReader(const XmlElement& root, const std::string& file) : root_(root), file_(file), network_(file) {}

  ImportedNetwork read() {
    out_.form = "platform of SimGrid";
    const XmlElement* zone = &root_;
    while (const XmlElement* inner = only_zone(*zone)) zone = inner;
    const auto cluster =
        std::find_if(zone->children.begin(), zone->children.end(), [](const XmlElement& e) { return e.is("cluster"); });
    if (cluster == zone->children.end() && !zone->is("cluster"))
      read_zone(*zone);
    else
      read_cluster(zone->is("cluster") ? *zone : *cluster, *zone);
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const XmlElement& at, const std::string& why) const { refuse_line(file_, at.line, why); }

  /// The zone that is all there is; platforms wrap clusters into one.
  const XmlElement* only_zone(const XmlElement& e) const {
    const XmlElement* found = nullptr;
    for (const XmlElement& child : e.children) {
      if (!child.is("zone") && !child.is("AS") && !(child.is("cluster") && e.is("platform"))) continue;
      if (found != nullptr) refuse(child, "a second zone; expected one, as routes between zones are not read");
      found = &child;
    }
    if (found == nullptr && e.is("platform")) refuse(e, "no zone; expected <zone> with hosts or a <cluster>");
    return found;
  }

  // Clusters.

  void read_cluster(const XmlElement& cluster, const XmlElement& zone) {
    for (const XmlElement& child : zone.children)
      if (&zone != &cluster && &child != &cluster && !child.is("prop"))
        refuse(child, fmt::format("<{}> beside a cluster; expected the cluster alone", base::quoted(child.name)));
    const std::int64_t hosts = radical_count(cluster);
    const std::string kind = cluster.text("topology", "FLAT"), parameters = cluster.text("topo_parameters");
    const std::string words = link_words(cluster, "bw", "lat");
    if (kind == "TORUS")
      read_torus(cluster, parameters, hosts);
    else if (kind == "FAT_TREE")
      read_fat_tree(cluster, parameters, hosts, words);
    else if (kind == "DRAGONFLY")
      read_dragonfly(cluster, parameters, hosts);
    else if (kind == "FLAT")
      read_flat(cluster, hosts, words);
    else
      refuse(cluster, fmt::format("topology {}; expected TORUS, FAT_TREE, DRAGONFLY or FLAT", base::quoted(kind)));
    if (cluster.find("loopback_bw") != nullptr)
      out_.left_out.push_back("loopback links: here a rank's own data is in place");
    if (cluster.find("limiter_link") != nullptr)
      out_.left_out.push_back("limiter links: write 'nic HOST RATE' lines, or --set ports=one");
    if (cluster.text("sharing_policy", "SPLITDUPLEX") == "SHARED")
      out_.left_out.push_back("links whose two directions share their bandwidth: --set duplex=half says it");
    out_.left_out.push_back("the speed of hosts");
  }

  std::int64_t radical_count(const XmlElement& cluster) const {
    std::int64_t count = 0;
    const std::string ranges = cluster.text("radical");
    for (const std::string_view part : base::split(ranges, ',')) {
      const auto dash = part.find('-');
      const std::string_view low = part.substr(0, dash), high = dash == part.npos ? low : part.substr(dash + 1);
      const std::int64_t first = number(low, 0, 1 << 20, "radical", cluster);
      count += number(high, first, 1 << 20, "radical", cluster) - first + 1;
    }
    return count;
  }

  std::int64_t number(std::string_view text, std::int64_t low, std::int64_t high, std::string_view what,
                      const XmlElement& at) const {
    try {
      return base::parse_integer(base::trimmed(text), low, high, what);
    } catch (const Error& error) {
      refuse(at, error.what());
    }
  }

  std::vector<std::int64_t> numbers(std::string_view text, const XmlElement& at) const {
    std::vector<std::int64_t> all;
    for (const std::string_view part : base::split(text, ','))
      all.push_back(number(part, 1, 1 << 20, "topo_parameters", at));
    return all;
  }

  /// "12.5GB/s 100ns", from attributes such as bw="12.5GBps" and lat="100ns"; the rate `times` as much.
  std::string link_words(const XmlElement& e, std::string_view rate_key, std::string_view latency_key,
                         std::int64_t times = 1) const {
    std::string rate = e.text(rate_key), latency = e.text(latency_key, "0");
    if (!rate.empty() && rate.find_first_not_of("0123456789.eE+-") == std::string::npos) rate += "B/s";
    if (latency != "0" && latency.find_first_not_of("0123456789.eE+-") == std::string::npos) latency += "s";
    const auto amount = topology::read_amount(rate);
    if (!amount || !amount->is_rate || amount->millionths == 0)
      refuse(e, fmt::format("{}={}; expected a rate above 0 such as 12.5GBps", rate_key, base::quoted(rate)));
    if (!topology::read_latency(latency))
      refuse(e, fmt::format("{}={}; expected a time such as 100ns", latency_key, base::quoted(latency)));
    if (times > 1) {
      constexpr topology::Exact unit = 1'000'000;
      const topology::Exact millionths = amount->millionths * times;
      rate = fmt::format("{}.{:06}bit/s", static_cast<std::uint64_t>(millionths / unit),
                         static_cast<std::uint64_t>(millionths % unit));
    }
    return fmt::format("{}{}", rate, latency == "0" ? "" : " " + latency);
  }

  void read_torus(const XmlElement& cluster, const std::string& parameters, std::int64_t hosts) {
    const std::vector<std::int64_t> sides = numbers(parameters, cluster);
    check_hosts(cluster, sides, hosts);
    out_.topology = "torus:";
    for (auto side = sides.rbegin(); side != sides.rend(); ++side)
      out_.topology += fmt::format("{}{}", side == sides.rbegin() ? "" : "x", *side);
    parse_topology(out_.topology);
    out_.understood.push_back(
        fmt::format("{}, with the sides in reverse: SimGrid counts the first coordinate fastest and "
                    "Quadrille the last, so that ranks have the same numbers",
                    out_.topology));
    out_.left_out.push_back(
        fmt::format("the links' {} and {}: a family takes them from the machine, as --set beta=... and "
                    "per_hop=... or in its file",
                    cluster.text("bw"), cluster.text("lat")));
    out_.left_out.push_back("ties between two ways around a ring of even length, which SimGrid breaks by position");
  }

  void check_hosts(const XmlElement& cluster, const std::vector<std::int64_t>& sides, std::int64_t hosts) const {
    std::int64_t product = 1;
    for (const std::int64_t side : sides) product = std::min<std::int64_t>(product * side, std::int64_t{1} << 40);
    if (product != hosts)
      refuse(cluster,
             fmt::format("radical has {} hosts and topo_parameters make {}; expected as many", hosts, product));
  }

  void read_flat(const XmlElement& cluster, std::int64_t hosts, const std::string& words) {
    if (hosts < 1) refuse(cluster, "no hosts in radical");
    for (std::int64_t i = 0; i < hosts; ++i) network_.add_host(host_name(cluster, i), cluster.line);
    network_.add_switch("backbone", cluster.line);
    if (cluster.find("bb_bw") != nullptr)
      out_.left_out.push_back(
          fmt::format("the backbone's limit of {} for all messages together", cluster.text("bb_bw")));
    for (std::int64_t i = 0; i < hosts; ++i) network_.add_link(host_name(cluster, i), "backbone", words);
    finish();
  }

  static std::string host_name(const XmlElement& cluster, std::int64_t i) {
    return fmt::format("{}{}{}", cluster.text("prefix"), i, cluster.text("suffix"));
  }

  /// "L;down1,..,downL;up1,..,upL;n1,..,nL", level by level from the hosts up.
  void read_fat_tree(const XmlElement& cluster, const std::string& parameters, std::int64_t hosts,
                     const std::string& words) {
    const std::vector<std::string_view> parts = base::split(parameters, ';');
    if (parts.size() != 4) refuse(cluster, "topo_parameters; expected LEVELS;DOWN,..;UP,..;CABLES,..");
    const auto levels = static_cast<std::size_t>(number(parts[0], 1, 20, "levels", cluster));
    const std::vector<std::int64_t> down = numbers(parts[1], cluster), up = numbers(parts[2], cluster),
                                    cables = numbers(parts[3], cluster);
    if (down.size() != levels || up.size() != levels || cables.size() != levels)
      refuse(cluster, fmt::format("topo_parameters; expected {} numbers in each list", levels));
    check_hosts(cluster, down, hosts);
    std::vector<std::string> below;
    for (std::int64_t i = 0; i < hosts; ++i) {
      below.push_back(host_name(cluster, i));
      network_.add_host(below.back(), cluster.line);
    }
    // A node of level i - 1 is group * copies + copy; its parents are the up[i] switches of its group's group.
    std::int64_t groups = hosts, copies = 1;
    for (std::size_t i = 0; i < levels; ++i) {
      const std::int64_t next_groups = groups / down[i], next_copies = copies * up[i];
      if (next_groups * next_copies > (1 << 20)) refuse(cluster, "more than 2^20 switches");
      std::vector<std::string> above;
      for (std::int64_t s = 0; s < next_groups * next_copies; ++s) {
        above.push_back(fmt::format("level{}.{}", i + 1, s));
        network_.add_switch(above.back(), cluster.line);
      }
      const std::string count = cables[i] == 1 ? "" : fmt::format(" x{}", cables[i]);
      for (std::int64_t n = 0; n < groups * copies; ++n)
        for (std::int64_t u = 0; u < up[i]; ++u) {
          const std::int64_t parent = n / copies / down[i] * next_copies + n % copies * up[i] + u;
          network_.add_link(below[static_cast<std::size_t>(n)], above[static_cast<std::size_t>(parent)], words + count);
        }
      below = std::move(above);
      groups = next_groups, copies = next_copies;
    }
    const bool single = std::all_of(cables.begin(), cables.end(), [](std::int64_t n) { return n == 1; });
    out_.left_out.push_back(fmt::format(
        "d-mod-k routes, by destination: here routes are balanced over links; 'xgft:{};{};{}{}{}' has {}", levels,
        parts[1], parts[2], single ? "" : ";", single ? "" : parts[3], single ? "SimGrid's" : "d-mod-k routes"));
    network_.balance_routes();
    finish();
  }

  /// "groups,blue;chassis,black;blades,green;nodes": a router for each blade. Blades of a chassis are joined by green
  /// links, the same blade of all chassis of a group by black ones, and any two groups by a blue one.
  void read_dragonfly(const XmlElement& cluster, const std::string& parameters, std::int64_t hosts) {
    const std::vector<std::string_view> parts = base::split(parameters, ';');
    std::vector<std::vector<std::int64_t>> all;
    for (const std::string_view part : parts) all.push_back(numbers(part, cluster));
    if (all.size() != 4 || all[0].size() != 2 || all[1].size() != 2 || all[2].size() != 2 || all[3].size() != 1)
      refuse(cluster, "topo_parameters; expected GROUPS,BLUE;CHASSIS,BLACK;BLADES,GREEN;NODES");
    const std::int64_t groups = all[0][0], chassis = all[1][0], blades = all[2][0], nodes = all[3][0];
    check_hosts(cluster, {groups, chassis, blades, nodes}, hosts);
    if (groups > blades)
      refuse(cluster, fmt::format("{} groups and {} blades; expected no more groups than blades, as the blue link to "
                                  "group i is at blade i of the first chassis",
                                  groups, blades));
    const std::int64_t group = chassis * blades;
    const auto router = [&](std::int64_t r) {
      return fmt::format("router{}.{}.{}", r / group, r / blades % chassis, r % blades);
    };
    const auto words = [&](std::int64_t links) { return link_words(cluster, "bw", "lat", links); };
    for (std::int64_t i = 0; i < hosts; ++i) network_.add_host(host_name(cluster, i), cluster.line);
    for (std::int64_t r = 0; r < groups * group; ++r) network_.add_switch(router(r), cluster.line);
    for (std::int64_t i = 0; i < hosts; ++i) network_.add_link(host_name(cluster, i), router(i / nodes), words(1));
    for (std::int64_t r = 0; r < groups * group; ++r) {
      for (std::int64_t n = 1; r % blades + n < blades; ++n)
        network_.add_link(router(r), router(r + n), words(all[2][1]));
      for (std::int64_t n = 1; r / blades % chassis + n < chassis; ++n)
        network_.add_link(router(r), router(r + n * blades), words(all[1][1]));
    }
    for (std::int64_t g = 0; g < groups; ++g)
      for (std::int64_t other = g + 1; other < groups; ++other)
        network_.add_link(router(g * group + other), router(other * group + g), words(all[0][1]));
    out_.left_out.push_back("routes by the blue link of two groups, green before black: here they are shortest ones");
    finish();
  }

  // Zones.

  void read_zone(const XmlElement& zone) {
    std::map<std::string, const XmlElement*> links;
    for (const XmlElement& e : zone.children) {
      if (e.is("host")) network_.add_host(e.text("id"), e.line);
      if (e.is("router")) network_.add_switch(e.text("id"), e.line);
      if (e.is("link") && !links.emplace(e.text("id"), &e).second)
        refuse(e, fmt::format("link {} comes twice; expected it once", base::quoted(e.text("id"))));
    }
    std::map<std::string, std::set<std::pair<std::string, std::string>>> written;
    for (const XmlElement& route : zone.children) {
      if (!route.is("route")) continue;
      const std::string from = route.text("src"), to = route.text("dst");
      for (const std::string& end : {from, to})
        if (!network_.has(end)) refuse(route, fmt::format("{} is no host or router of the zone", base::quoted(end)));
      if (route.children.size() != 1 || !route.children[0].is("link_ctn"))
        refuse(route,
               fmt::format("a route of {} links: a link's ends are only known where it is a whole route; expected "
                           "routes of one link, between neighbours",
                           route.children.size()));
      const auto link = links.find(route.children[0].text("id"));
      if (link == links.end())
        refuse(route.children[0], fmt::format("link {} is not defined", base::quoted(route.children[0].text("id"))));
      std::set<std::pair<std::string, std::string>>& pairs = written[link->first];
      pairs.insert(std::minmax(from, to));
      if (pairs.size() > 1)
        refuse(route, fmt::format("link {} is between other nodes, too; expected a link of its own for each pair",
                                  base::quoted(link->first)));
    }
    for (const auto& [name, pairs] : written)
      network_.add_link(pairs.begin()->first, pairs.begin()->second,
                        link_words(*links.at(name), "bandwidth", "latency"));
    out_.left_out.push_back("the speed of hosts; routes: here they are shortest ones");
    finish();
  }

  void finish() {
    out_.understood.push_back(network_.summary());
    out_.text = network_.take("platform of SimGrid " + base::quoted(file_, 200));
  }

  const XmlElement& root_;
  std::string file_;
  NetworkText network_;
  ImportedNetwork out_;
};

}  // namespace

ImportedNetwork import_simgrid(const XmlElement& root, const std::string& file) {
  return SimgridReader(root, file).read();
}

}  // namespace quadrille::interchange
