#include "flow/move_places.hpp"

#include <algorithm>
#include <utility>

namespace quadrille::flow {

namespace {

/// Of every rank and pool, the places that are free.
class FreePlaces {
 public:
  FreePlaces(Rank ranks, std::int32_t pools)
      : pools_(pools), free_(static_cast<std::size_t>(ranks * pools)), used_(free_.size(), 0) {}
  std::size_t pool(Rank rank, std::int32_t pool) const { return static_cast<std::size_t>(rank * pools_ + pool); }
  std::int32_t take(std::size_t pool) {
    std::vector<std::int32_t>& free = free_[pool];
    if (free.empty()) return used_[pool]++;
    const std::int32_t place = free.back();
    free.pop_back();
    return place;
  }
  void give_back(std::size_t pool, std::int32_t place) { free_[pool].push_back(place); }
  std::int32_t most() const { return used_.empty() ? 0 : *std::max_element(used_.begin(), used_.end()); }

 private:
  std::int32_t pools_;
  std::vector<std::vector<std::int32_t>> free_;
  std::vector<std::int32_t> used_;
};

}  // namespace

void give_places(ExchangeRounds& exchange, const Network& network) {
  std::int32_t pools = 0;
  for (const Parcel& p : exchange.parcels) pools = std::max(pools, p.pool + 1);
  FreePlaces places(network.ranks(), pools);
  std::vector<std::int32_t> held(exchange.parcels.size(), -1);  // where each parcel waits
  std::vector<std::pair<std::size_t, std::int32_t>> left;       // free in the next round
  for (std::size_t i = 0; i < exchange.moves.size(); ++i) {
    Move& m = exchange.moves[i];
    if (i > 0 && exchange.moves[i - 1].round != m.round) {
      for (const auto& [pool, place] : left) places.give_back(pool, place);
      left.clear();
    }
    const Arc& arc = network.arcs()[static_cast<std::size_t>(m.arc)];
    const Parcel& parcel = exchange.parcels[static_cast<std::size_t>(m.parcel)];
    std::int32_t& place = held[static_cast<std::size_t>(m.parcel)];
    m.from_place = place;
    if (place >= 0) left.emplace_back(places.pool(network.rank(arc.from), parcel.pool), place);
    const Rank to = network.rank(arc.to);
    m.to_place = place = to == parcel.target ? -1 : places.take(places.pool(to, parcel.pool));
  }
  exchange.places = places.most();
}

}  // namespace quadrille::flow
