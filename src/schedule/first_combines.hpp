// Where a schedule that runs backwards as a reduction begins and ends its partial results.
#pragma once

#include <vector>

#include "base/integer.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// Of every slot of out at a rank: the message in which it is first combined into, which is one of the last round in
/// which the base sends it. Kept for all ranks where they are few, else for those that stand for others.
class FirstCombines {
 public:
  /// Throws Error(illegal) for a base that rearranges blocks, Error(budget) for one that is too large.
  FirstCombines(const Schedule& base, Rank turned);

  struct Message {
    std::uint32_t round = 0;  ///< counted from 1; 0: the base never sends the slot
    std::uint32_t peer = 0;
  };
  /// Whether a rank's combines of a round are in the order of comes_before; else in that of the base.
  bool in_order() const { return in_order_; }
  /// Nearest ranks first, those below before those above: where the contributions of neighbours are next to each other,
  /// results then take them in the order of ranks.
  bool before(Rank self, Rank a, Rank b) const;
  Group group() const { return group_; }
  /// What is known of rank r's slots, for one segment of the base.
  class View {
   public:
    View(const FirstCombines& all, Round t, Rank r, const Transfer& segment);
    /// Whether rank r combines anything into the slot.
    bool any(Slot slot) const { return at(slot).round > 0; }
    /// When what rank r combines of its own block is the result: at the first, or a later message of the last round.
    enum class End { not_yet, first, later };
    End ends(Slot slot, Round t, Rank peer) const {
      const Message m = all_.own_[static_cast<std::size_t>(zero_ * all_.pieces() + slot / all_.base_.shape().out)];
      if (m.round != static_cast<std::uint32_t>(t + 1)) return End::not_yet;
      return renamed(static_cast<Rank>(m.peer)) == peer ? End::first : End::later;
    }
    /// Whether that begins with the message of base round t that it sends to the peer.
    bool begins(Slot slot, Round t, Rank peer) const {
      const Message m = at(slot);
      return m.round == static_cast<std::uint32_t>(t + 1) && renamed(static_cast<Rank>(m.peer)) == peer;
    }

   private:
    Message at(Slot slot) const;
    Rank renamed(Rank peer) const {
      return by_ == 0 ? peer : all_.group_ == Group::rotate ? (peer + by_) % all_.base_.shape().ranks : peer ^ by_;
    }
    const FirstCombines& all_;
    Rank zero_ = 0, by_ = 0;
    Slot twist_ = 0;
  };

 private:
  void note(Round t, Rank r, const Transfer& x);
  bool sooner(Rank r, const Message& a, const Message& b) const {
    return a.round == b.round && in_order_ && before(r, static_cast<Rank>(a.peer), static_cast<Rank>(b.peer));
  }
  Slot pieces() const { return base_.shape().cut.pieces(); }

  const Schedule& base_;
  Rank turned_;
  Slot slots_;
  bool in_order_;
  Group group_ = Group::none;
  std::vector<Message> sends_;
  std::vector<Message> own_;  ///< of every piece of a rank's own block, the first one, in which the result is complete
};

}  // namespace quadrille::schedule
