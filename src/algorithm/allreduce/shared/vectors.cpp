#include "algorithm/allreduce/shared/vectors.hpp"

#include <fmt/format.h>

namespace quadrille::algorithm::allreduce {

namespace {

class Swaps final : public Schedule {
 public:
  Swaps(const Spec& spec, Round rounds, std::function<Rank(Round, Rank)> peer)
      : shape_(whole_vector(spec, rounds, rounds > 1 ? 1 : 0)), places_{rounds}, peer_(std::move(peer)) {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank peer = peer_(t, r);
    const Buffer before = places_.before(t);
    out.send(peer, before, contiguous(0, 1));
    out.combine(peer, places_.after(t), contiguous(0, 1), {.incoming = side_of(peer, r), .buffer = before});
  }

 private:
  Shape shape_;
  Places places_;
  std::function<Rank(Round, Rank)> peer_;
};

}  // namespace

Shape whole_vector(const Spec& spec, Round rounds, Slot tmp) {
  return {.ranks = spec.ranks(),
          .rounds = spec.bytes == 0 ? 0 : rounds,
          .in = 1,
          .out = 1,
          .tmp = tmp,
          .cut = {.bytes = spec.bytes, .unit = spec.element}};
}

SchedulePtr swaps_schedule(const Spec& spec, Round rounds, std::function<Rank(Round, Rank)> peer) {
  return std::make_shared<Swaps>(spec, rounds, std::move(peer));
}

Combine::Incoming side_of(Rank peer, Rank self) {
  return peer < self ? Combine::Incoming::left : Combine::Incoming::right;
}

std::string identical_illegal(const Spec& spec, std::string_view instead) {
  if (!spec.identical) return {};
  return fmt::format(
      "groups the operations differently on different ranks, so that rounded sums differ in their last bits, and all "
      "ranks must get the same; try {}",
      instead);
}

}  // namespace quadrille::algorithm::allreduce
