#include "algorithm/one_rank.hpp"

#include <algorithm>

namespace quadrille::algorithm {

namespace {

/// Nobody sends: there are no bytes, or there is nobody to send them to. [decision 7]
class Nothing final : public Schedule {
 public:
  explicit Nothing(const Spec& spec) {
    shape_ = {.ranks = spec.ranks(), .cut = {.bytes = spec.bytes, .unit = spec.element}};
    if (spec.bytes == 0) shape_.cut.packet_bytes = 1;
    for (const Rank r : {spec.root, (spec.root + 1) % spec.ranks(), std::max<Rank>(0, spec.target)}) {
      shape_.in = std::max(shape_.in, blocks(spec, Buffer::in, r));
      shape_.out = std::max(shape_.out, blocks(spec, Buffer::out, r));
    }
    if (combines(spec)) shape_.out = shape_.in;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round, Rank, Steps&) const override {}

 private:
  Shape shape_;
};

}  // namespace

SchedulePtr nothing(const Spec& spec) { return std::make_shared<Nothing>(spec); }

/// The first that a switch allows, where the most general algorithms run.
std::string_view name_on_one_rank(Collective collective) {
  Spec on_a_switch{.collective = collective, .topology = parse_topology("crossbar:4"), .bytes = 1};
  if (collective == Collective::multibcast) on_a_switch.sources = make_sources({{0, 1}});
  Machine machine;
  machine.ports = Ports::one;
  machine.switching = Switching::circuit;
  const std::vector<Algorithm>& all = algorithms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Algorithm& a) {
    return a.collective == collective && a.illegal(on_a_switch, machine, {}).empty();
  });
  return found == all.end() ? std::string_view() : found->name;
}

namespace one_rank {

namespace {

bool alone(const Spec& spec) { return spec.ranks() == 1; }

}  // namespace

Claims claims(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params) {
  return alone(spec) ? Claims{.in_order = true, .canonical = true} : own.claims(spec, machine, params);
}

std::string illegal(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params) {
  return alone(spec) ? std::string() : own.illegal(spec, machine, params);
}

std::vector<Params> variants(const Algorithm& own, const Spec& spec, const Machine& machine) {
  return alone(spec) ? std::vector<Params>{Params{}} : own.variants(spec, machine);
}

Cost cost(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params) {
  return alone(spec) ? Cost{} : own.cost(spec, machine, params);
}

SchedulePtr build(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params) {
  return alone(spec) ? nothing(spec) : own.build(spec, machine, params);
}

std::string_view other_name(const Algorithm& own, const Spec& spec, const Params& params) {
  if (!alone(spec)) return own.other_name == nullptr ? std::string_view() : own.other_name(spec, params);
  const std::string_view listed = name_on_one_rank(spec.collective);
  return listed == own.name ? std::string_view() : listed;
}

}  // namespace one_rank

}  // namespace quadrille::algorithm
