// Br_Lin and Br_xy with every rank a source: ranks half a line apart exchange all they hold, then each half of the line
// does the same; on one line through all ranks, or on all rows and then on all columns. Few start-ups, with messages
// that go past ranks and share links.
#include <fmt/format.h>

#include <memory>

#include "algorithm/kit/support.hpp"
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_lin {

namespace {

constexpr Rank most = 1 << 14;
constexpr Parameter lines{
    .name = "lines",
    .meaning =
        "0: one line that turns at the ends of rows (snake); 1: one line, row by row; 2: rows, then "
        "columns; 3: columns, then rows",
    .low = 0,
    .high = 3};

/// The same request as an s-to-p broadcast: blocks lie alike in both.
Spec from_all(const Spec& spec) {
  std::vector<std::pair<Rank, Bytes>> sources;
  for (Rank r = 0; r < spec.ranks(); ++r) sources.emplace_back(r, spec.bytes);
  Spec many = spec;
  many.collective = Collective::multibcast;
  many.sources = make_sources(std::move(sources));
  return many;
}

pattern::Merging merging(const Spec& many, const Machine& machine, const Params& params) {
  const Rectangle mesh = rectangle_of(*many.topology);
  const std::int64_t way = params.get("lines", 1);
  pattern::MergePlan plan = multibcast::merge_plan(
      many, way < 2 ? pattern::Phases{pattern::all_in_line(mesh, way == 0)}
                    : multibcast::rows_and_columns(pattern::whole(mesh),
                                                   way == 2 ? multibcast::First::rows : multibcast::First::columns));
  plan.halves = machine.duplex != Duplex::full;
  return pattern::Merging(std::move(plan));
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.topology->shared_medium() || spec.topology->nodes() != spec.ranks())
    return fmt::format("exchanges in pairs, and {} has one medium that all hear; try {}", spec.topology->text(),
                       spec.topology->nodes() == spec.ranks() ? "allgather_sequential" : "allgather_memory");
  if ((kit::is_cube(spec) || kit::is_switch(spec)) && !kit::is_butterfly(spec))
    return fmt::format("is for networks where ranks 2^j apart are no neighbours, as they are on {}; nearest: ring:{}",
                       spec.topology->text(), spec.ranks());
  if (spec.ranks() > most)
    return fmt::format("is counted message by message, for at most {} ranks; try allgather_daisy", most);
  if (params.get("lines", 1) >= 2)
    if (!multibcast::needs_rows_and_columns(spec).empty())
      return fmt::format("lines={} needs rows and columns, and {} has none; try lines=1", params.get("lines", 1),
                         spec.topology->text());
  return multibcast::merge_illegal(spec, machine, merging(from_all(spec), machine, params));
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const Rectangle mesh = rectangle_of(*spec.topology);
  std::vector<Params> all;
  for (const std::int64_t way : {1, 0, 2, 3}) {
    if (way != 1 && (mesh.rows == 1 || mesh.cols == 1)) break;
    const Params params{{"lines", {way}}};
    if (illegal(spec, machine, params).empty()) all.push_back(params);
  }
  return all;
}

}  // namespace

Algorithm describe() {
  return {.name = "allgather_lin",
          .collective = Collective::allgather,
          .summary = "ranks half a line apart exchange all they hold, then each half by itself; counted",
          .source = "Hambrusch, Khokhar & Liu 1995, section 2, Br_Lin and Br_xy, from all ranks",
          .closed_form = {.where = "at most ceil(log2(R)) + ceil(log2(C)) start-ups; counted"},
          .parameters = {lines},
          .claims = [](const Spec& s, const Machine& m,
                       const Params& p) { return multibcast::merge_claims(s, merging(from_all(s), m, p).plan()); },
          .illegal = illegal,
          .variants = variants,
          .cost = [](const Spec& s, const Machine& m,
                     const Params& p) { return multibcast::merge_cost(s, m, merging(from_all(s), m, p)); },
          .build = [](const Spec& s, const Machine& m, const Params& p) -> SchedulePtr {
            return std::make_shared<pattern::Merging>(merging(from_all(s), m, p));
          }};
}

}  // namespace quadrille::algorithm::allgather_lin
