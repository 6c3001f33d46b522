// The ways of a schedule's messages, link by link, in JSON.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interchange/json_parts.hpp"

namespace quadrille::interchange {

/// The member "ways" as the text of a list, for these pairs on a network that has ways of its own.
std::string ways_text(const Topology& network, const std::set<std::pair<Rank, Rank>>& pairs);
/// Reads that list back; throws Error(format) naming the way that is wrong.
std::vector<NamedWay> ways_from_json(const Json& list, Rank ranks);
/// The network with these ways. Throws Error(argument) where it has no link of such a name, or as
/// Topology::with_ways() does.
TopologyPtr with_ways(const Topology& network, const std::vector<NamedWay>& ways);

}  // namespace quadrille::interchange
