// What `topology` says of links that are not all alike, and of a cut that may or may not be the narrowest.
#pragma once

#include <string>
#include <vector>

#include "quadrille/topology.hpp"

namespace quadrille::cli {

/// Links of one kind that have the same width.
struct LinkClass {
  std::string kind;
  std::int64_t width = 1, links = 0;
  Seconds least_latency = 0, most_latency = 0;
};
/// All of a network whose links differ, or that have a rate; none for others, and where links are too many to look at.
std::vector<LinkClass> link_classes(const Topology& topology);

/// Whether no cut with as many ranks on its smaller side is narrower than bisection(). It is shown by a complete
/// exchange: where every vertex splits evenly what it sends on, so much passes such a cut in so long. False says only
/// that this does not show it.
bool bisection_is_certain(const Topology& topology);

/// "torus:4x4": a small network of a family that has examples.
std::string example_of(const TopologyFamily& family);

/// "shortest", "updown", "dmodk", "minimal"; empty where routes are the family's own.
std::string routes_of(const Topology& topology);

/// Whether messages pass switches by the lowest of several ways that are as short.
bool takes_lowest_of_several(const Topology& topology);

}  // namespace quadrille::cli
