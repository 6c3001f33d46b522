#include "schedule/metered.hpp"

namespace quadrille::schedule {

namespace {

/// Passes on what a schedule lists, one payment a segment: a single step may list more than there is time for.
class PaidSteps final : public Steps {
 public:
  PaidSteps(Steps& out, Meter& meter) : out_(out), meter_(meter) {}
  bool wants(Kind kind, Rank peer) const override { return out_.wants(kind, peer); }
  std::optional<Rank> only_peer() const override { return out_.only_peer(); }
  void add(const Transfer& transfer) override {
    meter_.spend(1);
    out_.add(transfer);
  }
  void pay(std::int64_t visits) override { meter_.spend(visits); }

 private:
  Steps& out_;
  Meter& meter_;
};

}  // namespace

void Metered::step(Round t, Rank r, Steps& out) const {
  meter_.spend(visits_per_step);
  PaidSteps paid(out, meter_);
  base_.step(t, r, paid);
}

}  // namespace quadrille::schedule
