// Where a schedule that runs backwards as a reduction begins and ends its partial results.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "base/integer.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// Of every slot of out at a rank: the message in which it is first combined into, which is one of the last round in
/// which the base sends it. Kept for all ranks where they are few, else for those that stand for others. Where slots
/// are many, nothing is known of a rank until somebody asks.
class FirstCombines {
 public:
  /// `filled`: nobody asks for slots behind these, which have no bytes. `own_blocks`: results stay at the ranks of
  /// their blocks. Throws Error(illegal) for a base that rearranges blocks, Error(budget) for one that is too large.
  FirstCombines(const Schedule& base, Rank turned, Slot filled, bool own_blocks);

  /// Whether the slot is of the block whose result stays at the rank.
  bool is_own(Rank r, Slot slot) const {
    if (!own_blocks_) return false;
    const Slot blocks = base_.shape().out, piece = slot < blocks ? 0 : slot / blocks, label = slot - piece * blocks;
    return (named_as_ranks_ ? label : base_.block(Buffer::out, label, piece)) == r;
  }

  struct Message {
    std::uint32_t round = 0;  ///< counted from 1; 0: the base never sends the slot
    std::uint32_t peer = 0;
    bool operator==(const Message&) const = default;
  };
  /// Whether a rank's combines of a round are in the order of comes_before; else in that of the base.
  bool in_order() const { return in_order_; }
  /// Nearest ranks first, those below before those above: where the contributions of neighbours are next to each other,
  /// results then take them in the order of ranks.
  bool before(Rank self, Rank a, Rank b) const;
  Group group() const { return group_; }
  /// Visits that all questions take together, about, as long as nothing is known; then 0.
  std::int64_t visits() const { return started_ ? 0 : kept_ * kept_slots_ / 4 * 3; }

 private:
  struct Row {
    std::once_flag once;
    std::vector<Message> sends;
    /// Of every piece of the rank's own block, the first one in which the result is complete.
    std::vector<Message> own;
  };

 public:
  /// What is known of rank r's slots, for one segment of the base.
  class View {
   public:
    View(const FirstCombines& all, Round t, Rank r, const Transfer& segment);
    /// Whether rank r combines anything into the slot.
    bool any(Slot slot) const { return at(slot).round > 0; }
    /// When what rank r combines of its own block is the result: at the first, or a later message of the last round.
    enum class End { not_yet, first, later };
    End ends(Slot slot, Round t, Rank peer) const {
      const Message m = row_.own[static_cast<std::size_t>(slot / all_.base_.shape().out)];
      if (m.round != static_cast<std::uint32_t>(t + 1)) return End::not_yet;
      return renamed(static_cast<Rank>(m.peer)) == peer ? End::first : End::later;
    }
    /// Whether that begins with the message of base round t that it sends to the peer.
    bool begins(Slot slot, Round t, Rank peer) const {
      const Message m = at(slot);
      return m.round == static_cast<std::uint32_t>(t + 1) && renamed(static_cast<Rank>(m.peer)) == peer;
    }
    /// Whether any() says the same of all the segment's slots, or begins() does for a segment that is sent in base
    /// round t. Not for ranks for which another one stands.
    bool alike(Round t, const Transfer& segment) const;
    bool stands_for_itself() const { return by_ == 0; }

   private:
    Message at(Slot slot) const;
    Rank renamed(Rank peer) const {
      return by_ == 0 ? peer : all_.group_ == Group::rotate ? (peer + by_) % all_.base_.shape().ranks : peer ^ by_;
    }
    const FirstCombines& all_;
    Rank zero_, by_ = 0;
    const Row& row_;
    Slot twist_ = 0;
  };

 private:
  Rank kept_as(Rank r) const { return group_ == Group::none ? r : representative_rank(r, group_); }
  const Row& known(Rank kept) const;
  void find(Rank r, Row& row) const;
  void note(Round t, Rank r, const Transfer& x, Row& row) const;
  bool sooner(Rank r, const Message& a, const Message& b) const {
    return a.round == b.round && in_order_ && before(r, static_cast<Rank>(a.peer), static_cast<Rank>(b.peer));
  }
  Slot pieces() const { return base_.shape().cut.pieces(); }

  const Schedule& base_;
  Rank turned_;
  Slot slots_;
  bool in_order_, own_blocks_, named_as_ranks_ = false;
  Group group_ = Group::none;
  Rank kept_;
  Slot kept_slots_;
  mutable std::atomic<bool> started_ = false;
  std::unique_ptr<Row[]> rows_;
};

}  // namespace quadrille::schedule
