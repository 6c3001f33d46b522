// Work counted while a schedule is asked: whoever walks through one stops, instead of running for hours.
#pragma once

#include <cstdint>
#include <string>

#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// Work that may still be done, in visits of about ten nanoseconds: to a segment, to a slot, to a link of a route. To a
/// rank in a round counts as several, for what a schedule has to work out before it lists anything.
class Meter {
 public:
  /// `message` is what Error(budget) says when more is spent than allowed.
  Meter(std::int64_t limit, std::string message) : left_(limit), message_(std::move(message)) {}
  void spend(std::int64_t visits) {
    if (left_ < visits) throw Error(Error::Kind::budget, message_);
    left_ -= visits;
  }
  std::int64_t left() const { return left_; }

 private:
  std::int64_t left_;
  std::string message_;
};

constexpr std::int64_t visits_per_step = 4;

/// A schedule of which every question is paid for.
class Metered final : public Schedule {
 public:
  Metered(const Schedule& base, Meter& meter) : base_(base), meter_(meter) {}
  const Shape& shape() const override { return base_.shape(); }
  void step(Round t, Rank r, Steps& out) const override;
  Rounds active(Rank r) const override { return base_.active(r); }
  Rounds alike(Round t) const override { return base_.alike(t); }
  bool barrier(Round t) const override { return base_.barrier(t); }
  Symmetry symmetry() const override { return base_.symmetry(); }
  Rank stands_for(Round t, Rank r) const override { return base_.stands_for(t, r); }
  Slot twist(Round t, Buffer buffer, Slot first, Rank by) const override { return base_.twist(t, buffer, first, by); }
  Slot block(Buffer buffer, Slot label, Slot piece) const override { return base_.block(buffer, label, piece); }
  const Schedule* unsplit() const override { return base_.unsplit(); }

 private:
  const Schedule& base_;
  Meter& meter_;
};

}  // namespace quadrille::schedule
