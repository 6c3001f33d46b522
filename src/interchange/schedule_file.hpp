// Schedules in files: which question a file answers, and the schedule that it holds.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/collective.hpp"
#include "schedule/table.hpp"

namespace quadrille::interchange {

constexpr std::size_t most_schedule_bytes = std::size_t{128} << 20;
constexpr std::int64_t most_transfers = std::int64_t{1} << 24;
constexpr Rank most_schedule_ranks = Rank{1} << 20;
constexpr Round most_rounds = Round{1} << 30;
constexpr Slot most_places = Slot{1} << 28;  ///< for pieces, of all ranks together: a gigabyte or two

/// What every writer is told.
struct Written {
  const Spec& spec;
  const Schedule& schedule;
  std::string choice;  ///< the algorithm with its parameters; empty: not known
};
/// Takes text piece by piece.
using TextSink = std::function<void(std::string_view)>;

/// A pair of ranks, and the names of the links that its messages cross. [Topology::name()] Of several ways of a pair
/// each takes so many parts of every message.
struct NamedWay {
  Rank from = 0, to = 0;
  std::vector<std::string> links;
  std::int32_t parts = 1;
};

/// A file that was read. Transfers are checked: ranks, rounds and slots are there.
struct ScheduleFile {
  std::string_view form;                      ///< "JSON of Quadrille"
  std::optional<Collective> collective = {};  ///< none: the form does not say
  Rank ranks = 0;
  std::optional<Spec> spec = {};  ///< on a crossbar, where the form says all of the question
  bool any_size = true;           ///< the question's size is free: the cut is in equal parts
  Slot mixed_scratch = 0;         ///< chunks of scratch, if any piece may lie in any of them
  bool says_contents = true;      ///< false: only who sends how much to whom
  schedule::Table table = {};
  std::vector<NamedWay> ways = {};  ///< that messages take on a network which lets them choose
};

/// Reads any of the forms that are known, which the text itself tells apart. Throws Error(format), which names the file
/// and the place, for what none of them is, and Error(budget) for more ranks or transfers than above.
ScheduleFile read_schedule(const std::string& text, const std::string& name);

/// Why the file answers another question than this one, in one sentence; empty: it answers it.
std::string mismatch(const ScheduleFile& file, const Spec& spec);

/// The schedule of a file that answers the question.
SchedulePtr schedule_of(const ScheduleFile& file, const Spec& spec);

/// What files say of schedules on networks where only ranks take part. Throws Error(illegal), which `form` opens, for
/// others.
void check_ranks_only(const Spec& spec, std::string_view form);

// One form a file of that name. Writers return the messages that they wrote.
std::int64_t write_schedule_json(const Written& written, const TextSink& sink);
ScheduleFile read_schedule_json(const std::string& text, const std::string& name);

}  // namespace quadrille::interchange
