// A schedule whose messages take ways that it chose.
#include <utility>

#include "schedule/combine.hpp"

namespace quadrille::schedule {

namespace {

class OnNetwork final : public Schedule {
 public:
  OnNetwork(SchedulePtr base, TopologyPtr network) : base_(std::move(base)), network_(std::move(network)) {}
  const Shape& shape() const override { return base_->shape(); }
  void step(Round t, Rank r, Steps& out) const override { base_->step(t, r, out); }
  Rounds active(Rank r) const override { return base_->active(r); }
  Rounds alike(Round t) const override { return base_->alike(t); }
  bool barrier(Round t) const override { return base_->barrier(t); }
  Symmetry symmetry() const override { return base_->symmetry(); }
  Rank stands_for(Round t, Rank r) const override { return base_->stands_for(t, r); }
  Slot twist(Round t, Buffer buffer, Slot first, Rank by) const override { return base_->twist(t, buffer, first, by); }
  Slot block(Buffer buffer, Slot label, Slot piece) const override { return base_->block(buffer, label, piece); }
  TopologyPtr network() const override { return network_; }
  const Schedule* unsplit() const override { return base_->unsplit(); }

 private:
  SchedulePtr base_;
  TopologyPtr network_;
};

}  // namespace

SchedulePtr on_network(SchedulePtr base, TopologyPtr network) {
  return std::make_shared<OnNetwork>(std::move(base), std::move(network));
}

}  // namespace quadrille::schedule
