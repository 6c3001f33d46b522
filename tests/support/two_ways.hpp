// Two hosts under two switches, and messages that are divided among the ways through them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "files/file.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::testing {

/// The network of this text, by way of a file.
inline TopologyPtr network_of(std::string_view text) {
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / fmt::format("quadrille_two_ways_{}.net", std::random_device()());
  files::write_file(path.string(), text);
  TopologyPtr network = parse_topology("graph:" + path.string());
  std::filesystem::remove(path);
  return network;
}

/// v0 and v1 are joined by way of v2 at `wide` GB/s, and by way of v3 at 1 GB/s.
inline TopologyPtr two_switches(int wide = 3) {
  return network_of(
      fmt::format("unit 1GB/s\nroutes chosen\nhost v0 v1\nswitch v2 v3\nlink v0 v2 {0}GB/s\nlink v2 v1 {0}GB/s\n"
                  "link v0 v3 1GB/s\nlink v3 v1 1GB/s\n",
                  wide));
}

/// The way along these vertices.
inline Topology::Way way_along(const Topology& t, const std::vector<std::int64_t>& vertices, std::int32_t parts = 1) {
  Topology::Way way{static_cast<Rank>(vertices.front()), static_cast<Rank>(vertices.back()), {}, parts};
  for (std::size_t i = 1; i < vertices.size(); ++i)
    for (Link link = 0; link < t.links(); ++link)
      if (t.tail(link) == vertices[i - 1] && t.head(link) == vertices[i]) {
        way.links.push_back(link);
        break;
      }
  return way;
}

/// Messages from v0 to v1 have so many parts on either way.
inline TopologyPtr divided(const TopologyPtr& t, std::int32_t wide, std::int32_t narrow) {
  return t->with_ways({way_along(*t, {0, 2, 1}, wide), way_along(*t, {0, 3, 1}, narrow)});
}

}  // namespace quadrille::testing
