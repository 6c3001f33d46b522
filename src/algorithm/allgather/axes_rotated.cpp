// Every block in as many parts as the torus has axes, each part along the axes in another order: in every phase all
// axes work, and no link carries two parts. On full-duplex wires twice as many parts, half of them the other way round.
#include "algorithm/allgather/shared/chains.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_axes_rotated {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::all_axes_illegal(spec, machine); !reason.empty()) return reason;
  if (params.get("ways", 1) == 2 && (kit::half_duplex(machine) || pattern::axes_of(spec).sides.front() == 2))
    return "ways=2 uses both directions of every wire at once, so it needs full-duplex wires and sides of at least 3; "
           "try ways=1";
  return {};
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all{{{"ways", {1}}}};
  if (illegal(spec, machine, {{"ways", {2}}}).empty()) all.push_back({{"ways", {2}}});
  return all;
}

/// D*(s - 1) start-ups and (P - 1)*ceil(m/(D*ways)) bytes. Parts of several blocks lie apart: all that is sent and
/// received but the single blocks of the first phase.
Cost rotated_cost(const Spec& spec, const Machine& machine, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  const Rank n = axes.sides.front(), p = spec.ranks();
  const std::int64_t halves = pattern::axis_splits(machine, n) ? 2 : 1;
  const std::int64_t parts = axes.count() * params.get("ways", 1);
  const Bytes part = base::ceil_div(spec.bytes, parts);
  return kit::with_messages(
      parts,
      kit::neighbour_cost(halves * axes.count() * (n - 1), base::checked_multiply(halves * (p - 1), part, "bytes"), 0,
                          base::checked_multiply(2 * (p - n), spec.bytes, "bytes packed")));
}

SchedulePtr build_rotated(const Spec& spec, const Machine& machine, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  const Rank n = axes.sides.front();
  std::vector<allgather::ChainPart> parts;
  for (int first = 0; first < axes.count(); ++first)
    for (std::int64_t way = 0; way < params.get("ways", 1); ++way)
      parts.push_back({pattern::order_from(axes, first, 1), way == 0 ? 1 : -1});
  const std::vector<pattern::AxisPhase> phases(axes.sides.size(), pattern::AxisPhase{n - 1, 1});
  SchedulePtr all = allgather::chains_schedule(axes, spec.bytes, std::move(parts), phases);
  return pattern::axis_splits(machine, n) ? schedule::half_split(std::move(all), spec.topology) : all;
}

}  // namespace

Algorithm describe() {
  return {.name = "allgather_axes_rotated",
          .collective = Collective::allgather,
          .summary = "parts of every block in daisy chains along all axes of a torus at once",
          .source = "extra: Saad & Schultz 1986, eq. (3.31), on all ports; meets the bound",
          .closed_form = {.startups = "2 (s - 1)",
                          .bytes = "(P - 1) ceil(m/2)",
                          .further = "2 (s - 1)",
                          .where = "square torus, one way round"},
          .parameters = {{.name = "ways", .meaning = "ways round every axis that parts go at once", .high = 2}},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = rotated_cost,
          .build = build_rotated};
}

}  // namespace quadrille::algorithm::allgather_axes_rotated
