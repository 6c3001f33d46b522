// Proofs of large reductions, backwards in time: from every result, who must hold a part of it before. Where each
// rank's contribution goes up one tree to one place, and results are copied from there, this is exact, and ranks that
// stand for others are enough. [docs/how-it-works/proofs.md]
#pragma once

#include "verifier/prover.hpp"

namespace quadrille::verifier {

/// The checks of messages and slots alone.
class Structure final : public Prover {
 public:
  using Prover::Prover;

 private:
  void land(Delivery& d, const Transfer& segment) override;
  Found final_state() const override { return {}; }
};

class TreeProof {
 public:
  /// Of a schedule of which Structure holds.
  TreeProof(const Spec& spec, const Schedule& schedule, Group group, bool one_piece);

  /// True: every result is made of each contribution exactly once, by one tree. False: it is not of this kind, or
  /// wrong.
  bool run();
  int depth() const { return depth_; }  ///< most operations from a contribution to a result

 private:
  /// What a slot must hold: a part of the result for a slot of `in`, or all of it.
  struct Need {
    Slot name = no_block;
    bool whole = false;
    int depth = 0;  ///< operations that follow
  };
  struct Update {
    Rank rank;
    Buffer buffer;
    Slot slot;
    Need need;
  };
  /// The needs of one rank's buffer, in few bytes.
  class Needs {
   public:
    explicit Needs(Slot slots) : names_(slots), depths_(static_cast<std::size_t>(slots), 0) {}
    Need get(Slot s) const;
    void set(Slot s, const Need& need);

   private:
    SymbolArray names_;
    std::vector<std::uint16_t> depths_;
  };
  void begin();
  bool round(Round t);
  /// One slot of a message, and what the receiver does with it.
  struct Landing {
    Rank peer;
    Buffer from_buffer;
    Slot from;
    Buffer to_buffer;
    Slot to;
    Combine combine;
    Slot operand;
  };
  void collect_landings(Round t, Rank r);
  void look_back(Round t, Rank r, const Landing& landing);
  bool apply(const Update& update);
  bool ends_well() const;
  bool skips(Buffer buffer, Slot slot) const { return one_piece_ && slot >= shape_.blocks(buffer); }
  /// The slot at a rank that stands for others, of which renaming by `by` makes this one.
  Slot turned_back(Round t, Buffer buffer, Slot slot, Rank by) const;
  Needs& needs(Rank r, Buffer buffer) { return needs_[static_cast<std::size_t>(3 * r + static_cast<Rank>(buffer))]; }
  const Needs& needs(Rank r, Buffer buffer) const {
    return needs_[static_cast<std::size_t>(3 * r + static_cast<Rank>(buffer))];
  }

  const Spec& spec_;
  const Schedule& schedule_;
  const Shape& shape_;
  Group group_;
  bool one_piece_;
  Rank representatives_;
  std::vector<Needs> needs_;
  std::vector<Landing> landings_;
  std::vector<Update> updates_;
  Summary summary_;
  Collected sends_, list_;
  bool tree_ = true;
  int depth_ = 0;
};

}  // namespace quadrille::verifier
