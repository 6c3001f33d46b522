// Phases on groups of ranks: renames ranks, and blocks to where they lie in the whole schedule's buffers.
#include "schedule/levels.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/integer.hpp"
#include "schedule/lots.hpp"

namespace quadrille::schedule {

namespace {

class Levels final : public Schedule {
 public:
  Levels(const Shape& shape, Rank per_node, std::vector<Phase> phases)
      : phases_(std::move(phases)), shape_(shape), k_(per_node) {
    for (const Phase& phase : phases_) {
      ends_.push_back(base::checked_add(shape_.rounds, phase.inner->shape().rounds, "rounds"));
      shape_.rounds = ends_.back();
    }
    cut();
    for (const Phase& phase : phases_) {
      lots_.emplace_back(phase, shape_);
      like_.push_back(phase.among == Among::slices ? slices_alike(phase) : std::vector<Rank>());
    }
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    const std::size_t i = phase_of(t);
    const Phase& phase = phases_[i];
    if (!takes_part(phase, r)) return;
    if (const std::optional<Rank> peer = out.only_peer(); peer && !together(phase, r, *peer)) return;
    Renamed renamed(*this, i, r, out);
    phase.inner->step(t - start(i), inner_rank(phase, r), renamed);
    renamed.finish();
  }

  Rounds active(Rank r) const override {
    Rounds all{shape_.rounds, 0};
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      if (!takes_part(phases_[i], r)) continue;
      const Rounds one = phases_[i].inner->active(inner_rank(phases_[i], r));
      if (one.first >= one.end) continue;
      all = {std::min(all.first, start(i) + one.first), std::max(all.end, start(i) + one.end)};
    }
    return all.first < all.end ? all : Rounds{0, 0};
  }

  /// Nodes are alike, and so are slices whose parts of the vector are.
  Rank stands_for(Round t, Rank r) const override {
    const std::size_t i = phase_of(t);
    const Phase& phase = phases_[i];
    if (shape_.offsets) return 1;
    if (phase.among == Among::node) return r < k_ ? shape_.ranks / k_ : 0;
    if (phase.among == Among::slices) return like_[i][static_cast<std::size_t>(r % k_)];
    return takes_part(phase, r) ? 1 : 0;
  }

  bool barrier(Round t) const override {
    const std::size_t i = phase_of(t);
    return phases_[i].inner->barrier(t - start(i));
  }

 private:
  std::size_t phase_of(Round t) const {
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), t) - ends_.begin());
  }
  Round start(std::size_t i) const { return i == 0 ? 0 : ends_[i - 1]; }

  /// For every core how many slices its own stands for: of those whose parts are whole the first for all, and of those
  /// whose parts begin behind the vector's end.
  std::vector<Rank> slices_alike(const Phase& phase) const {
    std::vector<Rank> like(static_cast<std::size_t>(k_), 0);
    const Bytes bytes = shape_.cut.bytes, extent = Lots::extent(phase);
    std::map<Bytes, Rank> first;  // by bytes that are left of the part
    for (Rank core = 0; core < k_; ++core) {
      Bytes left = 0;
      if (phase.vector) {
        std::vector<Lot> lots;
        phase.place(core, Buffer::out, 0, lots);
        left = std::clamp<Bytes>(bytes - lots.front().base, 0, extent);
      }
      ++like[static_cast<std::size_t>(first.try_emplace(left, core).first->second)];
    }
    return like;
  }

  bool takes_part(const Phase& phase, Rank r) const {
    switch (phase.among) {
      case Among::node:
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
  std::vector<Lots> lots_;
  std::vector<std::vector<Rank>> like_;  ///< of phases among slices
  std::vector<Round> ends_;
  Shape shape_;
  Rank k_;
};

}  // namespace

SchedulePtr levels(const Shape& shape, Rank per_node, std::vector<Phase> phases) {
  return std::make_shared<Levels>(shape, per_node, std::move(phases));
}

}  // namespace quadrille::schedule
