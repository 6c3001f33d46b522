// What a schedule does, told short: every rank's action in every round in the rank's own names, with the blocks that
// its messages carry, found by running block names through the schedule.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "report/items.hpp"
#include "report/naming.hpp"

namespace quadrille::report {

struct TraceBudget {
  std::int64_t steps = std::int64_t{1} << 21;    ///< rank-rounds
  std::int64_t visits = std::int64_t{1} << 23;   ///< slots moved, one by one
  std::int64_t numbers = std::int64_t{1} << 18;  ///< in the trace
};

/// Numbers that change from rank to rank, as runs: first rank, ranks, value.
using Runs = Numbers;

struct Trace {
  Trace(Naming names, bool items_too) : naming(std::move(names)), with_items(items_too) {}

  Naming naming;
  bool with_items = true;                     ///< false: messages alone, their blocks are left out
  BlockNames blocks = {BlockKind::plain, 1};  ///< what the blocks in `items` are
  bool pieces_move = false;                   ///< pieces are counted from the round: piece p of round t is named p - t
  Dictionary items;         ///< sets of blocks; number 0 is none. In reductions parts and their contributions
  Dictionary actions;       ///< lists of peer, bytes, items, sorted by peer; number 0 is none
  std::vector<Runs> steps;  ///< a round's actions, for ranks whose action differs from the round before
  Runs initial, wanted;     ///< what a rank has before and must have after, by items
  Dictionary sets;          ///< of contributions, in reductions; number 0 is unused
  std::vector<Runs> made;   ///< by items, a round's new contributions, as `steps`
  /// The way of a message, by its peer's name; in the names of the sender, from the first node (or, in a network of
  /// stages, wire) after it to the last before the receiver. Empty with `direct`, where messages cross one link.
  std::vector<std::pair<std::int64_t, Numbers>> routes;
  /// The same for pairs of ranks, where the names do not say all: sender * nodes + receiver.
  std::vector<std::pair<std::int64_t, Numbers>> pair_routes;
  /// Of pairs whose messages are divided: how many of the links that pair_routes lists are those of the way with most
  /// parts, which come first, and what part of a message crosses each link listed.
  struct Divided {
    std::int64_t pair = 0;
    std::int64_t widest = 0;
    std::vector<double> shares;
  };
  std::vector<Divided> divided;
  bool routes_known = true;
};

/// Nothing when the budget does not suffice; with_items = false costs far less.
std::optional<Trace> trace(const Spec& spec, const Schedule& schedule, bool with_items, const TraceBudget& budget = {});

}  // namespace quadrille::report
