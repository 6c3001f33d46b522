// What one round of an exchange can carry.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "flow/exchange_ways.hpp"
#include "flow/network.hpp"

namespace quadrille::flow {

/// What a round still has room for, where ranks or wires take turns.
class RoomOfRound {
 public:
  RoomOfRound(const Network& network, const LinksOfArcs& links, const TakingTurns& turns, std::int64_t most)
      : network_(network),
        links_(links),
        turns_(turns),
        most_(most),
        carried_(links.count(), 0),
        back_(network.arcs().size(), -1),
        ranks_(static_cast<std::size_t>(network.ranks())) {
    for (std::size_t i = 0; turns.one_way && i < back_.size(); ++i)
      back_[i] = static_cast<std::int32_t>(network.find(network.arcs()[i].to, network.arcs()[i].from));
  }
  void begin() {
    std::fill(carried_.begin(), carried_.end(), 0);
    std::fill(ranks_.begin(), ranks_.end(), Busy{});
  }
  /// Whether the arc may carry so many words more; then it does.
  bool take(std::int32_t arc, std::int32_t words) {
    const Arc& over = network_.arcs()[static_cast<std::size_t>(arc)];
    Busy& sender = ranks_[static_cast<std::size_t>(network_.rank(over.from))];
    Busy& receiver = ranks_[static_cast<std::size_t>(network_.rank(over.to))];
    const std::int32_t back = back_[static_cast<std::size_t>(arc)];
    bool fits = true;
    links_.each(arc, [&](std::size_t link) {
      fits = fits && (carried_[link] == 0 || carried_[link] + words <= links_.capacity(link) * most_);
    });
    if (!fits) return false;
    if (turns_.one_way && back >= 0 && carried_[static_cast<std::size_t>(back)] > 0) return false;
    if (turns_.one_port &&
        ((sender.sends >= 0 && sender.sends != arc) || (receiver.receives >= 0 && receiver.receives != arc)))
      return false;
    if (turns_.one_task && (sender.receives >= 0 || receiver.sends >= 0)) return false;
    sender.sends = receiver.receives = arc;
    links_.each(arc, [&](std::size_t link) { carried_[link] += words; });
    return true;
  }

 private:
  struct Busy {
    std::int32_t sends = -1, receives = -1;  ///< over this arc
  };
  const Network& network_;
  const LinksOfArcs& links_;
  TakingTurns turns_;
  std::int64_t most_;
  std::vector<std::int64_t> carried_;  ///< by every link
  std::vector<std::int32_t> back_;     ///< the arc of the same wire the other way; -1: there is none
  std::vector<Busy> ranks_;
};

}  // namespace quadrille::flow
