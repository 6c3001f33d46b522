// What every schedule must pay where messages cross switches (Structure::routed): the best cut of the network says it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/distances.hpp"
#include "pricing/network_needs.hpp"
#include "quadrille/price.hpp"

namespace quadrille::pricing {

/// Volume arguments, none of which a counted price is below: a rank's own links, a cut, and all links together.
std::vector<Bound::Part> network_volume(const Spec& spec, const Machine& machine);

/// Its argument of all links together, for who weighs_links().
std::optional<Bound::Part> weighed_links(const Spec& spec, const Machine& machine);

/// How much a crossing of each arc counts in the bound of a complete exchange; none where the network is too large.
flow::Lengths lengths_that_bind(const Spec& spec, const NetworkGraph& graph);

/// What links add to so many start-ups of the kind with the least, in each of which a rank reaches `ports` others: the
/// latencies of the longest way, or the start-ups of messages between nodes.
Seconds latency_of_links(const Spec& spec, const Machine& machine, std::int64_t rounds, std::int64_t ports);

}  // namespace quadrille::pricing
