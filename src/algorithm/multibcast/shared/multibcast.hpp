// What the s-to-p broadcasts share beyond their schedules: parameters, what they promise, where they cannot run, what
// they cost.
#pragma once

#include <string>
#include <vector>

#include "algorithm/kit/description.hpp"
#include "algorithm/pattern/merging.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::multibcast {

inline constexpr Parameter odd_last{
    .name = "odd_last",
    .meaning = "1: the middle rank of an odd line sends to the line's last rank; 0: to its neighbour",
    .low = 0,
    .high = 1};
inline constexpr Parameter literal{
    .name = "literal",
    .meaning = "1: the test as printed, rows first when there are as many of them or more; 0: longer lines first",
    .low = 0,
    .high = 1};
inline constexpr Parameter row_major{
    .name = "row_major",
    .meaning = "1: the line goes through every row from left to right; 0: it turns at the ends (snake)",
    .low = 0,
    .high = 1};

/// The largest number of ranks that the tables are made for, and all messages counted within a second.
constexpr Rank most_ranks = Rank{1} << 18;
std::string needs_fewer_ranks(const Spec& spec);
/// "needs rows and columns, and ring:6 has none; ..." or empty.
std::string needs_rows_and_columns(const Spec& spec);
inline std::string runs_anywhere(const Spec&) { return {}; }
/// Empty where ranks can send to each other: not through a shared memory.
std::string needs_ways(const Spec& spec);
/// Why the machine lets no rank send so far, or send and receive at once; empty when it does.
std::string merge_illegal(const Spec& spec, const Machine& machine, const pattern::Merging& schedule);
Claims merge_claims(const Spec& spec, const pattern::MergePlan& plan);
/// Counted from the schedule's own messages, at the cost of a look at each.
Cost merge_cost(const Spec& spec, const Machine& machine, const pattern::Merging& schedule);
/// All values of the switches that make a difference here.
std::vector<Params> switch_variants(const Spec& spec, const std::vector<Parameter>& switches,
                                    const pattern::MergePlan& plan);

/// Line broadcasts as an algorithm. `make` says what it does, duplex and odd lines apart, and `refuse` where that makes
/// no sense; its parameters are switches.
template <pattern::MergePlan (*make)(const Spec&, const Params&), std::string (*refuse)(const Spec&),
          const Parameter&... switches>
Algorithm merge_algorithm(const kit::Description& says) {
  struct Maker {
    static pattern::MergePlan plan(const Spec& spec, const Machine& machine, const Params& params) {
      pattern::MergePlan plan = make(spec, params);
      plan.odd = params.get("odd_last", 0) == 1 ? pattern::Odd::last : pattern::Odd::neighbour;
      plan.halves = machine.duplex != Duplex::full;
      return plan;
    }
  };
  return {.name = says.name,
          .collective = Collective::multibcast,
          .summary = says.summary,
          .source = says.source,
          .closed_form = says.closed_form,
          .literature = says.literature,
          .parameters = {switches...},
          .claims = [](const Spec& s, const Machine& m,
                       const Params& params) { return merge_claims(s, Maker::plan(s, m, params)); },
          .illegal = [](const Spec& s, const Machine& m, const Params& params) -> std::string {
            if (std::string why = needs_fewer_ranks(s); !why.empty()) return why;
            if (std::string why = needs_ways(s); !why.empty()) return why;
            if (std::string why = refuse(s); !why.empty()) return why;
            return merge_illegal(s, m, pattern::Merging(Maker::plan(s, m, params)));
          },
          .variants =
              [](const Spec& s, const Machine& m) {
                std::vector<Params> all = switch_variants(s, {switches...}, make(s, Params()));
                std::erase_if(all, [&](const Params& params) {
                  const pattern::MergePlan plan = Maker::plan(s, m, params);
                  return plan.idle_move() || !merge_illegal(s, m, pattern::Merging(plan)).empty();
                });
                return all;
              },
          .cost = [](const Spec& s, const Machine& m,
                     const Params& params) { return merge_cost(s, m, pattern::Merging(Maker::plan(s, m, params))); },
          .build = [](const Spec& s, const Machine& m, const Params& params) -> SchedulePtr {
            return std::make_shared<pattern::Merging>(Maker::plan(s, m, params));
          },
          .moves_sources = says.moves_sources};
}

/// A plan in which all ranks go through the same phases and no source moves first.
pattern::MergePlan merge_plan(const Spec& spec, pattern::Phases phases);

/// Rows first or columns first: both phases of a broadcast in a region.
enum class First { rows, columns };
pattern::Phases rows_and_columns(const pattern::Region& region, First first);
/// Most sources in a row and in a column.
struct Crowding {
  Slot row = 0, column = 0;
  /// Br_xy_source: rows first when the rows hold fewer, so that what travels along the columns stays short.
  First first() const { return row < column ? First::rows : First::columns; }
};
Crowding crowding(const pattern::Region& region, const std::vector<Rank>& sources);
/// Br_xy_dim: the longer dimension first; as it is printed, rows when there are at least as many of them as columns.
First by_dimension(const Rectangle& mesh, bool as_printed);

/// Where s sources should sit in a region for rows first (full columns) or columns first (full rows): on the lines
/// that spread fastest, increasing ranks.
std::vector<Rank> ideal_lines(const pattern::Region& region, Slot count, First first);
/// The ranks of a line at the positions that spread fastest, increasing ranks.
std::vector<Rank> ideal_in_line(const std::vector<Rank>& line, Slot count);

}  // namespace quadrille::algorithm::multibcast
