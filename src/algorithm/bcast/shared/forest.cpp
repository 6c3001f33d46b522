#include "algorithm/bcast/shared/forest.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::bcast {

namespace {

/// So many packets of at least the size in question on their way down a tree.
struct Stream {
  std::int64_t packets;
  std::int64_t depth;
};

/// Half rounds in which one of them is on its way. Ranks of colour 0 send to odd levels, those of colour 1 to even
/// ones.
Round half_rounds(const std::array<Stream, 2>& streams) {
  Round rounds = 0;
  for (const int colour : {0, 1}) {
    Round several = colour, alone = 0;  // the last round with two packets or more in sight, or with one that is alone
    for (const auto& [packets, depth] : streams) {
      const std::int64_t level = depth % 2 == colour ? depth - 1 : depth;  // the deepest that this colour sends to
      if (packets > 1) several = std::max(several, packets - 1 + level);
      if (packets == 1) alone = std::max(alone, level);
    }
    rounds += several - colour + (alone > several ? (alone - several + 1) / 2 : 0);
  }
  return rounds;
}

}  // namespace

Cost split_forest_cost(const kit::Lengths& depths, Bytes bytes, std::int64_t packets) {
  if (bytes == 0) return {};
  const auto trees = static_cast<std::int64_t>(depths.size());
  const std::int64_t larger =
      bytes % trees;  // the first so many trees carry a byte more; of each kind the deepest counts
  const Bytes part = bytes / trees;
  const std::int64_t depth = larger > 0 ? depths[static_cast<std::size_t>(larger - 1)] : 1;
  const auto so_large = [&](Bytes share, Bytes size) {
    return size <= share / packets ? packets : size <= base::ceil_div(share, packets) ? share % packets : 0;
  };
  std::array<Bytes, 5> sizes{0, part / packets, base::ceil_div(part, packets), (part + 1) / packets,
                             base::ceil_div(part + 1, packets)};
  std::sort(sizes.begin(), sizes.end());
  const auto halves_with = [&](Bytes size) {
    return half_rounds({{{so_large(part, size), depths.back()}, {larger > 0 ? so_large(part + 1, size) : 0, depth}}});
  };
  Bytes total = 0;
  for (std::size_t i = 1; i < sizes.size(); ++i)
    if (sizes[i] > sizes[i - 1]) total += (sizes[i] - sizes[i - 1]) * halves_with(sizes[i]);
  const Round rounds = halves_with(0);  // empty packets of a message that is not empty are sent, too
  return kit::neighbour_cost(rounds, total);
}

std::int64_t best_split_forest_packets(const kit::Lengths& depths, Bytes bytes, Seconds startup, double per_byte,
                                       const pattern::Further& crowd) {
  const auto trees = static_cast<std::int64_t>(depths.size());
  const Bytes part = bytes / trees;
  const std::int64_t most = kit::most_packets(bytes, trees);
  if (most <= 1) return 1;
  const auto time = [&](std::int64_t nu) {
    const Cost c = split_forest_cost(depths, bytes, nu);
    return static_cast<double>(c.startups) * startup + static_cast<double>(c.bytes) * per_byte + crowd.time(nu);
  };
  // The deepest tree alone: two rounds for every packet and level but the ends, and its first two packets at the end.
  const auto levels = static_cast<double>(depths.back() - 2), size = static_cast<double>(part);
  const double further = levels * (2 * size - 1);
  const Seconds packet = 2 * startup + crowd.least();
  const double ideal = packet > 0 ? std::sqrt(further * per_byte / packet) : size;
  const std::int64_t several = kit::cheapest_cut(
      {.total = most, .high = most, .ideal = ideal, .cost = time, .bound = [&](std::int64_t nu) {
         const auto packets = static_cast<double>(nu);
         return 2 * (packets + levels) * startup + per_byte * (2 * size + further / packets) + packets * crowd.least();
       }});
  return time(1) <= time(several) ? 1 : several;
}

}  // namespace quadrille::algorithm::bcast
