// Phases on groups of ranks: renames ranks, and blocks to where they lie in the whole schedule's buffers.
#include "schedule/levels.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/integer.hpp"
#include "schedule/lots.hpp"
#include "schedule/spine.hpp"

namespace quadrille::schedule {

namespace {

class Levels final : public Schedule {
 public:
  /// Of a sequence.
  Levels(const Shape& shape, Grouping groups, std::vector<Phase> phases)
      : phases_(std::move(phases)), shape_(shape), k_(groups.size), nodes_(groups.nodes) {
    runs_.emplace_back();
    for (std::size_t i = 0; i < phases_.size(); ++i) add(runs_.front(), i, shape_.rounds);
    prepare();
  }
  /// Of a pipeline.
  Levels(const Shape& shape, Grouping groups, Pipeline made)
      : phases_(std::move(made.phases)),
        runs_(std::move(made.runs)),
        shape_(shape),
        k_(groups.size),
        spine_(made.spine) {
    for (const std::vector<Run>& of_node : runs_)
      for (const Run& run : of_node) note(run);
    note(*spine_);
    prepare();
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    each_run(t, r, [&](const Run& run) {
      const Phase& phase = phases_[run.phase];
      if (!takes_part(phase, r)) return;
      if (const std::optional<Rank> peer = out.only_peer(); peer && !together(phase, r, *peer)) return;
      Renamed renamed(*this, run.phase, r, out);
      phase.inner->step(t - run.start, inner_rank(phase, r), renamed);
      renamed.finish();
    });
  }

  Rounds active(Rank r) const override {
    Rounds all{shape_.rounds, 0};
    const auto add = [&](const Run& run) {
      const Phase& phase = phases_[run.phase];
      if (!takes_part(phase, r)) return;
      const Rounds one = phase.inner->active(inner_rank(phase, r));
      if (one.first >= one.end) return;
      all = {std::min(all.first, run.start + one.first), std::max(all.end, run.start + one.end)};
    };
    if (spine_) add(*spine_);
    for (const Run& run : runs_of(r)) add(run);
    return all.first < all.end ? all : Rounds{0, 0};
  }

  /// Nodes are alike, and so are slices whose parts of the vector are. In a pipeline nodes are at different pieces.
  Rank stands_for(Round t, Rank r) const override {
    if (shape_.offsets || spine_ || !nodes_) return 1;
    Rank ranks = 1;
    each_run(t, r, [&](const Run& run) {
      const Phase& phase = phases_[run.phase];
      if (phase.among == Among::node)
        ranks = r / k_ == phase.first ? shape_.ranks / k_ - phase.first : 0;
      else if (phase.among == Among::slices)
        ranks = like_[run.phase][static_cast<std::size_t>(r % k_)];
      else
        ranks = takes_part(phase, r) ? 1 : 0;
    });
    return ranks;
  }

  bool barrier(Round t) const override {
    bool any = false;
    if (!spine_) each_run(t, 0, [&](const Run& run) { any = any || phases_[run.phase].inner->barrier(t - run.start); });
    return any;
  }

 private:
  void add(std::vector<Run>& runs, std::size_t phase, Round start) {
    runs.push_back({start, base::checked_add(start, phases_[phase].inner->shape().rounds, "rounds"), phase});
    note(runs.back());
  }
  void note(const Run& run) {
    if (!spine_ || run.phase != spine_->phase) longest_ = std::max(longest_, run.end - run.start);
    shape_.rounds = std::max(shape_.rounds, run.end);
  }
  void prepare() {
    cut();
    for (const Phase& phase : phases_) {
      lots_.emplace_back(phase, shape_);
      const bool by_slices = nodes_ && !spine_ && phase.among == Among::slices;
      like_.push_back(by_slices ? slices_alike(phase) : std::vector<Rank>());
    }
  }

  const std::vector<Run>& runs_of(Rank r) const {
    return runs_[runs_.size() == 1 ? 0 : static_cast<std::size_t>(r / k_)];
  }
  /// What goes on in the rank's node in a round, in the same order at all its ranks. What is combined comes
  /// first, because a rank takes the messages of a round in the order in which their senders first occur.
  template <class Visit>
  void each_run(Round t, Rank r, Visit visit) const {
    if (spine_ && spine_->start <= t && t < spine_->end) visit(*spine_);
    const std::vector<Run>& runs = runs_of(r);
    const auto first =
        std::partition_point(runs.begin(), runs.end(), [&](const Run& run) { return run.start <= t - longest_; });
    for (const bool after : {false, true})
      for (auto run = first; run != runs.end() && run->start <= t; ++run)
        if (t < run->end && run->after == after) visit(*run);
  }

  /// For every core how many slices its own stands for: the first of those whose parts of the vector are in the same
  /// buffers, as long, and cut in the same places.
  std::vector<Rank> slices_alike(const Phase& phase) const {
    std::vector<Rank> like(static_cast<std::size_t>(k_), 0);
    std::map<std::vector<Bytes>, Rank> first;
    for (Rank core = 0; core < k_; ++core) {
      const std::vector<Bytes> part = phase.vector ? part_of(phase, core) : std::vector<Bytes>();
      ++like[static_cast<std::size_t>(first.try_emplace(part, core).first->second)];
    }
    return like;
  }
  /// What tells a core's part from those of others: its buffers, and where it is cut, from its beginning on.
  std::vector<Bytes> part_of(const Phase& phase, Rank core) const {
    std::vector<Lot> lots;
    for (const Buffer buffer : {Buffer::in, Buffer::out}) phase.place(core, buffer, 0, lots);
    const Bytes begin = lots.back().base, end = std::min(begin + Lots::extent(phase), shape_.cut.bytes);
    std::vector<Bytes> part{static_cast<Bytes>(lots.front().buffer), static_cast<Bytes>(lots.back().buffer),
                            std::max<Bytes>(end - begin, 0)};
    if (shape_.cut.edges)
      for (const Bytes edge : *shape_.cut.edges)
        if (edge > begin && edge < end) part.push_back(edge - begin);
    return part;
  }

  bool takes_part(const Phase& phase, Rank r) const {
    switch (phase.among) {
      case Among::node:
        return r / k_ >= phase.first;
      case Among::slices:
        return true;
      case Among::leaders:
        return r % k_ == phase.chosen;
      case Among::one_node:
        return r / k_ == phase.chosen;
    }
    return false;
  }
  static bool is_inside(const Phase& phase) { return phase.among == Among::node || phase.among == Among::one_node; }
  Rank inner_rank(const Phase& phase, Rank r) const { return is_inside(phase) ? r % k_ : r / k_; }
  bool together(const Phase& phase, Rank a, Rank b) const {
    return is_inside(phase) ? a / k_ == b / k_ : a % k_ == b % k_;
  }
  /// The rank that an inner one is in the group of r.
  Rank outer_rank(const Phase& phase, Rank r, Rank inner) const {
    return is_inside(phase) ? r / k_ * k_ + inner : inner * k_ + r % k_;
  }

  /// Cuts blocks wherever a phase does.
  void cut() {
    std::vector<Bytes> edges{0, shape_.cut.bytes};
    for (const Phase& phase : phases_) Lots::append_edges(phase, shape_.cut.bytes, edges);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    if (edges.size() > 2) shape_.cut.edges = std::make_shared<const std::vector<Bytes>>(std::move(edges));
  }

  class Renamed final : public Steps {
   public:
    Renamed(const Levels& levels, std::size_t phase, Rank r, Steps& out)
        : levels_(levels), phase_(levels.phases_[phase]), placed_(levels.lots_[phase], r, out), r_(r), out_(out) {}
    bool wants(Kind kind, Rank peer) const override { return out_.wants(kind, levels_.outer_rank(phase_, r_, peer)); }
    std::optional<Rank> only_peer() const override {
      const std::optional<Rank> peer = out_.only_peer();
      return peer ? std::optional(levels_.inner_rank(phase_, *peer)) : std::nullopt;
    }
    void add(const Transfer& x) override {
      if (x.slots.size > 0 && wants(x.kind, x.peer)) placed_.add(x, levels_.outer_rank(phase_, r_, x.peer));
    }
    void finish() { placed_.finish(); }
    void pay(std::int64_t visits) override { out_.pay(visits); }

   private:
    const Levels& levels_;
    const Phase& phase_;
    Placed placed_;
    Rank r_;
    Steps& out_;
  };

  std::vector<Phase> phases_;
  std::vector<std::vector<Run>> runs_;  ///< of every node, or of all; those of a node begin one after the other
  std::vector<Lots> lots_;
  std::vector<std::vector<Rank>> like_;  ///< of phases among slices
  Shape shape_;
  Rank k_;
  bool nodes_ = false;
  std::optional<Run> spine_;
  Round longest_ = 1;  ///< of runs but the spine
};

}  // namespace

SchedulePtr levels(const Shape& shape, Grouping groups, std::vector<Phase> phases) {
  return std::make_shared<Levels>(shape, groups, std::move(phases));
}

SchedulePtr pipelined_levels(const Shape& shape, Grouping groups, Phase spine, std::vector<Piece> pieces,
                             Follows follows) {
  return std::make_shared<Levels>(shape, groups, pipeline(std::move(spine), std::move(pieces), follows));
}

}  // namespace quadrille::schedule
