#include "interchange/schedule_ways.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "base/json_members.hpp"
#include "base/text.hpp"

namespace quadrille::interchange {

std::string ways_text(const Topology& network, const std::set<std::pair<Rank, Rank>>& pairs) {
  std::vector<std::string> items;
  std::vector<Link> path;
  const auto item = [&](Rank from, Rank to, const std::vector<Link>& crossed) {
    Json links = Json::array();
    for (const Link link : crossed) links.push_back(network.name(link));
    return Json{{"from", from}, {"to", to}, {"links", links}};
  };
  for (const auto& [from, to] : pairs) {
    const std::span<const Topology::Way> ways = network.divided(from, to);
    for (const Topology::Way& way : ways) {
      Json one = item(from, to, way.links);
      one["parts"] = way.parts;
      items.push_back(one.dump());
    }
    if (!ways.empty()) continue;
    path.clear();
    network.route(from, to, path);
    items.push_back(item(from, to, path).dump());
  }
  return "[\n" + base::join(items, ",\n") + "\n]";
}

std::vector<NamedWay> ways_from_json(const Json& list, Rank ranks) {
  if (!list.is_array()) throw base::wrong_member("ways", "a list of ways, each with from, to and links");
  std::vector<NamedWay> ways;
  for (const Json& item : list) {
    NamedWay way{base::whole_member(item, "from", 0, ranks - 1), base::whole_member(item, "to", 0, ranks - 1), {}};
    if (item.contains("parts"))
      way.parts = static_cast<std::int32_t>(base::whole_member(item, "parts", 1, Topology::most_parts));
    const Json& links = base::member(item, "links");
    if (!links.is_array()) throw base::wrong_member("links", "a list of names of links");
    for (const Json& link : links) {
      if (!link.is_string()) throw base::wrong_member("links", "a list of names of links");
      way.links.push_back(link.get<std::string>());
    }
    ways.push_back(std::move(way));
  }
  return ways;
}

TopologyPtr with_ways(const Topology& network, const std::vector<NamedWay>& ways) {
  std::unordered_map<std::string, Link> numbers;
  for (Link link = 0; link < network.links(); ++link) numbers.emplace(network.name(link), link);
  std::vector<Topology::Way> found;
  for (const NamedWay& way : ways) {
    Topology::Way numbered{way.from, way.to, {}, way.parts};
    for (const std::string& name : way.links) {
      const auto link = numbers.find(name);
      if (link == numbers.end())
        throw Error(Error::Kind::argument,
                    fmt::format("the way from {} to {} crosses {}, and {} has no such link; expected names such as {}",
                                way.from, way.to, base::quoted(name), network.text(), network.name(0)));
      numbered.links.push_back(link->second);
    }
    found.push_back(std::move(numbered));
  }
  return network.with_ways(std::move(found));
}

}  // namespace quadrille::interchange
