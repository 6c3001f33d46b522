#include "interchange/schedule_file.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "interchange/goal.hpp"
#include "interchange/msccl.hpp"
#include "interchange/schedule_ways.hpp"
#include "schedule/combine.hpp"

namespace quadrille::interchange {

namespace {

/// The same question on a network that any file's ranks form.
Spec on_any_network(Spec spec) {
  spec.topology = parse_topology(fmt::format("crossbar:{}", spec.ranks()));
  return spec;
}

}  // namespace

ScheduleFile read_schedule(const std::string& text, const std::string& name) {
  const std::string_view begin = base::trimmed(std::string_view(text).substr(0, 4096));
  if (begin.starts_with("{")) return read_schedule_json(text, name);
  if (begin.starts_with("<")) return read_msccl(text, name);
  if (begin.starts_with("num_ranks") || begin.starts_with("//") || begin.starts_with("/*"))
    return read_goal(text, name);
  throw Error(Error::Kind::format, fmt::format("{}: begins with {}; expected a schedule as 'quadrille export json' "
                                               "writes it, MSCCL's XML or GOAL",
                                               base::quoted(name, 200), base::quoted(begin.substr(0, 20))));
}

std::string mismatch(const ScheduleFile& file, const Spec& spec) {
  if (file.collective && *file.collective != spec.collective)
    return fmt::format("its schedule performs {}", to_string(*file.collective));
  if (file.ranks != spec.ranks())
    return fmt::format("its schedule is for {} ranks, and {} has {}", file.ranks, spec.topology->text(), spec.ranks());
  if (spec.topology->nodes() != spec.ranks())
    return fmt::format("on {} messages go through a memory, and schedule files have ranks only", spec.topology->text());
  if (const std::int64_t parts = file.table.shape.cut.parts;
      file.mixed_scratch > 0 && spec.bytes % (parts * spec.element) != 0)
    return fmt::format("its {} chunks lie anywhere in scratch, so that all must be as long; nearest: {} bytes", parts,
                       base::ceil_div(spec.bytes, parts * spec.element) * parts * spec.element);
  if (!file.spec) return {};
  Spec asked = on_any_network(spec);
  if (file.any_size && file.spec->sources == nullptr && !file.spec->offsets) asked.bytes = file.spec->bytes;
  const std::string theirs = to_text(*file.spec), ours = to_text(asked);
  if (theirs == ours) return {};
  return fmt::format("its schedule answers '{}', which is not '{}'", theirs, ours);
}

namespace {

/// Pieces of one vector as its blocks, which have the same slots.
void make_pieces_blocks(Shape& shape, Slot scratch, const Spec& spec) {
  const std::int64_t parts = shape.cut.parts;
  shape.cut.parts = 1;
  shape.cut.bytes = spec.bytes / parts;
  shape.in *= parts, shape.out *= parts, shape.tmp = scratch;
}

}  // namespace

SchedulePtr schedule_of(const ScheduleFile& file, const Spec& spec) {
  schedule::Table table = file.table;
  if (file.any_size) table.shape.cut.bytes = spec.bytes;
  if (file.mixed_scratch > 0) make_pieces_blocks(table.shape, file.mixed_scratch, spec);
  table.shape.cut.unit = spec.element;
  SchedulePtr schedule = schedule::of_table(std::move(table));
  if (file.ways.empty() || !spec.topology->chooses_ways()) return schedule;
  return schedule::on_network(std::move(schedule), with_ways(*spec.topology, file.ways));
}

void check_ranks_only(const Spec& spec, std::string_view form) {
  if (spec.topology->nodes() == spec.ranks()) return;
  throw Error(Error::Kind::illegal,
              fmt::format("on {} messages go through a memory, and {} has ranks only; expected a network of ranks",
                          spec.topology->text(), form));
}

}  // namespace quadrille::interchange
