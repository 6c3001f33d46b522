// Which packet crosses which edge of a circulant graph when many packets are broadcast in as few rounds as can be, for
// any number of ranks. [Traeff, Round-optimal n-Block Broadcast Schedules in Logarithmic Time, 2023]
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::algorithm::bcast {

/// Ranks 0 .. P-1, 0 the root; in a round of kind k = 0 .. q-1 every rank r sends to r + skip(k) modulo P, where q =
/// ceil(log2 P), skip(q) = P and skip(k) is half of skip(k+1), rounded up. Over q rounds a rank receives one packet
/// that is new to it and its neighbours (its base), and older ones that others have had: no packet twice.
class Circulant {
 public:
  explicit Circulant(Rank ranks);
  int kinds() const { return q_; }
  Rank skip(int kind) const { return skip_[static_cast<std::size_t>(kind)]; }

  static constexpr int most = 32;
  /// What rank r > 0 receives in a round of each kind: packet base + recv[kind], where base is the number of the packet
  /// that the root sends in the round of kind 0; -q <= recv[kind] < q.
  using Received = std::array<int, most>;
  Received received(Rank r) const;

 private:
  class Search;
  int base(Rank r) const;
  int q_;
  std::array<Rank, most + 1> skip_{};
};

/// Why ranks cannot send to and take from other ranks of a circulant graph in a round; empty when they can. `instead`
/// is the algorithm that it names.
std::string needs_shifts(const Spec& spec, const Machine& machine, std::string_view instead);

/// By kind of round, the values of recv[kind] that occur over all ranks, as bits q + recv[kind]. Visits every rank.
std::vector<std::uint64_t> received_by_any(const Circulant& graph, Rank ranks);

}  // namespace quadrille::algorithm::bcast
