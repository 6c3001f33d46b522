#include "algorithm/pattern/shift.hpp"

namespace quadrille::algorithm::pattern {

namespace {

class SplitSwap final : public Schedule {
 public:
  SplitSwap(SchedulePtr base, Round at) : base_(std::move(base)), shape_(base_->shape()), at_(at) { ++shape_.rounds; }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    if (t != at_ && t != at_ + 1) return base_->step(inner(t), r, out);
    const bool sends = (r < shape_.ranks / 2) == (t == at_);
    Half half(out, sends ? Kind::send : Kind::recv);
    base_->step(at_, r, half);
  }
  bool barrier(Round t) const override { return t != at_ + 1 && base_->barrier(inner(t)); }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(b, label, piece); }

 private:
  class Half final : public Steps {
   public:
    Half(Steps& out, Kind kind) : out_(out), kind_(kind) {}
    bool wants(Kind kind, Rank peer) const override { return kind == kind_ && out_.wants(kind, peer); }
    std::optional<Rank> only_peer() const override { return out_.only_peer(); }
    void add(const Transfer& x) override {
      if (x.kind == kind_) out_.add(x);
    }

   private:
    Steps& out_;
    Kind kind_;
  };
  Round inner(Round t) const { return t > at_ ? t - 1 : t; }

  SchedulePtr base_;
  Shape shape_;
  Round at_;
};

}  // namespace

std::string shift_illegal(const Spec& spec, const Machine& machine) {
  const Rank p = spec.ranks();
  const bool ring = kit::is_ring(spec);
  if (!ring && !kit::is_switch(spec))
    return fmt::format("needs a switch or a ring, and {} is neither; nearest: crossbar:{}", spec.topology->text(), p);
  if (ring && p > 3 && machine.switching == Switching::store_and_forward)
    return fmt::format(
        "sends to ranks that are not neighbours, which needs circuit or wormhole switching; try {}--set "
        "switching=circuit{}",
        one_way(machine) && !spec.topology->colour(0) ? "" : "alltoall_bidir or ",
        one_way(machine) ? " --set duplex=full" : "");
  if (p > 2 && one_way(machine))
    return "every rank sends and receives in the same round, and a rank of this machine does one or the other; try "
           "--set duplex=full";
  return {};
}

std::string groups_illegal(const Spec& spec, const Machine& machine) {
  if (!kit::has_own_wires(spec))
    return fmt::format("needs wires between all ranks, and {} has not; nearest: crossbar:{}", spec.topology->text(),
                       spec.ranks());
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty() && spec.ranks() > 2) return reason;
  if (kit::half_duplex(machine))
    return "both ranks of every wire send at once, and wires of this machine carry one way at a time; try --set "
           "duplex=full";
  return {};
}

std::int64_t shift_hops(const Spec& spec, Rank distance) {
  return kit::is_ring(spec) ? std::min(distance, spec.ranks() - distance) : kit::links_between(spec);
}

bool shift_splits(const Spec& spec, const Machine& machine, Rank distance) {
  if (2 * distance != spec.ranks()) return false;
  if (!spec.topology->direct()) return one_way(machine);  // wires between switches have one direction anyway
  // Half way round a longer ring all messages go clockwise, so only one direction of each wire is used.
  return kit::half_duplex(machine) && (!kit::is_ring(spec) || spec.ranks() == 2);
}

bool shift_shares(const Spec& spec) { return kit::is_ring(spec) && spec.topology->diameter() > 1; }

void add_cost(Cost& total, const Cost& part) {
  total.startups += part.startups;
  total.hops += part.hops;
  total.bytes = base::checked_add(total.bytes, part.bytes, "bytes");
  total.permuted = base::checked_add(total.permuted, part.permuted, "bytes permuted");
  total.barriers += part.barriers;
  total.packed = base::checked_add(total.packed, part.packed, "bytes packed");
  total.further += part.further;
}

SchedulePtr split_swap(SchedulePtr base, std::optional<Round> at) {
  return at ? std::make_shared<SplitSwap>(std::move(base), *at) : base;
}

namespace {

class AllShifts final : public Schedule {
 public:
  AllShifts(const Spec& spec, Buffer sent) : sent_(sent) {
    const Rank p = spec.ranks();
    shape_ = {.ranks = p, .rounds = p - 1, .in = sent == Buffer::in ? p : 0, .out = p, .cut = {.bytes = spec.bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, to = (r + t + 1) % p, from = base::wrap(r - t - 1, p);
    out.send(to, sent_, contiguous(sent_ == Buffer::in ? to : r, 1));
    out.recv(from, Buffer::out, contiguous(from, 1));
  }
  Symmetry symmetry() const override { return {Group::rotate, false}; }

 private:
  Buffer sent_;
  Shape shape_;
};

}  // namespace

SchedulePtr all_shifts(const Spec& spec, const Machine& machine, Buffer sent) {
  const Rank half = spec.ranks() / 2;
  return split_swap(std::make_shared<AllShifts>(spec, sent),
                    shift_splits(spec, machine, half) ? std::optional<Round>(half - 1) : std::nullopt);
}

}  // namespace quadrille::algorithm::pattern
