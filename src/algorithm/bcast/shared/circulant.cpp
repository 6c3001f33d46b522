#include "algorithm/bcast/shared/circulant.hpp"

#include <algorithm>

#include "base/integer.hpp"

namespace quadrille::algorithm::bcast {

Circulant::Circulant(Rank ranks) : q_(base::log2_ceil(ranks)) {
  skip_[static_cast<std::size_t>(q_)] = ranks;
  for (auto k = static_cast<std::size_t>(q_); k > 0; --k) skip_[k - 1] = (skip_[k] + 1) / 2;
}

/// The kind of the first edge on the shortest way from the root to r with edges of increasing kind: the packet that the
/// root sends in that round is the first of its q to reach r.
int Circulant::base(Rank r) const {
  for (int k = q_ - 1; k >= 0; --k) {
    if (r == skip(k)) return k;
    if (r > skip(k)) r -= skip(k);
  }
  return q_;
}

/// Looks for q ranks, kind by kind, from which r can have its packets: those that lie skip(k+1) to skip(k) before it.
/// Ways from the root are tried depth first with edges of decreasing kind; no kind begins two of the ways that are
/// taken, so that all q packets differ.
class Circulant::Search {
 public:
  Search(const Circulant& graph, Rank r, int base) : graph_(graph), q_(graph.q_), end_(graph.skip(graph.q_) + r) {
    for (int e = 0; e <= q_; ++e) next_[at(e)] = e - 1, previous_[at(e)] = e + 1;
    next_[0] = q_, previous_[at(q_)] = -1, previous_[0] = 0;
    if (base < q_) unlink(base);
    nearest_ = 2 * graph.skip(q_);
    from(0, q_);
  }
  /// The kind that begins the way for kind k; q: a way once round.
  int found(int k) const { return found_[static_cast<std::size_t>(k)]; }

 private:
  static std::size_t at(int e) { return static_cast<std::size_t>(e + 1); }
  void unlink(int e) {
    next_[at(previous_[at(e)])] = next_[at(e)];
    previous_[at(next_[at(e)])] = previous_[at(e)];
  }
  Rank reach(int k) const { return end_ - graph_.skip(std::min(k, q_)); }

  void from(Rank here, int e) {
    for (; e != -1; e = next_[at(e)]) {
      const Rank there = here + graph_.skip(e);
      if (k_ == q_ || there > reach(k_) || there >= nearest_) continue;
      if (there <= reach(k_ + 1)) from(there, e);
      if (k_ == q_ || here > reach(k_ + 1)) return;
      nearest_ = there;
      found_[static_cast<std::size_t>(k_++)] = e;
      unlink(e);
    }
  }

  const Circulant& graph_;
  int q_;
  Rank end_, nearest_;
  int k_ = 0;
  std::array<int, most + 3> next_{}, previous_{};
  std::array<int, most> found_{};
};

Circulant::Received Circulant::received(Rank r) const {
  const int b = base(r);
  const Search search(*this, r, b);
  Received recv{};
  for (int k = 0; k < q_; ++k) recv[static_cast<std::size_t>(k)] = search.found(k) == q_ ? b : search.found(k) - q_;
  return recv;
}

PacketRounds::PacketRounds(Rank ranks, std::int64_t packets)
    : graph_(ranks),
      packets_(packets),
      rounds_(packets - 1 + graph_.kinds()),
      skipped_(base::ceil_div(rounds_, graph_.kinds()) * graph_.kinds() - rounds_) {}

Slot PacketRounds::packet(Round t, Rank receiver) const {
  const int k = kind(t);
  const Slot packet = t - k + graph_.received(receiver)[static_cast<std::size_t>(k)];
  return packet < 0 ? -1 : std::min(packet, packets_ - 1);
}

namespace {

constexpr Rank most_visited = Rank{1} << 20;

/// Rounds with one of the first `longer` packets, which are a byte longer than the others.
Round rounds_with_longer(Rank ranks, std::int64_t packets, std::int64_t longer) {
  const Circulant graph(ranks);
  const int q = graph.kinds();
  const Round rounds = packets - 1 + q, skipped = base::ceil_div(rounds, q) * q - rounds;
  if (longer == 0) return 0;
  if (ranks > most_visited) return std::min(rounds, longer + 2 * q);
  const std::vector<std::uint64_t> any = received_by_any(graph, ranks);
  const auto carries = [&](Round t) {
    const Round k = (t + skipped) % q, base = t - k;
    // Packets base + recv with 0 <= base + recv < longer, recv from -q on.
    const auto low = std::clamp<Round>(q - base, 0, 63), high = std::clamp<Round>(q - base + longer, 0, 63);
    return (any[static_cast<std::size_t>(k)] &
            (std::uint64_t(base::bit(static_cast<int>(high))) - std::uint64_t(base::bit(static_cast<int>(low))))) != 0;
  };
  // Rounds 2q .. longer - 1 all carry one, those from longer + 2q on do not.
  Round count = 0;
  const Round early = std::min<Round>(rounds, 2 * q), late = std::max(early, std::min(rounds, longer));
  for (Round t = 0; t < early; ++t) count += carries(t);
  for (Round t = late; t < std::min(rounds, longer + 2 * q); ++t) count += carries(t);
  return count + late - early;
}

}  // namespace

Bytes bytes_in_rounds(Rank ranks, Bytes bytes, std::int64_t packets) {
  const Round rounds = packets - 1 + base::log2_ceil(ranks);
  return base::checked_multiply(rounds, bytes / packets, "bytes") + rounds_with_longer(ranks, packets, bytes % packets);
}

bool are_bytes_exact(Rank ranks, Bytes bytes, std::int64_t packets) {
  return bytes % packets == 0 || ranks <= most_visited;
}

std::vector<std::uint64_t> received_by_any(const Circulant& graph, Rank ranks) {
  const int q = graph.kinds();
  std::vector<std::uint64_t> any(static_cast<std::size_t>(q), 0);
  for (Rank r = 1; r < ranks; ++r) {
    const Circulant::Received recv = graph.received(r);
    for (std::size_t k = 0; k < any.size(); ++k) any[k] |= std::uint64_t{1} << (q + recv[k]);
  }
  return any;
}

}  // namespace quadrille::algorithm::bcast
