// The ways of parcels through a network: no link has much more than its share.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/exchange_ways.hpp"
#include "flow/shortest_trees.hpp"

namespace quadrille::flow {

using Way = std::vector<std::int32_t>;  ///< arcs

/// The ways of all parcels, improved batch by batch: one is taken out, and put back along ways that are short where
/// links that have much are long. Network, parcels and links must outlive it.
class ParcelWays {
 public:
  ParcelWays(const Network& network, const LinksOfArcs& links, const std::vector<Parcel>& parcels, std::int64_t most);
  void find();
  std::int64_t congestion() const;
  const std::vector<Way>& ways() const { return ways_; }

 private:
  void route(std::size_t first, std::size_t end, std::int32_t batch, int pass);
  Way straight_or_by_one(const Parcel& parcel) const;
  void measure();

  const Network& network_;
  const LinksOfArcs& links_;
  const std::vector<Parcel>& parcels_;
  std::int64_t most_;
  bool by_one_;  ///< rank at most, where arcs join all
  std::int32_t batches_;
  double sharpness_;
  ShortestTrees trees_;
  std::vector<std::int64_t> load_;    ///< of links
  std::vector<double> share_;         ///< ... over their capacities
  std::vector<std::size_t> changed_;  ///< links whose load has changed since lengths were set
  std::vector<double> lengths_;       ///< of links
  std::vector<Way> ways_;
  std::vector<Vertex> targets_;  ///< of one batch
  double mean_ = 0, carried_ = 0;
  double most_share_ = 0;  ///< against which lengths are set
  bool improved_ = true;
  int idle_ = 0;
};

}  // namespace quadrille::flow
