// Whether messages that hold the links they have while they wait for the next ones can wait for each other in a circle.
#pragma once

#include <unordered_map>
#include <vector>

#include "quadrille/verify.hpp"
#include "schedule/metered.hpp"

namespace quadrille::verifier {

/// The messages of one round under circuit switching. Each takes the links of its way one after the other and keeps
/// them to its end (half duplex: wires); one that finds a link taken waits. Ports make no circle of their own: a
/// message holds nothing while it waits for the port it leaves by, and all its links flow once it has the port it comes
/// to.
class CircuitRound {
 public:
  CircuitRound(const Spec& spec, const Machine& machine, schedule::Meter& meter);

  void add(Rank from, Rank to, Bytes bytes);
  /// A circle that can occur, or none. No two of its messages need the same link before they wait.
  std::optional<Counterexample> circle(Round t);

 private:
  using Index = std::uint32_t;
  struct Message {
    Rank from, to;
    Index first, last;  ///< of links_
  };
  struct Use {
    Index message, at;  ///< its place in the message's way
  };
  /// A message that holds its way before `waits`, and waits for the link there.
  struct Waiting {
    Index message, waits;
  };

  void add_way(Rank from, Rank to, std::uint32_t way);
  Index number(Link link);
  Index link(const Waiting& w) const { return links_[messages_[w.message].first + w.waits]; }
  Index length(Index message) const { return messages_[message].last - messages_[message].first; }
  /// Leaves only links that may lie on a circle: each can be held while another such link is waited for, and reverse.
  void peel();
  bool extend();
  bool holds(const Waiting& w, Index link) const;
  bool apart(const Waiting& w) const;
  Counterexample describe(Round t) const;

  const Topology& topology_;
  schedule::Meter& meter_;
  bool half_, one_port_;
  std::vector<Message> messages_;
  std::vector<Index> links_;  ///< of all messages, as numbered here
  std::vector<Link> names_;   ///< of those numbers
  std::unordered_map<Link, Index> numbers_;
  std::vector<std::vector<Use>> uses_;  ///< by link
  std::vector<bool> core_;              ///< by link: not peeled off
  std::vector<Link> path_;
  std::vector<Waiting> chain_;
};

}  // namespace quadrille::verifier
