// Pipelines of levels: what is carried between nodes in pieces, which end where the level between nodes cuts.
#include <fmt/format.h>

#include <algorithm>

#include "algorithm/kit/levels_choice.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// The same phases so many bytes further on.
std::vector<schedule::Phase> moved(std::vector<schedule::Phase> phases, Bytes by) {
  for (schedule::Phase& phase : phases) {
    for (Bytes& base : phase.bases) base += by;
    phase.place = [place = std::move(phase.place), by](Rank r, Buffer b, Slot label, std::vector<schedule::Lot>& lots) {
      const std::size_t before = lots.size();
      place(r, b, label, lots);
      for (std::size_t i = before; i < lots.size(); ++i) lots[i].base += by;
    };
  }
  return phases;
}

Schedules schedules_of(const std::vector<Built>& levels) {
  Schedules all;
  for (const Built& level : levels) all.push_back(level.schedule);
  return all;
}

}  // namespace

std::int64_t pieces_it_cuts(const Spec& spec, const Level& between, const SchedulePtr& schedule) {
  return std::ssize(schedule::cuts_of(schedule, unit_of(spec, between.asked.collective))) - 1;
}

std::vector<Range> ranges_of(const Spec& spec, const Level& between, const Built& built, std::int64_t pieces) {
  const std::vector<Bytes> cuts = schedule::cuts_of(built.schedule, unit_of(spec, between.asked.collective));
  const std::int64_t most = std::ssize(cuts) - 1;
  if (pieces > most)
    refuse(fmt::format("{} cuts what it carries in {} piece{}; try pieces={}", built.choice.algorithm->name, most,
                       most == 1 ? "" : "s", most));
  std::vector<Range> ranges;
  const auto cut = [&](std::int64_t piece) { return cuts[static_cast<std::size_t>(piece * most / pieces)]; };
  for (std::int64_t i = 0; i < pieces; ++i) ranges.push_back({cut(i), cut(i + 1) - cut(i)});
  return ranges;
}

SchedulePtr schedule_of(const Composed& whole, const Spec& spec) {
  const Form& form = whole.form;
  const Schedules levels = schedules_of(whole.levels);
  if (whole.pieces.empty()) return form.compose(levels);
  Slot scratch = 0;
  std::vector<schedule::Piece> pieces;
  for (const PieceLevels& p : whole.pieces) {
    const Schedules inner = schedules_of(p.levels);
    const std::vector<schedule::Phase> phases = moved(p.form.phases(inner), p.range.begin);
    const auto between = phases.begin() + static_cast<std::ptrdiff_t>(form.between);
    pieces.push_back(
        {p.range.begin, p.range.begin + p.range.length, {phases.begin(), between}, {between + 1, phases.end()}});
    scratch = std::max(scratch, form.scratch(inner));
  }
  return schedule::pipelined_levels(vector_shape(spec, scratch), whole.on.grouping(), form.phases(levels)[form.between],
                                    std::move(pieces), form.follows);
}

}  // namespace quadrille::algorithm::kit
