// One pipelined broadcast after another, every rank in turn the root. The tree of root i is that of root 0 with all
// ranks renamed: by xor i on the hypercube, by adding i elsewhere, on a torus coordinate by coordinate.
#include <functional>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/axes.hpp"
#include "algorithm/pattern/tree.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::allgather_sequential {

namespace {

class Sequential final : public Schedule {
 public:
  using Turn = std::function<Rank(Rank, Rank root)>;
  /// `broadcast`: of one block from rank 0; `to` names its ranks for another root, and `from` undoes that.
  Sequential(SchedulePtr broadcast, Turn to, Turn from)
      : broadcast_(std::move(broadcast)), to_(std::move(to)), from_(std::move(from)) {
    shape_ = broadcast_->shape();
    shape_.rounds = base::checked_multiply(shape_.ranks, shape_.rounds, "rounds");
    shape_.out = shape_.ranks;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Round rounds = broadcast_->shape().rounds;
    const Rank root = t / rounds;
    Rooted rooted(out, *this, root);
    broadcast_->step(t % rounds, from_(r, root), rooted);
  }

 private:
  class Rooted final : public Steps {
   public:
    Rooted(Steps& out, const Sequential& all, Rank root) : out_(out), all_(all), root_(root) {}
    bool wants(Kind kind, Rank peer) const override { return out_.wants(kind, name(peer)); }
    /// The broadcast's slots are packets of its one block.
    void add(const Transfer& x) override {
      const Rank p = all_.shape_.ranks;
      out_.add({x.kind, x.buffer, name(x.peer), {x.slots.first * p + root_, 1, p, x.slots.size}});
    }

   private:
    Rank name(Rank r) const { return all_.to_(r, root_); }
    Steps& out_;
    const Sequential& all_;
    Rank root_;
  };

  SchedulePtr broadcast_;
  Turn to_, from_;
  Shape shape_;
};

Spec from_first(Spec spec) {
  spec.root = 0;
  return spec;
}
pattern::Tree first_tree(const Spec& spec) { return pattern::broadcast_tree(from_first(spec)); }
kit::Pipe pipe(const Spec& spec, const Machine& machine) { return pattern::broadcast_pipe(from_first(spec), machine); }

std::string refusal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::needs_tree(spec); !reason.empty()) return reason;
  if (const auto* grid = kit::grid(spec); grid && !grid->wraps())
    return "every rank of a mesh has a tree of its own, and this goes by one that is turned; try allgather_daisy";
  const char* instead = kit::relay_interval(machine, 2) > 1 && !spec.topology->colour(0) ? "" : "allgather_daisy";
  if (std::string reason = pattern::needs_fanout(spec, machine, first_tree(spec), instead); !reason.empty())
    return reason;
  return kit::packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm describe() {
  return {.name = "allgather_sequential",
          .collective = Collective::allgather,
          .summary = "P pipelined broadcasts, one root after the other",
          .source = "Saad & Schultz 1985, eq. (4.1); P times 1986, eq. (3.4) with whole packets",
          .closed_form = {.startups = "P", .bytes = "P m", .where = "bus, one packet"},
          .parameters = {kit::packets_parameter()},
          .claims = kit::all_claims,
          .illegal = refusal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return std::vector{Params{{"packets", {kit::best_packets(pipe(s, m), s, m)}}}};
              },
          .cost =
              [](const Spec& s, const Machine& m, const Params& params) {
                const Cost one = kit::pipe_cost(pipe(s, m), kit::packets_of(params));
                Cost all = kit::neighbour_cost(base::checked_multiply(s.ranks(), one.startups, "rounds"),
                                               base::checked_multiply(s.ranks(), one.bytes, "bytes"));
                all.further = base::checked_multiply(s.ranks(), one.further, "messages");
                return kit::over_network(s, all);
              },
          .build = [](const Spec& s, const Machine& m, const Params& params) -> SchedulePtr {
            SchedulePtr first = pattern::tree_schedule(s, first_tree(s), kit::packets_of(params), pipe(s, m).interval);
            const auto by_xor = [](Rank r, Rank root) { return r ^ root; };
            if (kit::is_cube(s)) return std::make_shared<Sequential>(std::move(first), by_xor, by_xor);
            const pattern::Axes axes = pattern::axes_of(s);
            return std::make_shared<Sequential>(
                std::move(first), [axes](Rank r, Rank root) { return axes.plus(r, root); },
                [axes](Rank r, Rank root) { return axes.minus(r, root); });
          }};
}

}  // namespace quadrille::algorithm::allgather_sequential
