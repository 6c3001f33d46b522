// Proofs: a schedule is executed on symbols instead of data, and every promise is checked on the way.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithm.hpp"

namespace quadrille {

/// What went wrong first, so that a person can follow it.
struct Counterexample {
  enum class Kind {
    shape,       ///< a slot, rank or buffer that does not exist
    matching,    ///< a send without its receive or the reverse, or lengths that differ: a deadlock without buffers
    possession,  ///< a rank sends what it does not hold
    order,       ///< a result that takes contributions in another order than that of ranks
    doubled,     ///< a contribution that is combined into a result twice
    race,        ///< a slot read and written, or written twice, in one round
    adjacency,   ///< a message between ranks that no wire joins, on a store-and-forward machine
    ports,       ///< more messages at a rank than its ports
    duplex,      ///< both directions of a half-duplex wire in one round
    contention,  ///< more than one message on a link though the algorithm promises one
    identical,   ///< ranks compute a result in different ways though it must have the same bits everywhere
    duplicate,   ///< a piece delivered twice though the algorithm promises once
    delivery,    ///< a block missing or wrong at the end
    symmetry,    ///< the claimed symmetry does not hold
    circuits     ///< circuits of one round that may wait for each other in a circle, each holding what another wants
  };
  /// What is in a slot, and what must be there; empty where that is not one thing.
  struct Content {
    Rank rank;
    Buffer buffer;
    Slot slot;
    std::string has = {}, must = {};
    Slot block = -1;  ///< by number, of a collective that moves blocks: the one that must be there
  };
  Kind kind;
  Round round;  ///< -1: after the last
  Rank rank;
  std::string text;                                   ///< a sentence or two
  std::optional<std::pair<Rank, Rank>> message = {};  ///< sender and receiver, where one message is at fault
  std::optional<Content> content = {};                ///< where one slot is
};
std::string_view to_string(Counterexample::Kind kind);

struct Proof {
  bool holds = false;
  std::optional<Counterexample> counterexample;  ///< when it does not hold
  std::vector<std::string> statements;           ///< what was shown, one sentence each
  bool by_symmetry = false;                      ///< representatives stood for all ranks
  std::int64_t rounds = 0;                       ///< rounds with a message
  std::int64_t messages = 0;                     ///< over all ranks, local permutations not counted
  std::int64_t deliveries = 0;                   ///< slots received over the network, over all ranks
  std::int64_t duplicates = 0;                   ///< of them, pieces the rank had received before
  Bytes scratch = 0;                             ///< tmp bytes of a rank
  std::int64_t link_messages = 0;                ///< most messages on one link (half duplex: wire) in a round
  std::int64_t visits = 0;                       ///< work done, as in VerifyBudget
  // Reductions.
  std::optional<bool> in_order = {};        ///< contributions are taken in the order of ranks; none: not looked at
  std::optional<Identical> identical = {};  ///< of a result that several ranks have
  std::optional<bool> canonical = {};       ///< every result is the canonical expression of Spec::canonical
  int depth = 0;                            ///< most operations from a contribution to a result
  bool exact = true;                        ///< false: wrong with a probability of less than 2^-100
  std::uint64_t tree = 0;                   ///< equal for equal expression trees; 0: not looked at
};

/// Of a reduction that holds: "in the order of ranks, the same bits everywhere, 7 operations deep".
std::string results_text(const Spec& spec, const Proof& proof);

/// How much memory and time a proof may take; beyond it Error(budget), naming what is cheaper.
struct VerifyBudget {
  std::int64_t slots = std::int64_t{1} << 27;  ///< block names kept at once
  /// Visits to a rank in a round, to a slot sent or received there, to a link of a route; some seconds.
  std::int64_t visits = std::int64_t{1} << 29;
  bool use_symmetry = true;                   ///< false: every rank is executed even where a symmetry is claimed
  std::function<void(double)> progress = {};  ///< if any, is told after every round which share of the work is done
};

/// Executes the schedule round by round on block names. Never throws for a wrong schedule: that is a counterexample.
Proof verify(const Spec& spec, const Machine& machine, const Schedule& schedule, const Claims& claims,
             const VerifyBudget& budget = {});

/// Checks the claimed symmetry itself: exhaustively up to `work` transfers, beyond that on a fixed sample of ranks and
/// rounds. Empty when it holds.
std::optional<Counterexample> check_symmetry(const Spec& spec, const Schedule& schedule, std::int64_t work = 1 << 20);

}  // namespace quadrille
