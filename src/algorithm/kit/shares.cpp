#include "algorithm/kit/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/streams.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::kit {

Cost equal_cost(const Lengths& lengths, Bytes bytes, std::int64_t packets) {
  if (bytes == 0) return {};
  // The paths with a larger part and the others: of each kind the longest path is the busy one to the end.
  const auto count = static_cast<std::int64_t>(lengths.size());
  const std::int64_t larger = bytes % count;
  std::vector<Stream> streams{{bytes / count, packets, {{1, lengths.back()}}}};
  if (larger > 0) streams.push_back({bytes / count + 1, packets, {{1, lengths[static_cast<std::size_t>(larger - 1)]}}});
  return streams_cost(streams);
}

std::int64_t best_equal_packets(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte,
                                const pattern::Further& crowd) {
  const auto count = static_cast<std::int64_t>(lengths.size());
  const Bytes part = bytes / count;
  const std::int64_t most = most_packets(bytes, count);
  if (most <= 1) return 1;
  // The longest path alone is a pipeline of the smaller part.
  const auto further = static_cast<double>(lengths.back() - 1), size = static_cast<double>(part);
  const Seconds packet = startup + crowd.least();
  const double ideal = packet > 0 ? std::sqrt(further * size * per_byte / packet) : size;
  return cheapest_cut({.total = part,
                       .high = most,
                       .ideal = ideal,
                       .cost =
                           [&](std::int64_t nu) {
                             const Cost c = equal_cost(lengths, bytes, nu);
                             return static_cast<double>(c.startups) * startup +
                                    static_cast<double>(c.bytes) * per_byte + crowd.time(nu);
                           },
                       .bound =
                           [&](std::int64_t nu) {
                             const auto packets = static_cast<double>(nu);
                             return (packets + further) * (startup + size * per_byte / packets) +
                                    packets * crowd.least();
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
    const Round rounds = base::ceil_div(packets + excess, used);
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
  const std::int64_t packets = base::ceil_div(bytes, packet_bytes);
  const Round rounds = balanced_rounds(lengths, packets), full = balanced_rounds(lengths, packets - 1);
  return neighbour_cost(rounds, packet_bytes * full + (bytes - (packets - 1) * packet_bytes) * (rounds - full));
}

Bytes best_packet_bytes(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte,
                        const pattern::Further& crowd) {
  if (startup <= 0 || bytes <= 1) return 1;  // rounds are free: R(N) bytes, the least
  const auto size = static_cast<double>(bytes);
  const auto cost = [&](Bytes w) {
    const Cost c = balanced_cost(lengths, bytes, w);
    return static_cast<double>(c.startups) * startup + static_cast<double>(c.bytes) * per_byte +
           crowd.time(base::ceil_div(bytes, w));
  };
  // R(M) is at least the least over k of (M + S_k)/k, which is linear between integers: so the cost is at least the
  // least over k of the bounds below. Each is convex and the best size lies under one of them. Of paths of equal length
  // all help or none does. The source sends all M packets in R rounds, so at least M - R are further messages: each
  // packet takes one's time, and each round so much less, but for rounds in which it sends nothing.
  const Seconds round = startup - crowd.each;
  Bytes best = 0;
  std::int64_t excess = 0;
  for (std::size_t j = 0; j < lengths.size(); ++j) {
    excess += lengths[j] - 1;
    if (j + 1 < lengths.size() && lengths[j + 1] == lengths[j]) continue;
    const auto s = static_cast<double>(excess), k = static_cast<double>(j + 1);
    const auto bound = [&](Bytes w) {
      const auto packet = static_cast<double>(w);
      return (round + per_byte * packet) * (size / packet + s) / k + crowd.each * size / packet;
    };
    const double ideal = s * per_byte > 0 ? std::sqrt((round + k * crowd.each) * size / (per_byte * s)) : size;
    const Bytes found = cheapest_cut({.total = bytes, .high = bytes, .ideal = ideal, .cost = cost, .bound = bound});
    const double ratio = best == 0 ? 0 : cost(found) / cost(best);
    if (ratio < 1 - 1e-12 || (ratio <= 1 + 1e-12 && found < best)) best = found;
  }
  return best;
}

Cost split_cost(const Lengths& lengths, const Split& split) {
  std::vector<Stream> streams;
  for (std::size_t j = 0; j < lengths.size(); ++j)
    if (split.bytes[j] > 0) streams.push_back({split.bytes[j], split.packets[j], {{1, lengths[j]}}});
  return streams_cost(streams);
}

namespace {

Seconds pipe_time(const Pipe& pipe, std::int64_t packets, Seconds startup, double per_byte) {
  const Cost c = pipe_cost(pipe, packets);
  return static_cast<double>(c.startups) * startup + static_cast<double>(c.bytes) * per_byte;
}

/// The most bytes, up to `bytes`, that a path carries in this time.
Bytes most_within(std::int64_t length, Bytes bytes, Seconds time, Seconds startup, double per_byte) {
  Bytes fits = 0;
  for (Bytes beyond = bytes + 1; beyond - fits > 1;) {
    const Bytes middle = fits + (beyond - fits) / 2;
    const Pipe pipe{length, middle};
    const std::int64_t packets = best_packets(pipe, startup, per_byte);
    (pipe_time(pipe, packets, startup, per_byte) <= time ? fits : beyond) = middle;
  }
  return fits;
}

}  // namespace

Seconds split_time(const Lengths& lengths, const Split& split, Seconds startup, double per_byte) {
  Seconds slowest = 0;
  for (std::size_t j = 0; j < lengths.size(); ++j)
    slowest = std::max(slowest, pipe_time({lengths[j], split.bytes[j]}, split.packets[j], startup, per_byte));
  return slowest;
}

Split best_split(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte) {
  const auto shares = [&](Seconds time) {
    Split split;
    Bytes left = bytes;
    for (std::size_t j = 0; j < lengths.size(); ++j) {
      split.bytes.push_back(most_within(lengths[j], left, time, startup, per_byte));
      left -= split.bytes.back();
    }
    return std::pair(split, left == 0);
  };
  // All on the shortest path is slow enough; then halve the time in question until doubles end.
  const Pipe alone{lengths[0], bytes};
  Seconds enough = pipe_time(alone, best_packets(alone, startup, per_byte), startup, per_byte), less = 0;
  enough *= 1 + 1e-12;
  while (enough - less > 1e-12 * enough) {
    const Seconds middle = less + (enough - less) / 2;
    (shares(middle).second ? enough : less) = middle;
  }
  Split split = shares(enough).first;
  for (std::size_t j = 0; j < lengths.size(); ++j)
    split.packets.push_back(best_packets({lengths[j], split.bytes[j]}, startup, per_byte));
  return split;
}

}  // namespace quadrille::algorithm::kit
