// Rounds that an exchange takes at least where arcs share links, whatever ways its parcels go.
#pragma once

#include <span>

#include "flow/exchange_ways.hpp"
#include "flow/network.hpp"
#include "flow/ratio.hpp"

namespace quadrille::flow {

/// In each of which a link carries a word, times its capacity. The larger of two counts: what ranks have for others
/// and get from others, over the links that all their arcs share, such as ports; and the links that words cross on
/// shortest ways, over all other links. Time: a search for shortest ways from each rank.
Ratio least_rounds(const Network& network, const SharedLinks& shared, std::span<const Parcel> parcels);

}  // namespace quadrille::flow
