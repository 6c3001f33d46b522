// Collectives on nodes with several ranks each: any algorithm inside the nodes with any between them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algorithm/kit/description.hpp"
#include "schedule/levels.hpp"

namespace quadrille::algorithm::kit {

struct Range {
  Bytes begin = 0, length = 0;
};

/// Where ranks are: on nodes, or in other groups, which are called nodes here. `share` is the part of the vector that a
/// core takes where all of a node take part: the last cores' parts may be shorter, or empty.
struct OnNodes {
  Rank nodes = 0, cores = 0, root_node = 0, root_core = 0;
  Bytes share = 0;
  bool share_links = false;  ///< nodes of Structure::per_node ranks, which leave them by the same links
  /// Of what a rank carries between nodes, the share or the whole vector, where a pipeline asks for a piece of it.
  std::optional<Range> piece = {};
  bool several() const { return nodes > 1 && cores > 1; }
  /// Where the parts of cores start.
  std::vector<Bytes> parts() const;
  schedule::Grouping grouping() const { return {cores, share_links}; }
};
/// Of the groups that the parameters name, or that the network has.
OnNodes on_nodes(const Spec& spec, const Params& params);
/// Sizes of the network's groups, the smallest first.
std::vector<Rank> group_sizes(const Spec& spec);

/// An algorithm of a form: what it is asked, and how many times as much it really moves, by which it is chosen.
struct Level {
  std::string_view parameter;  ///< "before", "outer", "inner" or "after"
  Spec asked;
  std::int64_t times = 1;
  std::int64_t sharing = 1;  ///< ranks of a node that do the same at once, over the same links
  int links = 1;             ///< that its messages cross
  bool vector = false;       ///< its buffers are parts of one vector
  Bytes stride = 0;          ///< [schedule::Phase]
};
using Schedules = std::vector<SchedulePtr>;
/// A way to put levels together.
struct Form {
  std::vector<Level> levels;  ///< in the order in which they run
  std::function<SchedulePtr(const Schedules&)> compose;
  bool once = true;  ///< no rank gets what it has
  /// Of a vector that may be cut in pieces: the phases, and vectors of scratch.
  std::function<std::vector<schedule::Phase>(const Schedules&)> phases = {};
  std::function<Slot(const Schedules&)> scratch = {};
  std::size_t between = 0;  ///< the phase between nodes
  schedule::Follows follows = schedule::Follows::what_came;
};
using Forms = std::vector<Form> (*)(const Spec&, const OnNodes&);

enum class Tier : std::uint8_t { inside, between };
/// The question to a level: on a crossbar of as many ranks, in elements where a reduction's results are handed round.
Level level(std::string_view parameter, Tier side, Collective collective, const Spec& spec, const OnNodes& on,
            Bytes bytes);
/// The same about the vector, or about the share of it that a core has.
Level of_vector(std::string_view parameter, Tier side, Collective collective, const Spec& spec, const OnNodes& on);
Level of_share(std::string_view parameter, Tier side, Collective collective, const Spec& spec, const OnNodes& on);
/// Blocks that come `times` at once.
Level of_blocks(std::string_view parameter, Tier side, Collective collective, const Spec& spec, const OnNodes& on,
                std::int64_t times);
/// The same level in all slices at once.
Level in_slices(Level level, const OnNodes& on);
/// Bytes of what a level of this collective counts.
Bytes unit_of(const Spec& spec, Collective collective);

/// Phases of a vector. Its parts are in `out` of ranks that have one, else in scratch: partial sums, and in place.
schedule::Phase vector_phase(const Spec& spec, const Level& level, SchedulePtr inner, schedule::Among among,
                             Rank chosen, schedule::Place place);
/// The same where every core has its own part.
schedule::Phase shares_phase(const Spec& spec, const OnNodes& on, const Level& level, SchedulePtr inner,
                             schedule::Among among, Rank chosen, schedule::Place place);
/// How many vectors the scratch of a level on a vector takes.
Slot vectors_of_scratch(const Schedule& inner);
/// What the schedule of a vector with so many vectors of scratch is like.
Shape vector_shape(const Spec& spec, Slot scratch);
/// A form whose phases work on a vector. The `between`-th is the one between nodes.
Form vector_form(const Spec& spec, const OnNodes& on, std::vector<Level> levels, std::size_t between,
                 std::function<Slot(const Schedules&)> scratch,
                 std::function<std::vector<schedule::Phase>(const Schedules&)> phases);

std::string levels_illegal(Forms forms, const Spec& spec, const Machine& machine, const Params& params);
std::vector<Params> levels_variants(Forms forms, const Spec& spec, const Machine& machine);
Claims levels_claims(Forms forms, const Spec& spec, const Machine& machine, const Params& params);
Cost levels_cost(Forms forms, const Spec& spec, const Machine& machine, const Params& params);
Seconds levels_least(Forms forms, const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr levels_build(Forms forms, const Spec& spec, const Machine& machine, const Params& params);

constexpr Parameter group_size{.name = "group",
                               .meaning =
                                   "ranks of a group, which have consecutive numbers; else those of a node, or "
                                   "of the smallest group that the network has",
                               .low = 2};
constexpr Parameter level_pieces{.name = "pieces",
                                 .meaning =
                                     "of what a rank carries between nodes; inside them one piece is worked on "
                                     "while others are between"};
constexpr Parameter outer_level{.name = "outer", .meaning = "the algorithm between nodes", .is_choice = true};
constexpr Parameter inner_level{.name = "inner", .meaning = "the algorithm inside every node", .is_choice = true};
constexpr Parameter before_level{.name = "before",
                                 .meaning =
                                     "the algorithm inside nodes ahead of the one between them, where there are "
                                     "two inside",
                                 .is_choice = true};
constexpr Parameter after_level{.name = "after",
                                .meaning = "the algorithm inside nodes that tells what the one between them found",
                                .is_choice = true};

template <Forms forms>
Algorithm levels_of(Collective collective, const Description& d, std::vector<Parameter> parameters) {
  parameters.insert(parameters.begin(), group_size);
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .literature = d.literature,
          .parameters = std::move(parameters),
          .claims = [](const Spec& s, const Machine& m, const Params& p) { return levels_claims(forms, s, m, p); },
          .illegal = [](const Spec& s, const Machine& m, const Params& p) { return levels_illegal(forms, s, m, p); },
          .variants = [](const Spec& s, const Machine& m) { return levels_variants(forms, s, m); },
          .cost = [](const Spec& s, const Machine& m, const Params& p) { return levels_cost(forms, s, m, p); },
          .build = [](const Spec& s, const Machine& m, const Params& p) { return levels_build(forms, s, m, p); },
          .least = [](const Spec& s, const Machine& m, const Params& p) { return levels_least(forms, s, m, p); },
          .asks_for_nodes = true};
}

}  // namespace quadrille::algorithm::kit
