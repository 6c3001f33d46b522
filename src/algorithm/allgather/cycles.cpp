// Parts of every block go round two Hamiltonian cycles of a torus that share no wire, one way or both ways, so that all
// links carry the same on any torus of two axes.
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/pattern/two_cycles.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::allgather_cycles {

namespace {

class Cycles final : public Schedule {
 public:
  Cycles(Rank rows, Rank columns, Bytes bytes, Slot ways) : ranks_(pattern::two_cycles(rows, columns)), ways_(ways) {
    const Rank p = rows * columns;
    shape_ = {.ranks = p, .rounds = p - 1, .out = p, .cut = {.bytes = bytes, .parts = 2 * ways}};
    for (std::size_t cycle = 0; cycle < 2; ++cycle) {
      places_[cycle].resize(static_cast<std::size_t>(p));
      for (Rank i = 0; i < p; ++i) places_[cycle][static_cast<std::size_t>(at(cycle, i))] = i;
    }
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (std::size_t cycle = 0; cycle < 2; ++cycle)
      for (Slot way = 0; way < ways_; ++way) {
        const Rank place = places_[cycle][static_cast<std::size_t>(r)], on = way == 0 ? 1 : -1;
        const Slot part = (static_cast<Slot>(cycle) * ways_ + way) * shape_.ranks;
        out.send(at(cycle, place + on), Buffer::out, contiguous(part + at(cycle, place - on * t), 1));
        out.recv(at(cycle, place - on), Buffer::out, contiguous(part + at(cycle, place - on * (t + 1)), 1));
      }
  }

 private:
  Rank at(std::size_t cycle, Rank place) const {
    return ranks_[cycle][static_cast<std::size_t>(base::wrap(place, shape_.ranks))];
  }
  std::array<std::vector<Rank>, 2> ranks_, places_;  ///< in the order of each cycle; where on it each rank is
  Slot ways_;
  Shape shape_;
};

/// The two sides that are longer than 1; none where there are others.
std::vector<Rank> sides_of(const Spec& spec) {
  std::vector<Rank> sides;
  const auto* grid = kit::grid(spec);
  if (!grid || !grid->wraps()) return {};
  for (const Rank side : grid->sides())
    if (side > 1) sides.push_back(side);
  return sides.size() == 2 && std::min(sides[0], sides[1]) >= 3 ? sides : std::vector<Rank>{};
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (sides_of(spec).empty())
    return fmt::format("needs a torus of two axes with sides of at least 3, and {} is none; nearest: {}",
                       spec.topology->text(), kit::nearest_torus(spec));
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  if (pattern::one_way(machine))
    return "every rank sends and receives in the same round, and a rank of this machine does one or the other; try "
           "--set duplex=full";
  if (params.get("ways", 1) == 2 && kit::half_duplex(machine))
    return "ways=2 uses both directions of every wire at once, so it needs full-duplex wires; try ways=1";
  return {};
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all{{{"ways", {1}}}};
  if (illegal(spec, machine, {{"ways", {2}}}).empty()) all.push_back({{"ways", {2}}});
  return all;
}

/// P - 1 rounds of a part of a block on every link that is used.
Cost formula(const Spec& spec, const Machine&, const Params& params) {
  const std::int64_t parts = 2 * params.get("ways", 1), rounds = spec.ranks() - 1;
  const Bytes bytes = base::checked_multiply(rounds, base::ceil_div(spec.bytes, parts), "bytes");
  return kit::with_messages(parts, kit::neighbour_cost(rounds, bytes));
}

}  // namespace

Algorithm describe() {
  return {.name = "allgather_cycles",
          .collective = Collective::allgather,
          .summary = "parts of every block round two cycles through a torus that share no wire",
          .source = "extra: edge-disjoint Hamiltonian cycles, Kotzig 1973; meets the bound on any torus",
          .closed_form = {.startups = "P - 1",
                          .bytes = "(P - 1) ceil(m/2)",
                          .further = "P - 1",
                          .where = "torus, one way round"},
          .parameters = {{.name = "ways", .meaning = "ways round each of the two cycles that parts go", .high = 2}},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = formula,
          .build = [](const Spec& s, const Machine&, const Params& p) -> SchedulePtr {
            const std::vector<Rank> sides = sides_of(s);
            return std::make_shared<Cycles>(sides[0], sides[1], s.bytes, p.get("ways", 1));
          }};
}

}  // namespace quadrille::algorithm::allgather_cycles
