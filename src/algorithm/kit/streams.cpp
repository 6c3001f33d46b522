#include "algorithm/kit/streams.hpp"

#include <algorithm>

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// Packets of at least `size` bytes, size > 0: the first so many.
std::int64_t so_large(const Stream& s, Bytes size) {
  if (size <= s.bytes / s.packets) return s.packets;
  return size <= base::ceil_div(s.bytes, s.packets) ? s.bytes % s.packets : 0;
}

/// Rounds in which a packet of at least `size` bytes is on the way.
Round rounds_with(const std::vector<Stream>& streams, Bytes size) {
  std::vector<std::pair<Round, Round>> windows;
  for (const Stream& s : streams)
    if (const std::int64_t packets = so_large(s, size); packets > 0)
      for (const Window& w : s.windows) windows.emplace_back(w.first, w.last + (packets - 1) / w.lanes);
  std::sort(windows.begin(), windows.end());
  Round rounds = 0, seen = 0;
  for (const auto& [first, last] : windows) {
    rounds += std::max<Round>(0, last - std::max(seen, first - 1));
    seen = std::max(seen, last);
  }
  return rounds;
}

}  // namespace

Cost streams_cost(const std::vector<Stream>& streams) {
  Round rounds = 0;
  std::vector<Bytes> sizes{0};
  for (const Stream& s : streams) {
    sizes.insert(sizes.end(), {s.bytes / s.packets, base::ceil_div(s.bytes, s.packets)});
    for (const Window& w : s.windows) rounds = std::max(rounds, w.last + (s.packets - 1) / w.lanes);
  }
  std::sort(sizes.begin(), sizes.end());
  Bytes total = 0;
  for (std::size_t i = 1; i < sizes.size(); ++i)
    if (sizes[i] > sizes[i - 1]) total += (sizes[i] - sizes[i - 1]) * rounds_with(streams, sizes[i]);
  return neighbour_cost(rounds, total);
}

}  // namespace quadrille::algorithm::kit
