// What a point of a figure is, and how long it takes in both models.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/hambrusch.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::papers::hambrusch {

namespace {

constexpr Bytes kilobyte = 1024;

/// The paper's algorithms as ours, all in snake order but where the name says otherwise.
Choice choice_of(const std::string& name) {
  static const std::map<std::string, std::string> names{{"Br_Lin", "multibcast_lin:row_major=0:odd_last=0"},
                                                        {"Br_Lin, row-major", "multibcast_lin:row_major=1:odd_last=0"},
                                                        {"Br_xy_source", "multibcast_xy_source:odd_last=0"},
                                                        {"Br_xy_dim", "multibcast_xy_dim:literal=0:odd_last=0"},
                                                        {"Xor", "multibcast_xor"},
                                                        {"2-Step", "multibcast_twostep:row_major=0:odd_last=0"},
                                                        {"Repos", "multibcast_repos:odd_last=0"},
                                                        {"Part_xy_source", "multibcast_part_xy_source:odd_last=0"}};
  return parse_choice(names.at(name));
}

Spec spec_of(const Run& run) {
  const TopologyPtr mesh = parse_topology(fmt::format("mesh:{}x{}", run.rows, run.cols));
  return checked({.collective = Collective::multibcast,
                  .topology = mesh,
                  .sources = parse_sources(run.sources, *mesh, run.bytes)});
}

/// Some rounds of a schedule, from first up to, not with, last.
class Excerpt final : public Schedule {
 public:
  Excerpt(const Schedule& base, Round first, Round last) : base_(base), first_(first), shape_(base.shape()) {
    shape_.rounds = last - first;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override { base_.step(first_ + t, r, out); }
  bool barrier(Round t) const override { return base_.barrier(first_ + t); }

 private:
  const Schedule& base_;
  Round first_;
  Shape shape_;
};

/// The rounds of a part, from the first to behind the last.
std::pair<Round, Round> rounds_of(Part part, Round rounds) {
  switch (part) {
    case Part::all:
      break;
    case Part::opening:
      return {0, 1};
    case Part::closing:
      return {rounds - 1, rounds};
    case Part::between:
      return {1, rounds - 1};
  }
  return {0, rounds};
}

}  // namespace

Bench::Bench(Machine machine) : simulated_(std::move(machine)), lockstep_(simulated_) {
  lockstep_.name = "paragon in lockstep";
  lockstep_.alpha = 311e-6, lockstep_.beta = 0.02226e-6;
}

Times Bench::time(const Run& run, Part part) {
  const auto known = known_.find({run, part});
  if (known != known_.end()) return known->second;
  const Spec spec = spec_of(run);
  const Built built = build(spec, lockstep_, choice_of(run.algorithm));
  const auto [first, last] = rounds_of(part, built.schedule->shape().rounds);
  std::vector<RoundTraffic> rounds;
  const Traffic traffic = count(spec, lockstep_, *built.schedule, &rounds);
  consistent_ = consistent_ && traffic.cost == built.formula;
  Times times;
  for (const RoundTraffic& r : rounds)
    if (r.round >= first && r.round < last)
      times.lockstep += lockstep_.alpha + lockstep_.beta * static_cast<double>(r.busiest);
  const Excerpt excerpt(*built.schedule, first, last);
  times.simulated = simulate(spec, simulated_, excerpt, {.network = Network::wormhole}).makespan;
  return known_[{run, part}] = times;
}

std::vector<Rank> Bench::holders(const Run& run) {
  const Spec spec = spec_of(run);
  const Built built = build(spec, load_machine("paragon-h95"), choice_of(run.algorithm));
  std::vector<bool> holds(static_cast<std::size_t>(spec.ranks()));
  for (const Rank r : spec.sources->ranks) holds[static_cast<std::size_t>(r)] = true;
  std::vector<Rank> counts{spec.sources->count()};
  Summary step;
  for (Round t = 0; t < built.schedule->shape().rounds; ++t) {
    for (Rank r = 0; r < spec.ranks(); ++r)
      for (const Summary::Message& m : step.of(*built.schedule, t, r))
        if (m.kind == Kind::recv) holds[static_cast<std::size_t>(r)] = true;
    counts.push_back(std::count(holds.begin(), holds.end(), true));
  }
  return counts;
}

Run figure_2(const std::string& algorithm, Slot s) {
  return {algorithm, 10, 10, fmt::format("E({})", s), 4 * kilobyte};
}
Run figure_3(const std::string& algorithm, Bytes bytes) { return {algorithm, 10, 10, "DR(30)", bytes}; }
Run figure_4(const std::string& algorithm, std::pair<Rank, Rank> mesh) {
  const auto s = std::llround(std::sqrt(static_cast<double>(mesh.first * mesh.second)));
  return {algorithm, mesh.first, mesh.second, fmt::format("DR({})", s), kilobyte};
}
Run figure_5(const std::string& algorithm, const std::string& pattern) {
  return {algorithm, 10, 10, pattern + "(30)", 2 * kilobyte};
}
Run figure_6(const std::string& algorithm, Slot s) {
  return {algorithm, 10, 10, fmt::format("DR({})", s), 80 * kilobyte / s};
}
Run figure_7(std::pair<Rank, Rank> mesh, Slot s, bool row_major) {
  return {row_major ? "Br_Lin, row-major" : "Br_Lin", mesh.first, mesh.second, fmt::format("E({})", s), 4 * kilobyte};
}

const std::vector<Printed>& printed() {
  const auto eight = [](const std::string& what, double ms, Rank rows, Rank cols, Slot s) {
    const std::map<std::string, std::string> patterns{
        {"Repos", "E"}, {"Row", "R"}, {"Column", "C"}, {"Equal", "E"}, {"Right diagonal", "DR"}, {"Cross", "Cr"}};
    const Run run{what == "Repos" ? "Repos" : "Br_xy_source", rows, cols, fmt::format("{}({})", patterns.at(what), s),
                  2 * kilobyte};
    return Printed{"8", fmt::format("{}x{}, s={}, {}", rows, cols, s, what), ms, {{run, Part::all}}};
  };
  static const std::vector<Printed> all = [&] {
    const Run repos{"Repos", 8, 8, "Cr(15)", 2 * kilobyte}, part{"Part_xy_source", 8, 8, "Cr(15)", 2 * kilobyte};
    const Run cross{"Br_xy_source", 8, 8, "Cr(15)", 2 * kilobyte};
    // Repos moves the sources and then does what Br_xy_source does with the moved ones: eight sources in one row, seven
    // in another.
    const Run moved{"Br_xy_source", 8, 8, "0,1,2,3,4,5,6,7,40,41,42,43,44,45,46", 2 * kilobyte};
    return std::vector<Printed>{
        {"6", "80K in 5 sources, Br_xy_source", 11.4, {{figure_6("Br_xy_source", 5), Part::all}}},
        {"6", "80K in 40 sources, Br_xy_source", 7.3, {{figure_6("Br_xy_source", 40), Part::all}}},
        eight("Repos", 5.0, 10, 10, 20),
        eight("Row", 4.5, 10, 10, 20),
        eight("Column", 4.5, 10, 10, 20),
        eight("Equal", 5.2, 10, 10, 20),
        eight("Right diagonal", 5.1, 10, 10, 20),
        eight("Cross", 7.3, 10, 10, 20),
        eight("Repos", 8.5, 15, 16, 58),
        eight("Row", 7.5, 15, 16, 58),
        eight("Column", 9.3, 15, 16, 58),
        eight("Equal", 9.1, 15, 16, 58),
        eight("Right diagonal", 8.3, 15, 16, 58),
        eight("Cross", 12.0, 15, 16, 58),
        {"9", "redistribution", 0.4, {{repos, Part::opening}}},
        {"9", "Repos: broadcast", 3.7, {{moved, Part::all}}},
        {"9", "Repos: total", 4.1, {{repos, Part::opening}, {moved, Part::all}}},
        {"9", "Part: broadcast in halves", 1.9, {{part, Part::between}}},
        {"9", "Part: final permutation", 2.5, {{part, Part::closing}}},
        {"9", "Part: total", 4.8, {{part, Part::opening}, {part, Part::between}, {part, Part::closing}}},
        {"9", "cross, without moving", 4.5, {{cross, Part::all}}}};
  }();
  return all;
}

double rms_error(Bench& bench, std::size_t model) {
  double sum = 0;
  std::size_t n = 0;
  for (const Printed& p : printed()) {
    double ms = 0;
    for (const auto& [run, part] : p.parts) ms += bench.time(run, part).of(model) * 1e3;
    sum += (ms / p.ms - 1) * (ms / p.ms - 1);
    ++n;
  }
  return std::sqrt(sum / static_cast<double>(n));
}

}  // namespace quadrille::papers::hambrusch
