#include "algorithm/multibcast/shared/multibcast.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithm/kit/round_pricer.hpp"
#include "algorithm/kit/support.hpp"
#include "base/integer.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::multibcast {

std::string needs_fewer_ranks(const Spec& spec) {
  if (spec.ranks() <= most_ranks) return {};
  return fmt::format("keeps tables of all ranks, for at most {} of them", most_ranks);
}

std::string needs_rows_and_columns(const Spec& spec) {
  const auto* grid = kit::grid(spec);
  if (grid != nullptr && grid->sides().size() == 2) return {};
  return fmt::format("needs rows and columns, and {} has none; nearest: a mesh or torus of two dimensions, or {}",
                     spec.topology->text(), "multibcast_lin, which needs none");
}

namespace {

/// A rank whose source moves away while another's moves there; -1: none.
Rank swapping_rank(const pattern::MergePlan& plan) {
  const std::vector<Rank>& from = plan.sources->ranks;
  std::vector<Rank> receivers;
  for (std::size_t k = 0; k < from.size(); ++k)
    if (plan.placed[k] != from[k]) receivers.push_back(plan.placed[k]);
  std::sort(receivers.begin(), receivers.end());
  for (std::size_t k = 0; k < from.size(); ++k)
    if (plan.placed[k] != from[k] && std::binary_search(receivers.begin(), receivers.end(), from[k])) return from[k];
  return -1;
}

}  // namespace

std::string needs_ways(const Spec& spec) {
  if (spec.topology->nodes() == spec.ranks()) return {};
  return fmt::format("sends from rank to rank, and on {} all goes through the memory; try multibcast_memory",
                     spec.topology->text());
}

std::string merge_illegal(const Spec& spec, const Machine& machine, const pattern::Merging& schedule) {
  if (machine.duplex != Duplex::full)
    if (const Rank r = swapping_rank(schedule.plan()); r >= 0)
      return fmt::format("moves the sources in one round, in which rank {} would send and receive at once; try {}", r,
                         "--set duplex=full or an algorithm that leaves them where they are");
  if (machine.switching != Switching::store_and_forward) return {};
  std::string why;
  schedule.for_each_round([&](const std::vector<pattern::Merging::Message>& messages) {
    for (const pattern::Merging::Message& m : messages)
      for (const Rank to : {m.to, m.also})
        if (why.empty() && to >= 0 && !spec.topology->adjacent(m.from, to))
          why = fmt::format("rank {} sends to rank {}, {} links away, and this machine stores and forwards; try {}",
                            m.from, to, spec.topology->distance(m.from, to), "--set switching=wormhole");
    return why.empty();
  });
  return why;
}

Claims merge_claims(const Spec& spec, const pattern::MergePlan& plan) {
  Claims claims{.contention_free = spec.topology->diameter() <= 1 && !spec.topology->shared_medium()};
  for (const pattern::Phases& phases : plan.groups)
    for (const pattern::Lines& lines : phases)
      claims.port_free = claims.port_free && base::is_power_of_two(lines.length);
  for (const pattern::Talk& talk : plan.exchange)
    claims.port_free = claims.port_free && talk.only_to < 0 && talk.only_from < 0;
  if (plan.moves()) {
    std::vector<Rank> receivers;
    for (std::size_t k = 0; k < plan.placed.size(); ++k)
      if (plan.placed[k] != plan.sources->ranks[k]) receivers.push_back(plan.placed[k]);
    std::sort(receivers.begin(), receivers.end());
    claims.port_free = claims.port_free && std::adjacent_find(receivers.begin(), receivers.end()) == receivers.end();
  }
  return claims;
}

Cost merge_cost(const Spec& spec, const Machine& machine, const pattern::Merging& schedule) {
  kit::RoundPricer pricer(spec, machine);
  schedule.for_each_round([&](const std::vector<pattern::Merging::Message>& messages) {
    for (const pattern::Merging::Message& m : messages) {
      const Rank peers[] = {m.to, m.also};
      pricer.send(m.from, {peers, m.also < 0 ? 1U : 2U}, m.bytes, m.one_run);
    }
    pricer.end_round();
    return true;
  });
  return pricer.cost();
}

std::vector<Params> switch_variants(const Spec& spec, const std::vector<Parameter>& switches,
                                    const pattern::MergePlan& plan) {
  const Rectangle mesh = rectangle_of(*spec.topology);
  bool uneven = false;
  for (const pattern::Phases& phases : plan.groups)
    for (const pattern::Lines& lines : phases) uneven = uneven || !base::is_power_of_two(lines.length);
  const auto matters = [&](std::string_view name) {
    return name == odd_last.name ? uneven : name == row_major.name ? mesh.rows > 1 : mesh.rows != mesh.cols;
  };
  std::vector<Params> all{Params()};
  for (const Parameter& p : switches) {
    const std::size_t before = all.size();
    for (std::size_t i = 0; matters(p.name) && i < before; ++i) {
      Params on = all[i];
      on.set(std::string(p.name), {1});
      all.push_back(std::move(on));
    }
    for (std::size_t i = 0; i < before; ++i) all[i].set(std::string(p.name), {0});
  }
  return all;
}

pattern::MergePlan merge_plan(const Spec& spec, pattern::Phases phases) {
  return {.sources = spec.sources,
          .ranks = spec.ranks(),
          .placed = spec.sources->ranks,
          .groups = {std::move(phases)},
          .exchange = {}};
}

pattern::Phases rows_and_columns(const pattern::Region& region, First first) {
  pattern::Phases phases{pattern::rows_of(region), pattern::columns_of(region)};
  if (first == First::columns) std::swap(phases[0], phases[1]);
  return phases;
}

Crowding crowding(const pattern::Region& region, const std::vector<Rank>& sources) {
  std::vector<Slot> in_row(static_cast<std::size_t>(region.rows)), in_column(static_cast<std::size_t>(region.cols));
  for (const Rank r : sources) {
    const Rank row = r / region.pitch - region.top, col = r % region.pitch - region.left;
    if (row < 0 || row >= region.rows || col < 0 || col >= region.cols) continue;
    ++in_row[static_cast<std::size_t>(row)];
    ++in_column[static_cast<std::size_t>(col)];
  }
  return {*std::max_element(in_row.begin(), in_row.end()), *std::max_element(in_column.begin(), in_column.end())};
}

First by_dimension(const Rectangle& mesh, bool as_printed) {
  return (as_printed ? mesh.rows >= mesh.cols : mesh.cols >= mesh.rows) ? First::rows : First::columns;
}

std::vector<Rank> ideal_lines(const pattern::Region& region, Slot count, First first) {
  const bool rows = first == First::columns;  // full rows: every column then has as many sources as any other
  const Rank across = rows ? region.rows : region.cols, length = rows ? region.cols : region.rows;
  std::vector<Rank> ranks;
  for (const Rank line : pattern::ideal_positions(across, base::ceil_div(count, length)))
    for (Rank x = 0; x < length && static_cast<Slot>(ranks.size()) < count; ++x)
      ranks.push_back(rows ? region.at(line, x) : region.at(x, line));
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

std::vector<Rank> ideal_in_line(const std::vector<Rank>& line, Slot count) {
  std::vector<Rank> ranks;
  for (const Rank x : pattern::ideal_positions(static_cast<Rank>(line.size()), count))
    ranks.push_back(line[static_cast<std::size_t>(x)]);
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

}  // namespace quadrille::algorithm::multibcast
