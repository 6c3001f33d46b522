// The processors of ranks: each message takes its sender's and its receiver's an overhead, one message after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quadrille/machine.hpp"

namespace quadrille::simulator {

/// A rank pays overhead_send when it hands a message to the network, and overhead_receive when it takes one: in the
/// round that the message belongs to, as a program does that waits for it there. A message that comes earlier is held.
class Processors {
 public:
  Processors(const Machine& machine, Rank ranks)
      : send_(machine.overhead_send),
        receive_(machine.overhead_receive),
        eager_limit_(machine.eager_limit),
        free_(machine.has_overhead() ? static_cast<std::size_t>(ranks) : 0) {}

  bool on() const { return !free_.empty(); }
  /// Whether the sender is done with so many bytes once it has handed them over.
  bool buffers(Bytes bytes) const { return on() && bytes < eager_limit_; }
  /// When the rank has handed over a message that it turns to at `now`, or later when it is busy.
  Seconds sends(std::uint32_t r, Seconds now) { return work(r, now, send_); }
  /// When it has taken a message that it turns to at `now`: a long one goes straight to its place.
  Seconds receives(std::uint32_t r, Bytes bytes, Seconds now) { return buffers(bytes) ? work(r, now, receive_) : now; }

  /// A message for a round that its receiver has not begun.
  void hold(std::uint32_t r, std::uint32_t round, std::uint32_t flight) { held_[key(r, round)].push_back(flight); }
  /// What was held for the round, in order of arrival; it is forgotten.
  std::vector<std::uint32_t> held(std::uint32_t r, std::uint32_t round) {
    const auto found = held_.find(key(r, round));
    if (found == held_.end()) return {};
    std::vector<std::uint32_t> flights = std::move(found->second);
    held_.erase(found);
    return flights;
  }

  /// Flights that leave as one, until their processor has handed them over; kept under the first of them.
  void keep(const std::vector<std::uint32_t>& bundle) {
    if (bundle.size() > 1) bundles_[bundle.front()] = bundle;
  }
  std::vector<std::uint32_t> kept(std::uint32_t first) {
    const auto found = bundles_.find(first);
    if (found == bundles_.end()) return {first};
    std::vector<std::uint32_t> bundle = std::move(found->second);
    bundles_.erase(found);
    return bundle;
  }

 private:
  Seconds work(std::uint32_t r, Seconds now, Seconds overhead) {
    if (r >= free_.size()) return now;  // a shared memory has no processor
    return free_[r] = std::max(free_[r], now) + overhead;
  }
  static std::uint64_t key(std::uint32_t r, std::uint32_t round) { return std::uint64_t{r} << 32 | round; }

  Seconds send_, receive_;
  Bytes eager_limit_;
  std::vector<Seconds> free_;  ///< by rank; empty when nothing costs overhead
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> held_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> bundles_;
};

}  // namespace quadrille::simulator
