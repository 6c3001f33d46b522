// Every block in as many parts as the torus has axes, each part along the axes in another order: in every phase all
// axes work, and no link carries two parts. On full-duplex wires twice as many parts, half of them the other way
// round; or every part both ways at once, each to half of an axis, in half as many rounds: where a side is even, the
// rank half way round has half a part from either way.
#include "algorithm/allgather/shared/chains.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_axes_rotated {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::all_axes_illegal(spec, machine); !reason.empty()) return reason;
  const bool two = params.get("ways", 1) == 2, both = params.get("both", 0) == 1;
  if (two && both) return "both=1 goes both ways with every part, and ways=2 with half of them; try ways=1";
  if ((two || both) && (kit::half_duplex(machine) || pattern::axes_of(spec).sides.front() == 2))
    return "ways=2 and both=1 use both directions of every wire at once, so they need full-duplex wires and sides "
           "of at least 3; try ways=1";
  return {};
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all{{{"ways", {1}}}};
  for (const Params& more : {Params{{"ways", {2}}}, Params{{"both", {1}}}})
    if (illegal(spec, machine, more).empty()) all.push_back(more);
  return all;
}

std::vector<allgather::ChainPart> parts_of(const pattern::Axes& axes, const Params& params) {
  const bool both = params.get("both", 0) == 1, halved = both && axes.sides.front() % 2 == 0;
  std::vector<allgather::ChainPart> parts;
  for (int first = 0; first < axes.count(); ++first) {
    parts.push_back({pattern::order_from(axes, first, 1), 1, both});
    if (halved || params.get("ways", 1) == 2) parts.push_back({parts.back().order, -1, both});
  }
  return parts;
}

/// Along every axis s - 1 rounds, or s/2 both ways. Every link of a way round carries all blocks, or half of them.
/// Parts of several blocks lie apart: all that is sent and received but the single blocks of the first phase, and of
/// these both halves that go one way.
Cost rotated_cost(const Spec& spec, const Machine& machine, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  const Rank n = axes.sides.front(), p = spec.ranks();
  const bool both = params.get("both", 0) == 1, halved = both && n % 2 == 0;
  const std::int64_t splits = pattern::axis_splits(machine, n) ? 2 : 1;
  const Cut cut{.bytes = spec.bytes, .parts = std::ssize(parts_of(axes, params))};
  Bytes part = 0, two = 0;  // of a block on the busiest link, also where the last parts are shorter
  for (Slot i = 0; i < cut.parts; ++i) part = std::max(part, cut.size(i));
  for (Slot i = 0; i + 1 < cut.parts; i += 2) two = std::max(two, cut.size(i) + cut.size(i + 1));
  const std::int64_t rounds = both ? n / 2 : n - 1, bundles = (p - 1) / (n - 1),
                     apart = p - n + (halved ? 2 * (rounds - 1) : 0);
  const Bytes of_block =
      halved ? base::checked_multiply(rounds - 1, two, "bytes") + part : base::checked_multiply(rounds, part, "bytes");
  return kit::with_messages(
      axes.count() * (both || params.get("ways", 1) == 2 ? 2 : 1),
      kit::neighbour_cost(splits * axes.count() * rounds, base::checked_multiply(splits * bundles, of_block, "bytes"),
                          0, base::checked_multiply(2 * apart, spec.bytes, "bytes packed")));
}

SchedulePtr build_rotated(const Spec& spec, const Machine& machine, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  const Rank n = axes.sides.front();
  const bool both = params.get("both", 0) == 1;
  const std::vector<pattern::AxisPhase> phases(axes.sides.size(), pattern::AxisPhase{both ? n / 2 : n - 1, 1});
  SchedulePtr all = allgather::chains_schedule(axes, spec.bytes, parts_of(axes, params), phases);
  return pattern::axis_splits(machine, n) ? schedule::half_split(std::move(all), spec.topology) : all;
}

}  // namespace

Algorithm describe() {
  return {
      .name = "allgather_axes_rotated",
      .collective = Collective::allgather,
      .summary = "parts of every block in daisy chains along all axes of a torus at once",
      .source = "extra: Saad & Schultz 1986, eq. (3.31), on all ports; meets the bound",
      .closed_form = {.startups = "2 (s - 1)",
                      .bytes = "(P - 1) ceil(m/2)",
                      .further = "2 (s - 1)",
                      .where = "square torus, one way round"},
      .parameters = {{.name = "ways", .meaning = "ways round every axis that parts go at once", .high = 2},
                     {.name = "both", .meaning = "1: every part both ways round, half way each", .low = 0, .high = 1}},
      .claims = kit::all_claims,
      .illegal = illegal,
      .variants = variants,
      .cost = rotated_cost,
      .build = build_rotated};
}

}  // namespace quadrille::algorithm::allgather_axes_rotated
