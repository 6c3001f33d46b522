#include "algorithm/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithm/pipeline.hpp"
#include "algorithm/support.hpp"

namespace quadrille {

Cost equal_cost(const Lengths& lengths, Bytes bytes, std::int64_t packets) {
  if (bytes == 0) return {};
  // The paths with a larger part and the others: of each kind the longest path is the busy one to the end.
  struct Stream {
    std::int64_t length;
    Bytes part;
  };
  const auto count = static_cast<std::int64_t>(lengths.size());
  const std::int64_t larger = bytes % count;
  std::vector<Stream> streams{{lengths.back(), bytes / count}};
  if (larger > 0) streams.push_back({lengths[static_cast<std::size_t>(larger - 1)], bytes / count + 1});
  Lengths sizes{0};
  for (const Stream& s : streams) sizes.insert(sizes.end(), {s.part / packets, ceil_div(s.part, packets)});
  std::sort(sizes.begin(), sizes.end());
  // A packet of at least `size` bytes is on its way until the last such packet of some stream arrives.
  const auto rounds_with = [&](Bytes size) {
    Round rounds = 0;
    for (const Stream& s : streams) {
      const std::int64_t so_large = size <= s.part / packets            ? packets
                                    : size <= ceil_div(s.part, packets) ? s.part % packets
                                                                        : 0;
      if (so_large > 0) rounds = std::max(rounds, so_large - 1 + s.length);
    }
    return rounds;
  };
  Bytes total = 0;
  for (std::size_t i = 1; i < sizes.size(); ++i)
    if (sizes[i] > sizes[i - 1]) total += (sizes[i] - sizes[i - 1]) * rounds_with(sizes[i]);
  return neighbour_cost(packets - 1 + lengths.back(), total);
}

std::int64_t best_equal_packets(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte) {
  const Bytes part = bytes / static_cast<std::int64_t>(lengths.size());
  if (part <= 1) return 1;
  // The longest path alone is a pipeline of the smaller part.
  const auto further = static_cast<double>(lengths.back() - 1), size = static_cast<double>(part);
  const double ideal = startup > 0 ? std::sqrt(further * size * per_byte / startup) : size;
  return cheapest_cut({.total = part,
                       .high = part,
                       .ideal = ideal,
                       .cost =
                           [&](std::int64_t nu) {
                             const Cost c = equal_cost(lengths, bytes, nu);
                             return static_cast<double>(c.startups) * startup + static_cast<double>(c.bytes) * per_byte;
                           },
                       .bound =
                           [&](std::int64_t nu) {
                             const auto packets = static_cast<double>(nu);
                             return (packets + further) * (startup + size * per_byte / packets);
                           }});
}

Slot balanced_piece(const Lengths& lengths, std::size_t path, std::int64_t index) {
  // Packets are dealt in order of (round of arrival, path): count those before.
  const Round arrival = index + lengths[path];
  auto before = static_cast<Slot>(path);
  for (const std::int64_t length : lengths) before += std::max<Round>(0, arrival - length);
  return before;
}

Round balanced_rounds(const Lengths& lengths, std::int64_t packets) {
  if (packets == 0) return 0;
  // With only the k shortest paths in use R = ceil((M + S_k) / k); another path helps until it would not be reached.
  Round least = 0;
  std::int64_t excess = 0, used = 0;
  for (const std::int64_t length : lengths) {
    excess += length - 1;
    ++used;
    const Round rounds = ceil_div(packets + excess, used);
    if (used == 1 || rounds < least) least = rounds;
  }
  return least;
}

std::vector<std::int64_t> balanced_packets(const Lengths& lengths, std::int64_t packets) {
  const Round before = balanced_rounds(lengths, packets) - 1;
  std::vector<std::int64_t> given;
  for (const std::int64_t length : lengths) given.push_back(std::max<std::int64_t>(0, before - length + 1));
  std::int64_t rest = packets - std::accumulate(given.begin(), given.end(), std::int64_t{0});
  for (std::size_t j = 0; rest > 0; ++j, --rest) ++given[j];
  return given;
}

Cost balanced_cost(const Lengths& lengths, Bytes bytes, Bytes packet_bytes) {
  if (bytes == 0) return {};
  const std::int64_t packets = ceil_div(bytes, packet_bytes);
  const Round rounds = balanced_rounds(lengths, packets), full = balanced_rounds(lengths, packets - 1);
  return neighbour_cost(rounds, packet_bytes * full + (bytes - (packets - 1) * packet_bytes) * (rounds - full));
}

Bytes best_packet_bytes(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte) {
  if (startup <= 0 || bytes <= 1) return 1;  // rounds are free: R(N) bytes, the least
  const auto size = static_cast<double>(bytes);
  const auto cost = [&](Bytes w) {
    const Cost c = balanced_cost(lengths, bytes, w);
    return static_cast<double>(c.startups) * startup + static_cast<double>(c.bytes) * per_byte;
  };
  // R(M) is at least the least over k of (M + S_k)/k, which is linear between integers: so the cost is at least the
  // least over k of the bounds below. Each is convex and the best size lies under one of them. Of paths of equal length
  // all help or none does.
  Bytes best = 0;
  std::int64_t excess = 0;
  for (std::size_t j = 0; j < lengths.size(); ++j) {
    excess += lengths[j] - 1;
    if (j + 1 < lengths.size() && lengths[j + 1] == lengths[j]) continue;
    const auto s = static_cast<double>(excess), k = static_cast<double>(j + 1);
    const auto bound = [&](Bytes w) {
      const auto packet = static_cast<double>(w);
      return (startup + per_byte * packet) * (size / packet + s) / k;
    };
    const double ideal = s * per_byte > 0 ? std::sqrt(startup * size / (per_byte * s)) : size;
    const Bytes found = cheapest_cut({.total = bytes, .high = bytes, .ideal = ideal, .cost = cost, .bound = bound});
    const double ratio = best == 0 ? 0 : cost(found) / cost(best);
    if (ratio < 1 - 1e-12 || (ratio <= 1 + 1e-12 && found < best)) best = found;
  }
  return best;
}

}  // namespace quadrille
