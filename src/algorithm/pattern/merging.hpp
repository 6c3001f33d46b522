// What the s-to-p broadcasts share: sources may move first, then lines of ranks broadcast among themselves, in one or
// more phases and in groups that do not wait for each other, and two groups may exchange at the end.
#pragma once

#include <functional>
#include <vector>

#include "algorithm/pattern/combining.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::pattern {

/// Line broadcasts that some ranks go through one after another; each phase has all these ranks on its lines.
using Phases = std::vector<Lines>;

/// The plan of an s-to-p broadcast.
struct MergePlan {
  SourcesPtr sources;
  Rank ranks = 0;
  std::vector<Rank> placed;    ///< by source: the rank that has its block when the lines begin
  std::vector<Phases> groups;  ///< every rank is in one
  std::vector<Talk> exchange;  ///< by rank: what follows the lines, everything both have; empty: nothing
  Odd odd = Odd::neighbour;
  bool repositions = false;  ///< moves the sources to where they spread best; they may be there already
  bool halves = false;  ///< every round in two, lower ranks sending first, so that no rank sends and receives at once

  bool moves() const { return placed != sources->ranks; }
  /// The sources are where they would move to: it is then what another algorithm does, and not worth a price.
  bool idle_move() const { return repositions && !moves(); }
};

/// The schedule of a MergePlan. A message is all that its sender held when the round began (the first of the two
/// halves), in increasing order of sources. Keeps a few numbers per rank, and a bit per rank and round.
class Merging final : public Schedule {
 public:
  explicit Merging(MergePlan plan);
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override;

  struct Message {
    Rank from, to, also = -1;  ///< also: a second receiver of the same
    Bytes bytes;
    bool one_run;  ///< of memory
  };
  /// Shows the messages of every round that has one, without their contents; ends early when `visit` returns false.
  void for_each_round(const std::function<bool(const std::vector<Message>&)>& visit) const;
  const MergePlan& plan() const { return plan_; }

 private:
  /// What a rank holds, in short.
  struct Held {
    Bytes bytes = 0;
    Slot count = 0, low = 0, high = 0;  ///< sources; the lowest and the highest of them
    void add(const Held& more);
  };
  /// Whom a rank sends to and receives from in a round.
  struct Sides {
    Rank to[2] = {-1, -1}, from[2] = {-1, -1};
  };
  Talk talk(Round stage, Rank r) const;
  Sides sides(Round t, Rank r) const;
  Round stage(Round t) const { return (t - opening_) / (plan_.halves ? 2 : 1); }
  bool holds(Round stage, Rank r) const { return holds_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(r)]; }
  std::vector<Held> placed() const;
  void merge_on(Round stage, std::vector<Held>& held) const;
  void collect(Round stage, Rank r, std::vector<Slot>& blocks) const;
  template <class Add>
  void add_held(Round stage, Rank r, Add add) const;
  void open(Rank r, Steps& out) const;
  std::vector<Message> opening_messages() const;

  MergePlan plan_;
  Shape shape_;
  Round opening_ = 0, line_rounds_ = 0;
  std::vector<std::int32_t> group_;               ///< by rank
  std::vector<std::vector<std::int32_t>> place_;  ///< by phase and rank: where the rank is in the phase's list
  std::vector<Slot> by_place_;                    ///< sources in order of the rank they are placed at
  std::vector<std::vector<bool>> holds_;          ///< by stage and rank: whether it has anything to send
};

}  // namespace quadrille::algorithm::pattern
