#include "flow/exchange_bound.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "flow/distances.hpp"

namespace quadrille::flow {

namespace {

/// Of each rank for each other.
class WordsOfPairs {
 public:
  WordsOfPairs(Rank ranks, std::span<const Parcel> parcels)
      : ranks_(static_cast<std::size_t>(ranks)), of_pair_(ranks_ * ranks_, 0) {
    for (const Parcel& p : parcels)
      of_pair_[static_cast<std::size_t>(p.source) * ranks_ + static_cast<std::size_t>(p.target)] += p.words;
  }
  std::int64_t of(std::size_t from, std::size_t to) const { return of_pair_[from * ranks_ + to]; }

 private:
  std::size_t ranks_;
  std::vector<std::int64_t> of_pair_;
};

/// The links of each rank that all arcs share which leave it, or which come to it.
std::vector<std::vector<std::int32_t>> links_of_ranks(const Network& network, const SharedLinks& shared, bool leaving) {
  std::vector<std::vector<std::int32_t>> common(static_cast<std::size_t>(network.ranks()));
  std::vector<char> seen(common.size(), 0);
  for (std::size_t i = 0; i < shared.of_arc.size(); ++i) {
    const Arc& arc = network.arcs()[i];
    const auto rank = static_cast<std::size_t>(network.rank(leaving ? arc.from : arc.to));
    const std::vector<std::int32_t>& links = shared.of_arc[i];
    if (!seen[rank]) {
      seen[rank] = 1;
      common[rank] = links;
    }
    std::erase_if(common[rank],
                  [&](std::int32_t link) { return std::find(links.begin(), links.end(), link) == links.end(); });
  }
  return common;
}

/// What links carry that no way of words from a rank, or to one, avoids.
std::vector<std::int64_t> loads_of_ranks(const Network& network, const SharedLinks& shared, const WordsOfPairs& words) {
  std::vector<std::int64_t> loads(shared.capacity.size(), 0);
  const auto leaving = links_of_ranks(network, shared, true), coming = links_of_ranks(network, shared, false);
  for (std::size_t from = 0; from < leaving.size(); ++from)
    for (std::size_t to = 0; to < coming.size(); ++to) {
      for (const std::int32_t link : leaving[from]) loads[static_cast<std::size_t>(link)] += words.of(from, to);
      for (const std::int32_t link : coming[to])
        if (std::find(leaving[from].begin(), leaving[from].end(), link) == leaving[from].end())
          loads[static_cast<std::size_t>(link)] += words.of(from, to);
    }
  return loads;
}

/// Links other than those of single ranks, which words cross at least, over what these carry in a round.
Ratio crossings(const Network& network, const SharedLinks& shared, const WordsOfPairs& words,
                const std::vector<std::int64_t>& loads) {
  Lengths lengths;
  for (const std::vector<std::int32_t>& links : shared.of_arc)
    lengths.push_back(std::count_if(links.begin(), links.end(),
                                    [&](std::int32_t link) { return loads[static_cast<std::size_t>(link)] == 0; }));
  Wide crossed = 0, capacity = 0;
  for (std::size_t link = 0; link < loads.size(); ++link)
    if (loads[link] == 0) capacity += shared.capacity[link];
  const auto ranks = static_cast<std::size_t>(network.ranks());
  for (std::size_t from = 0; from < ranks; ++from) {
    const std::vector<std::int64_t> far = distances(network, network.host(static_cast<Rank>(from)), lengths);
    for (std::size_t to = 0; to < ranks; ++to)
      if (const std::int64_t way = far[static_cast<std::size_t>(network.host(static_cast<Rank>(to)))]; way > 0)
        crossed += Wide{way} * words.of(from, to);
  }
  return {crossed, std::max<Wide>(1, capacity)};
}

}  // namespace

Ratio least_rounds(const Network& network, const SharedLinks& shared, std::span<const Parcel> parcels) {
  const WordsOfPairs words(network.ranks(), parcels);
  const std::vector<std::int64_t> loads = loads_of_ranks(network, shared, words);
  Ratio least = crossings(network, shared, words, loads);
  for (std::size_t link = 0; link < loads.size(); ++link)
    least = std::max(least, Ratio(loads[link], shared.capacity[link]));
  return least;
}

}  // namespace quadrille::flow
