// What is asked of the algorithms inside nodes and between them, and how the parts of a vector lie there.
#include "algorithm/kit/levels.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"

namespace quadrille::algorithm::kit {

namespace {

Spec asked_of(const Spec& spec, Collective collective, Rank ranks, Bytes bytes, Rank root) {
  Spec part{.collective = collective,
            .topology = parse_topology(fmt::format("crossbar:{}", ranks)),
            .bytes = bytes,
            .root = root};
  if (!combines(part)) return part;
  part.operands = spec.operands, part.element = spec.element, part.identical = spec.identical;
  return part;
}

/// Links of the longest way from the first rank of all to those of its group, or to the first ranks of other groups.
int links_crossed(const Spec& spec, const OnNodes& on, bool inside) {
  constexpr Rank enough = 64;
  const Rank step = inside ? 1 : on.cores, others = std::min(enough, inside ? on.cores : on.nodes);
  int most = 1;
  for (Rank i = 1; i < others; ++i) most = std::max(most, spec.topology->distance(0, i * step));
  return most;
}

}  // namespace

std::vector<Bytes> OnNodes::parts() const {
  std::vector<Bytes> starts;
  for (Rank core = 0; core < cores; ++core) starts.push_back(core * share);
  return starts;
}

std::vector<Rank> group_sizes(const Spec& spec) {
  const Topology::Structure structure = spec.topology->structure();
  return {structure.groups.begin(), structure.groups.end()};
}

OnNodes on_nodes(const Spec& spec, const Params& params) {
  const std::vector<Rank> sizes = group_sizes(spec);
  const Rank cores = params.get(group_size.name, sizes.empty() ? 0 : sizes.front());
  if (cores < 1) return {};
  const Bytes elements = spec.bytes / spec.element;
  return {.nodes = spec.ranks() / cores,
          .cores = cores,
          .root_node = spec.root / cores,
          .root_core = spec.root % cores,
          .share = base::ceil_div(elements, cores) * spec.element,
          .share_links = cores == spec.topology->structure().per_node};
}

Bytes unit_of(const Spec& spec, Collective collective) {
  Spec part = spec;
  part.collective = collective;
  return combines(spec) && !combines(part) ? spec.element : 1;
}

Level level(std::string_view parameter, Tier side, Collective collective, const Spec& spec, const OnNodes& on,
            Bytes bytes) {
  const Bytes unit = unit_of(spec, collective);
  const bool inside = side == Tier::inside;
  Spec asked = asked_of(spec, collective, inside ? on.cores : on.nodes, bytes / unit,
                        !has_root(collective) ? 0
                        : inside              ? on.root_core
                                              : on.root_node);
  return {.parameter = parameter, .asked = std::move(asked), .times = unit, .links = links_crossed(spec, on, inside)};
}

Level of_vector(std::string_view parameter, Tier side, Collective collective, const Spec& spec, const OnNodes& on) {
  Level all = level(parameter, side, collective, spec, on, on.piece ? on.piece->length : spec.bytes);
  all.vector = true;
  return all;
}

Level of_share(std::string_view parameter, Tier side, Collective collective, const Spec& spec, const OnNodes& on) {
  Level part = level(parameter, side, collective, spec, on, on.piece ? on.piece->length : on.share);
  part.vector = true;
  if (on.piece && side == Tier::inside) part.stride = on.share;
  return side == Tier::between ? in_slices(std::move(part), on) : part;
}

Level of_blocks(std::string_view parameter, Tier side, Collective collective, const Spec& spec, const OnNodes& on,
                std::int64_t times) {
  Level blocks = level(parameter, side, collective, spec, on, spec.bytes);
  blocks.times *= times;
  return blocks;
}

Level in_slices(Level level, const OnNodes& on) {
  if (on.share_links) level.sharing = on.cores;
  return level;
}

schedule::Phase vector_phase(const Spec& spec, const Level& level, SchedulePtr inner, schedule::Among among,
                             Rank chosen, schedule::Place place) {
  return {.inner = std::move(inner),
          .among = among,
          .chosen = chosen,
          .place = std::move(place),
          .vector = true,
          .unit = unit_of(spec, level.asked.collective),
          .stride = level.stride};
}

schedule::Phase shares_phase(const Spec& spec, const OnNodes& on, const Level& level, SchedulePtr inner,
                             schedule::Among among, Rank chosen, schedule::Place place) {
  schedule::Phase phase = vector_phase(spec, level, std::move(inner), among, chosen, std::move(place));
  phase.bases = on.parts();
  return phase;
}

Slot vectors_of_scratch(const Schedule& inner) {
  const Shape& shape = inner.shape();
  return shape.tmp == shape.out ? 1 : shape.tmp;
}

Shape vector_shape(const Spec& spec, Slot scratch) {
  return {.ranks = spec.ranks(),
          .in = combines(spec) ? 1 : 0,
          .out = 1,
          .tmp = scratch,
          .cut = {.bytes = spec.bytes, .unit = spec.element}};
}

Form vector_form(const Spec& spec, const OnNodes& on, std::vector<Level> levels, std::size_t between,
                 std::function<Slot(const Schedules&)> scratch,
                 std::function<std::vector<schedule::Phase>(const Schedules&)> phases) {
  const auto compose = [=](const Schedules& inner) {
    return schedule::levels(vector_shape(spec, scratch(inner)), on.grouping(), phases(inner));
  };
  return {.levels = std::move(levels), .compose = compose, .phases = phases, .scratch = scratch, .between = between};
}

}  // namespace quadrille::algorithm::kit
