// Transposition of a matrix of blocks on a square torus: the ranks of a row give their blocks to the one on the
// diagonal, and it deals them out along its column. [Saad & Schultz 1986, sec. 3.5(D): what the text really performs]
#include <memory>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/axes.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"

namespace quadrille::algorithm::transpose_diagonal {

namespace {

/// A scatter round a ring, backwards along every row and forwards along every column, counted from the diagonal. Its
/// blocks, in or out, are for the diagonal rank slots 0 .. s-1 of tmp; what passes by lies behind them.
class Diagonal final : public Schedule {
 public:
  Diagonal(const pattern::Axes& axes, Bytes bytes, SchedulePtr scatter)
      : axes_(axes), scatter_(std::move(scatter)), gather_(schedule::reverse(scatter_)) {
    shape_ = {.ranks = axes_.ranks(),
              .rounds = 2 * scatter_->shape().rounds,
              .in = 1,
              .out = 1,
              .tmp = axes_.side(0) + scatter_->shape().tmp,
              .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    const Round rounds = scatter_->shape().rounds;
    const bool rows = t < rounds;
    const int axis = rows ? 1 : 0;
    const Rank head = axes_.coordinate(r, 1 - axis);  // where the diagonal crosses the line
    Line line(out, *this, r, axis, head);
    (rows ? gather_ : scatter_)
        ->step(rows ? t : t - rounds, base::wrap(axes_.coordinate(r, axis) - head, axes_.side(axis)), line);
  }

 private:
  class Line final : public Steps {
   public:
    Line(Steps& out, const Diagonal& all, Rank r, int axis, Rank head)
        : out_(out), all_(all), r_(r), axis_(axis), head_(head) {}
    bool wants(Kind kind, Rank peer) const override { return out_.wants(kind, name(peer)); }
    void add(const Transfer& x) override {
      Transfer changed = x;
      changed.peer = name(x.peer);
      const Rank n = all_.axes_.side(axis_);
      if (x.buffer == Buffer::tmp)
        changed.slots.first += n;
      else if (all_.axes_.coordinate(r_, axis_) == head_)
        changed.buffer = Buffer::tmp;
      out_.add(changed);
    }

   private:
    Rank name(Rank peer) const { return all_.axes_.with(r_, axis_, (peer + head_) % all_.axes_.side(axis_)); }
    Steps& out_;
    const Diagonal& all_;
    Rank r_;
    int axis_;
    Rank head_;
  };

  pattern::Axes axes_;
  SchedulePtr scatter_, gather_;
  Shape shape_;
};

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (std::string reason = pattern::needs_wrapping_axes(spec); !reason.empty()) return reason;
  const pattern::Axes axes = pattern::axes_of(spec);
  if (axes.count() != 2 || !axes.equal_sides()) {
    const Rank side = transposed(spec, 1);
    return fmt::format("needs a square torus, and {} is none; nearest: torus:{}x{}", spec.topology->text(), side, side);
  }
  if (machine.ports == Ports::all || axes.side(0) == 2) return {};
  return "the diagonal ranks use two links at once, and this machine has one port; try --set ports=all";
}

Round interval(const Spec& spec, const Machine& machine) {
  return kit::relay_interval(machine, pattern::axes_of(spec).side(0) / 2);
}

}  // namespace

Algorithm describe() {
  return {.name = "transpose_diagonal",
          .collective = Collective::transpose,
          .summary = "rows gather at the diagonal of a square torus, columns scatter from it",
          .source = "Saad & Schultz 1986, sec. 3.5(D); twice eq. (3.38), half of the printed (3.44)",
          .closed_form = {.startups = "2 floor(s/2)",
                          .bytes = "2 floor(s/2) m",
                          .further = "2 floor((s - 1)/2)",
                          .where = "square torus"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const Cost one = scatter::chain_cost(s.bytes, pattern::axes_of(s).side(0) / 2, interval(s, m));
                Cost cost = kit::neighbour_cost(2 * one.startups, 2 * one.bytes);
                cost.further =
                    (pattern::axes_of(s).side(0) - 1) / 2 * 2;  // blocks that come, or leave, both ways at once
                return cost;
              },
          .build = [](const Spec& s, const Machine& m, const Params&) -> SchedulePtr {
            const pattern::Axes axes = pattern::axes_of(s);
            const Rank n = axes.side(0);
            return std::make_shared<Diagonal>(axes, s.bytes,
                                              scatter::chain_schedule(n, s.bytes, n / 2, (n - 1) / 2, interval(s, m)));
          }};
}

}  // namespace quadrille::algorithm::transpose_diagonal
