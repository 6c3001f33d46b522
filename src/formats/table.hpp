// Every kind of file that a command writes: what is in it, the ending or name it is chosen by, and who writes it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/order.hpp"
#include "quadrille/schedule.hpp"
#include "quadrille/timeline.hpp"

namespace quadrille::formats {

/// What a file is made of.
enum class Content { schedule, trace, picture, rows, page, machine };
constexpr Content contents[] = {Content::schedule, Content::trace, Content::picture,
                                Content::rows,     Content::page,  Content::machine};

/// Takes text piece by piece. Writers hand over what they have when it is longer than `flush_bytes`.
using Sink = std::function<void(std::string_view)>;
constexpr std::size_t flush_bytes = std::size_t{1} << 18;

struct ScheduleJob {
  const Spec& spec;
  const Schedule& schedule;
  Order order;              ///< in which ranks send
  std::string choice = {};  ///< the algorithm with its parameters
};
/// Returns how many messages it wrote.
using ScheduleWriter = std::int64_t (*)(const ScheduleJob& job, const Sink& sink);
/// The same for a form that has a file for each rank: what this one sends.
using RankScheduleWriter = std::int64_t (*)(const ScheduleJob& job, Rank rank, const Sink& sink);

struct TraceJob {
  const Topology& topology;
  bool links_overlap;  ///< a link may carry several messages at once
  Sink sink;
};
/// Watches a simulation, and writes while it runs.
using TraceWriter = std::unique_ptr<Observer> (*)(const TraceJob& job);

/// Makes a file of the picture that charts draw, which is SVG.
using PictureWriter = std::string (*)(const std::string& svg);

/// Another room writes the file, as it reads it too or needs what this room does not see.
struct WrittenBy {
  std::string_view source;  ///< "src/sweeps/row.cpp"
};

struct Format {
  Content content;
  std::string_view name;    ///< as `export` takes it: "smpi"; in capitals what a reader calls it: JSON
  std::string_view ending;  ///< ".json"
  std::string_view what;    ///< for whom, or how; follows the ending in a help text
  std::variant<ScheduleWriter, RankScheduleWriter, TraceWriter, PictureWriter, WrittenBy> writer;
  std::string_view use = {};  ///< the line that gives the file to another tool
};

/// All of them; the first of a content is what goes to standard output.
const std::vector<Format>& table();
std::vector<Format> formats_of(Content content);

/// By the ending of a file's name; the first for "-". Throws Error(argument), which begins with `what`, names the file
/// and lists the endings.
Format by_ending(Content content, const std::string& path, std::string_view what);
/// Throws Error(argument) naming the known formats.
Format by_name(Content content, std::string_view name);

/// ".svg or .png": the endings, and what is said of each after it, with `between` before the next.
std::string endings_text(Content content, std::string_view between);
/// "smpi: a trace; goal: a graph".
std::string names_text(Content content);
/// What standard output gets: "JSON".
std::string default_name(Content content);

}  // namespace quadrille::formats
