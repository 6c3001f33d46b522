#include "algorithm/pattern/exchange.hpp"

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/shift.hpp"

namespace quadrille::algorithm::pattern {

namespace {

class UpThenDown final : public Schedule {
 public:
  explicit UpThenDown(SchedulePtr base) : base_(std::move(base)), shape_(base_->shape()) {
    shape_.rounds = base::checked_multiply(shape_.rounds, 2, "rounds");
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    OneWay part(out, r, t % 2 == 0);
    base_->step(t / 2, r, part);
  }
  Rounds active(Rank r) const override {
    const Rounds whole = base_->active(r);
    return {2 * whole.first, 2 * whole.end};
  }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(b, label, piece); }
  const Schedule* unsplit() const override { return base_.get(); }

 private:
  class OneWay final : public Steps {
   public:
    OneWay(Steps& out, Rank self, bool up) : out_(out), self_(self), up_(up) {}
    bool wants(Kind kind, Rank peer) const override {
      return ((kind == Kind::send) == (peer > self_)) == up_ && out_.wants(kind, peer);
    }
    std::optional<Rank> only_peer() const override { return out_.only_peer(); }
    void add(const Transfer& x) override {
      if (wants(x.kind, x.peer)) out_.add(x);
    }

   private:
    Steps& out_;
    Rank self_;
    bool up_;
  };
  SchedulePtr base_;
  Shape shape_;
};

}  // namespace

std::string needs_bit_pairs(const Spec& spec) {
  if (kit::is_cube(spec)) return {};
  const Rank p = spec.ranks();
  if (kit::is_switch(spec) && base::is_power_of_two(p)) return {};
  return fmt::format("needs a hypercube, or a switch of 2^d ranks, and {} is neither; nearest: crossbar:{}",
                     spec.topology->text(), base::bit(base::log2_ceil(std::max<Rank>(p, 2))));
}

int rounds_of_swap(const Spec& spec, const Machine& machine) {
  const bool shared = spec.topology->direct() ? kit::half_duplex(machine) : one_way(machine);
  return shared ? 2 : 1;
}

SchedulePtr up_then_down(SchedulePtr base) { return std::make_shared<UpThenDown>(std::move(base)); }

SchedulePtr split_swaps(SchedulePtr base, const Spec& spec, const Machine& machine) {
  if (rounds_of_swap(spec, machine) == 1) return base;
  return spec.topology->colour(0) ? schedule::half_split(std::move(base), spec.topology)
                                  : up_then_down(std::move(base));
}

}  // namespace quadrille::algorithm::pattern
