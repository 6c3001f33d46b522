#include "algorithm/kit/vectors.hpp"

#include "algorithm/pattern/shift.hpp"

namespace quadrille::algorithm::kit {

namespace {

class VectorSchedule final : public Schedule {
 public:
  VectorSchedule(const Shape& shape, Stepwise steps) : shape_(shape), steps_(std::move(steps)) {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override { steps_.step(t, r, out); }
  Rounds active(Rank r) const override {
    if (!steps_.active || shape_.rounds == 0) return {0, shape_.rounds};
    const Rounds rounds = steps_.active(r);
    return rounds.first < rounds.end ? rounds : Rounds{0, 0};
  }

 private:
  Shape shape_;
  Stepwise steps_;
};

Spec vector_of_elements(const Spec& spec) {
  Spec counted = spec;
  counted.bytes = elements(spec);
  return counted;
}

Pipe vector_pipe(const Spec& spec, const Machine& machine, std::int64_t depth) {
  return {depth, elements(spec), relay_interval(machine, depth)};
}

}  // namespace

SchedulePtr vector_schedule(const Spec& spec, Round rounds, Slot tmp, Stepwise steps, std::int64_t packets,
                            std::int64_t parts) {
  Shape shape{.ranks = spec.ranks(),
              .rounds = spec.bytes == 0 ? 0 : rounds,
              .in = 1,
              .out = 1,
              .tmp = tmp,
              .cut = packet_cut(spec.bytes, packets, parts)};
  shape.cut.unit = spec.element;
  return schedule::without_empty(std::make_shared<VectorSchedule>(shape, std::move(steps)));
}

Cost whole_vectors(const Spec& spec, std::int64_t rounds, std::int64_t combined) {
  Cost cost = neighbour_cost(rounds, base::checked_multiply(rounds, spec.bytes, "bytes"));
  cost.combined = base::checked_multiply(combined, spec.bytes, "bytes combined");
  return over_network(spec, cost);
}

Cost vector_pipe_cost(const Spec& spec, const Machine& machine, std::int64_t depth, std::int64_t packets) {
  if (depth <= 0) return {};
  Cost cost = pipe_cost(vector_pipe(spec, machine, depth), packets);
  cost.bytes = base::checked_multiply(cost.bytes, spec.element, "bytes");
  return over_network(spec, cost);
}

std::vector<Params> vector_pipe_variants(const Spec& spec, const Machine& machine, std::int64_t depth) {
  const std::int64_t packets =
      depth <= 0 ? 1
                 : best_packets(vector_pipe(spec, machine, depth), vector_of_elements(spec), combining(spec, machine));
  return {Params{{"packets", {packets}}}};
}

std::string needs_both_ways(const Spec& spec, const Machine& machine, std::string_view instead) {
  if (spec.ranks() <= 2 || !pattern::one_way(machine)) return {};
  return fmt::format(
      "ranks receive while they send, and those of this machine do one or the other; try {} or --set duplex=full",
      instead);
}

std::string needs_switch(const Spec& spec) {
  if (is_switch(spec)) return {};
  return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(), spec.ranks());
}

std::string needs_crossbar(const Spec& spec) {
  if (has_own_wires(spec)) return {};
  return fmt::format(
      "needs a crossbar, where any pairs of ranks have wires of their own, and {} is none; nearest: "
      "crossbar:{}",
      spec.topology->text(), spec.ranks());
}

std::string needs_bus(const Spec& spec) {
  if (is_bus(spec)) return {};
  return fmt::format("needs a bus, which all hear, and {} is none; nearest: bus:{}", spec.topology->text(),
                     spec.ranks());
}

bool has_line_of_ranks(const Spec& spec) {
  if (is_switch(spec)) return true;
  if (!spec.topology->direct() || spec.topology->shared_medium()) return false;
  for (Rank r = 0; r + 1 < spec.ranks(); ++r)
    if (spec.topology->distance(r, r + 1) != 1) return false;
  return true;
}

std::string needs_line_of_ranks(const Spec& spec) {
  if (has_line_of_ranks(spec)) return {};
  return fmt::format(
      "needs a wire from every rank to the next, as a ring, a line or a switch has, and {} has none; "
      "nearest: ring:{}",
      spec.topology->text(), spec.ranks());
}

}  // namespace quadrille::algorithm::kit
