// What the text of a topology says behind its family: failed links, hosts of a job, hosts that are gone, routes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// Where the first of `!`, `@`, `~`, `*` and `:routes=` is in a text, or its length.
std::size_t changes_at(std::string_view text);

/// The network with one change after the other: "!0-1,16-24#2,n5" has failed, the job is on "@0,1,4-7", "~6,7" is gone,
/// ":routes=updown"; "*8" puts so many ranks on each node, of which "@0-6" behind it takes some. `all` is the whole
/// text, for messages. Names are those of the network before any change.
TopologyPtr changed(TopologyPtr network, std::string_view changes, std::string_view all);

/// The text of a network without what failed behind a '!'; nothing where there is no such thing.
std::optional<std::string> without_failures(std::string_view text);

}  // namespace quadrille::topology
