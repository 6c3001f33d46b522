// What a composition of levels says of itself as an algorithm.
#include <fmt/format.h>

#include <algorithm>

#include "algorithm/kit/levels_choice.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/on_routes.hpp"
#include "base/text.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr Rank most_ranks = 1 << 20;  ///< whose messages are counted one by one: some seconds

/// Where ranks are on nodes, or in groups, or named as such.
std::string needs_groups(const Spec& spec, const Params& params) {
  const OnNodes on = on_nodes(spec, params);
  const Rank p = spec.ranks();
  if (params.has(group_size.name)) {
    if (on.cores < p && p % on.cores == 0 && (spec.topology->structure().routed || has_own_wires(spec))) return {};
    const std::vector<Rank> sizes = group_sizes(spec);
    return fmt::format(
        "group={} does not make several groups of {} ranks on {}; nearest: {}", on.cores, p, spec.topology->text(),
        sizes.empty() ? fmt::format("star:{}*2", std::max<Rank>(2, p / 2)) : fmt::format("group={}", sizes.front()));
  }
  if (on.several()) return {};
  return fmt::format("needs several nodes or groups with several ranks each, and {} has none; nearest: star:{}*2",
                     spec.topology->text(), std::max<Rank>(2, p / 2));
}
bool has_levels(const Spec& spec, const Params& params) { return needs_groups(spec, params).empty(); }

/// A vector whose parts differ has no bound from them.
bool is_even(const Composed& whole, const Spec& spec) {
  return whole.on.share * whole.on.cores == spec.bytes ||
         std::none_of(whole.form.levels.begin(), whole.form.levels.end(), [&](const Level& l) {
           return l.vector && l.asked.bytes * unit_of(spec, l.asked.collective) != spec.bytes;
         });
}

std::string uncut(const Spec& spec, const Composed& whole) {
  if (spec.offsets)
    for (const Built& level : whole.levels)
      if (level.schedule->shape().cut.pieces() > 1)
        return fmt::format("blocks of different lengths cannot be cut as {} does", level.choice.algorithm->name);
  return {};
}

}  // namespace

std::string levels_illegal(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  if (const std::string reason = needs_groups(spec, params); !reason.empty()) return reason;
  if (const std::string reason = routes_illegal(spec, machine); !reason.empty()) return reason;
  if (spec.ranks() > most_ranks)
    return fmt::format("counts the messages of every rank, for at most {} ranks", base::format_count(most_ranks));
  if (spec.bytes == 0) return {};
  try {
    const Composed whole = composed(forms, spec, machine, params);
    if (!whole.pieces.empty()) schedule_of(whole, spec);
    return uncut(spec, whole);
  } catch (const Error& error) {
    return error.what();
  }
}

Claims levels_claims(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  Claims claims{.contention_free = false, .port_free = false};
  if (spec.bytes == 0 || !has_levels(spec, params)) return claims;
  const Composed whole = composed(forms, spec, machine, params);
  claims.once = whole.form.once;
  claims.in_order = combines(spec);
  const auto add = [&](const Level& level, const Built& built) {
    claims.once = claims.once && built.claims.once;
    if (combines(level.asked)) claims.in_order = claims.in_order && built.claims.in_order;
    if (level.asked.collective == Collective::allreduce || level.asked.collective == Collective::barrier)
      claims.identical = built.claims.identical;
  };
  for (std::size_t i = 0; i < whole.levels.size(); ++i) add(whole.form.levels[i], whole.levels[i]);
  for (const PieceLevels& piece : whole.pieces)
    for (std::size_t i = 0; i < piece.levels.size(); ++i) add(piece.form.levels[i], piece.levels[i]);
  return claims;
}

Cost levels_cost(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  return cost_on_routes(spec, machine, *levels_build(forms, spec, machine, params));
}

/// In a pipeline levels run at the same time: then the longest says something.
Seconds levels_least(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.bytes == 0 || !has_levels(spec, params)) return 0;
  const Composed whole = composed(forms, spec, machine, params);
  if (!is_even(whole, spec)) return 0;
  Seconds all = 0;
  for (std::size_t i = 0; i < whole.levels.size(); ++i) {
    const Level& level = whole.form.levels[i];
    if (whole.pieces.empty() || level.parameter == outer_level.name)
      all += least_on_routes(spec, slowed(machine, level), whole.levels[i].formula);
  }
  return all;
}

SchedulePtr levels_build(Forms forms, const Spec& spec, const Machine& machine, const Params& params) {
  return schedule_of(composed(forms, spec, machine, params), spec);
}

}  // namespace quadrille::algorithm::kit
