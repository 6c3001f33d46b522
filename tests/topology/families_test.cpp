// Every family, failed link and job against the reference graphs: the same links, and distances that a search finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "quadrille/topology.hpp"

namespace quadrille::families_test {
namespace {

using Json = nlohmann::json;
using Ends = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  ///< from, to, width

/// The reference is kept as it was made; networks of families that came later are written by hand.
constexpr const char* graph_files[] = {QUADRILLE_SOURCE_DIR "/tests/reference/reference-networks.json",
                                       QUADRILLE_SOURCE_DIR "/tests/topology/by_hand.json"};

/// By their ids.
const std::map<std::string, Json>& graphs() {
  static const std::map<std::string, Json> all = [] {
    std::map<std::string, Json> found;
    for (const char* name : graph_files) {
      std::ifstream file(name);
      for (const Json& entry : Json::parse(file))
        if (entry.contains("nodes")) {
          EXPECT_TRUE(found.emplace(entry.at("id"), entry).second) << entry.at("id") << " stands twice";
        }
    }
    return found;
  }();
  return all;
}

/// The reference's name of a network as ours; empty for graphs that no family names.
std::string ours(std::string name) {
  const std::string family = name.substr(0, name.find(':'));
  for (const char* other : {"random", "asymmetric", "barbell", "cluster", "switch-ring"})
    if (family == other) return "";
  if (name.starts_with("torus:4x4-") || name.starts_with("mesh:4x4-")) name.replace(name.find('-'), 1, "~");
  return name;
}

/// Vertices as the reference numbers them: a job's hosts keep their numbers.
std::vector<std::int64_t> reference_numbers(const Topology& t, const Json& graph) {
  std::vector<std::int64_t> numbers = graph.at("hosts").get<std::vector<std::int64_t>>();
  for (std::int64_t v = 0; v < t.vertices(); ++v)
    if (std::find(numbers.begin(), numbers.begin() + t.ranks(), v) == numbers.begin() + t.ranks()) numbers.push_back(v);
  return numbers;
}

/// Links that exist; grids number some that do not.
std::vector<Link> links_of(const Topology& t) {
  std::vector<Link> all;
  for (Link link = 0; link < t.links(); ++link) {
    const Rank tail = t.tail(link), head = t.head(link);
    if (t.structure().routed || (head >= 0 && head != tail && t.next(-1, tail, head) == link)) all.push_back(link);
  }
  return all;
}

std::vector<Ends> expected_links(const Json& graph) {
  std::vector<Ends> all;
  for (const Json& l : graph.at("links")) all.emplace_back(l[0], l[1], l[2]), all.emplace_back(l[1], l[0], l[2]);
  if (graph.contains("arcs"))
    for (const Json& l : graph.at("arcs")) all.emplace_back(l[0], l[1], l[2]);
  std::sort(all.begin(), all.end());
  return all;
}

/// Lengths of shortest ways from a vertex; over vertices that may be passed.
std::vector<int> search(const Topology& t, const std::vector<Link>& links, std::int64_t from) {
  std::vector<std::vector<std::int64_t>> next(static_cast<std::size_t>(t.vertices()));
  for (const Link link : links) next[static_cast<std::size_t>(t.tail(link))].push_back(t.head(link));
  std::vector<int> far(next.size(), -1);
  std::vector<std::int64_t> queue{from};
  far[static_cast<std::size_t>(from)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const std::int64_t v : next[static_cast<std::size_t>(queue[i])])
      if (far[static_cast<std::size_t>(v)] < 0) {
        far[static_cast<std::size_t>(v)] = far[static_cast<std::size_t>(queue[i])] + 1;
        queue.push_back(v);
      }
  return far;
}

class EveryGraph : public ::testing::TestWithParam<std::string> {
 protected:
  const Json& graph_ = graphs().at(GetParam());
  TopologyPtr network_ = parse_topology(ours(graph_.at("name")));
  const Topology& t_ = *network_;
};

TEST_P(EveryGraph, HasTheLinksOfTheReference) {
  EXPECT_EQ(t_.vertices(), graph_.at("nodes").get<std::int64_t>());
  EXPECT_EQ(t_.ranks(), std::ssize(graph_.at("hosts")));
  const std::vector<std::int64_t> numbers = reference_numbers(t_, graph_);
  std::vector<Ends> found;
  for (const Link link : links_of(t_))
    found.emplace_back(numbers.at(static_cast<std::size_t>(t_.tail(link))),
                       numbers.at(static_cast<std::size_t>(t_.head(link))), t_.facts(link).width);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected_links(graph_));
  EXPECT_EQ(static_cast<std::int64_t>(found.size()), t_.wires());
}

TEST_P(EveryGraph, HasItsDistances) {
  const std::vector<Link> links = links_of(t_);
  const bool dragonfly = t_.text().starts_with("dragonfly");  // minimal routes may take a link more than needed
  std::int64_t sum = 0, routed = 0;
  int longest = 0;
  for (Rank from = 0; from < t_.ranks(); ++from) {
    const std::vector<int> far = search(t_, links, from);
    for (Rank to = 0; to < t_.ranks(); ++to) {
      const int shortest = far[static_cast<std::size_t>(to)];
      EXPECT_GE(t_.distance(from, to), shortest);
      EXPECT_TRUE(dragonfly || t_.distance(from, to) == shortest) << from << " to " << to;
      sum += shortest, routed += t_.distance(from, to), longest = std::max(longest, shortest);
    }
  }
  EXPECT_EQ(sum, graph_.at("expected").at("sum_distances_links").get<std::int64_t>());
  EXPECT_EQ(longest, graph_.at("expected").at("diameter_links").get<int>());
  EXPECT_EQ(t_.diameter(), longest);
  EXPECT_EQ(t_.sum_of_distances(), routed);
}

TEST_P(EveryGraph, RoutesFollowLinksOneByOne) {
  for (Rank from = 0; from < t_.ranks(); ++from)
    for (Rank to = 0; to < t_.ranks(); ++to) {
      std::vector<Link> path, stepped;
      t_.route(from, to, path);
      std::int64_t at = from;
      for (const Link link : path) {
        ASSERT_EQ(t_.tail(link), at);
        at = t_.head(link);
      }
      ASSERT_EQ(at, to);
      for (Link link = t_.next(-1, from, to); link >= 0; link = t_.next(link, from, to)) stepped.push_back(link);
      ASSERT_EQ(stepped, path);
      ASSERT_EQ(std::ssize(path), t_.distance(from, to));
    }
}

/// Of graphs that a family names. Every test starts with this list, so the files are searched for them and not parsed.
std::vector<std::string> ids() {
  std::string text;
  for (const char* file_name : graph_files) {
    std::ifstream file(file_name);
    std::ostringstream all_of_it;
    all_of_it << file.rdbuf();
    text += all_of_it.str();
  }
  constexpr std::string_view id = "{\"id\":\"", name = "\",\"name\":\"";
  std::vector<std::string> all;
  for (std::size_t at = text.find(id); at != std::string::npos; at = text.find(id, at + 1)) {
    const std::size_t begin = at + id.size(), end = text.find(name, begin), next = end + name.size();
    if (!ours(text.substr(next, text.find('"', next) - next)).empty()) all.push_back(text.substr(begin, end - begin));
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Reference, EveryGraph, ::testing::ValuesIn(ids()),
                         [](const auto& id) { return std::string(id.param).replace(3, 1, "_"); });

TEST(EveryFamily, IsInTheReferenceOrWorkedOutByHand) {
  std::map<std::string_view, int> seen;
  std::vector<std::string> named;
  for (const auto& [id, graph] : graphs())
    if (!ours(graph.at("name")).empty()) named.push_back(id);
  std::vector<std::string> listed = ids();
  std::sort(listed.begin(), listed.end());
  EXPECT_EQ(listed, named) << "entries begin with {\"id\":\"...\",\"name\":\", without blanks";
  for (const std::string& id : named)
    for (const TopologyFamily& f : topology_families())
      seen[f.name] += graphs().at(id).at("name").get<std::string>().starts_with(std::string(f.name));
  for (const TopologyFamily& f : topology_families())
    if (f.place >= 200 && f.name != "graph") {
      EXPECT_GT(seen[f.name], 0) << "no links worked out by hand of a small " << f.name
                                 << "; give some in tests/topology/by_hand.json";
    }
}

TEST(EveryFamily, IsNamedInTheGuide) {
  std::ifstream page(QUADRILLE_SOURCE_DIR "/docs/guide/networks.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const TopologyFamily& f : topology_families()) {
    const std::string name = "`" + std::string(f.name);
    EXPECT_TRUE(text.find(name + ":") != std::string::npos || text.find(name + "`") != std::string::npos)
        << f.name << " is missing in docs/guide/networks.md";
  }
}

}  // namespace
}  // namespace quadrille::families_test
