// What must pass the links of ranks, or their ports, where messages cross switches.
#pragma once

#include <optional>

#include "collective/traits.hpp"
#include "flow/ratio.hpp"
#include "pricing/network_needs.hpp"

namespace quadrille::pricing {

/// The rank whose own links take longest, and the bytes that must pass them; both ways where these are of half duplex.
struct RankThatBinds {
  Rank who;
  Bytes moved;
  flow::Ratio time;
  bool both_ways = false;
};
RankThatBinds rank_that_binds(const Spec& spec, const Machine& machine, const NetworkGraph& graph);

/// Of half duplex: transfers, each of which takes links or ports at both of its ends, and so all of them their time.
struct TransfersThatBind {
  flow::Wide count;
  Bytes bytes;
  flow::Ratio time;
};
/// Nothing where links pass both ways at once, or one send reaches several ranks.
std::optional<TransfersThatBind> transfers_that_bind(const Spec& spec, const Machine& machine,
                                                     const NetworkGraph& graph);

}  // namespace quadrille::pricing
