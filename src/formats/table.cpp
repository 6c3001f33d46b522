#include "formats/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "files/file.hpp"

namespace quadrille::formats {

// Each writer is alone in the file of its name.
std::int64_t smpi_schedule(const ScheduleJob& job, const Sink& sink);
std::int64_t json_schedule(const ScheduleJob& job, const Sink& sink);
std::int64_t msccl_schedule(const ScheduleJob& job, const Sink& sink);
std::int64_t mscclpp_schedule(const ScheduleJob& job, const Sink& sink);
std::int64_t chakra_schedule(const ScheduleJob& job, Rank rank, const Sink& sink);
std::int64_t goal_schedule(const ScheduleJob& job, const Sink& sink);
std::unique_ptr<Observer> chrome_trace(const TraceJob& job);
std::unique_ptr<Observer> csv_trace(const TraceJob& job);
std::unique_ptr<Observer> paje_trace(const TraceJob& job);
std::string png_picture(const std::string& svg);

namespace {

std::string unchanged(const std::string& svg) { return svg; }

std::vector<std::string> texts(Content content, std::string (*text_of)(const Format&)) {
  std::vector<std::string> all;
  for (const Format& f : formats_of(content)) all.push_back(text_of(f));
  return all;
}

}  // namespace

const std::vector<Format>& table() {
  static const std::vector<Format> all{
      {.content = Content::schedule,
       .name = "smpi",
       .ending = ".ti",
       .what = "a time-independent trace, which SimGrid's smpirun -replay plays on any of its platforms",
       .writer = smpi_schedule,
       .use = "smpirun -np P -platform PLATFORM.xml -hostfile HOSTS -replay NAMES, where the file NAMES holds the name "
              "of this one"},
      {.content = Content::schedule,
       .name = "mscclpp",
       .ending = ".mscclpp.json",
       .what = "an execution plan of MSCCL++: puts, signals and waits of every GPU; read back as file:NAME",
       .writer = mscclpp_schedule,
       .use = "ExecutionPlan(\"NAME\", rank) of MSCCL++'s executor"},
      {.content = Content::schedule,
       .name = "json",
       .ending = ".json",
       .what = "all of it, for tools: who sends which slots to whom in which round; read back as file:NAME.json",
       .writer = json_schedule,
       .use = "quadrille verify COLLECTIVE TOPOLOGY --algorithm file:NAME.json; price, simulate, report and run take "
              "it too"},
      {.content = Content::schedule,
       .name = "msccl",
       .ending = ".xml",
       .what = "MSCCL's XML: thread blocks of steps on equal chunks; read back as file:NAME.xml",
       .writer = msccl_schedule,
       .use = "MSCCL_XML_FILES=NAME.xml for MSCCL's runtime"},
      {.content = Content::schedule,
       .name = "goal",
       .ending = ".goal",
       .what = "GOAL: messages and what they wait for; read back as file:NAME.goal",
       .writer = goal_schedule,
       .use = "txt2bin -i NAME.goal -o NAME.bin, then LogGOPSim -f NAME.bin"},
      {.content = Content::schedule,
       .name = "chakra",
       .ending = ".et",
       .what =
           "Chakra's execution traces, a file NAME.RANK.et for each rank: messages, reductions and what they wait for",
       .writer = chakra_schedule,
       .use = "AstraSim --workload-configuration=NAME and its other options"},
      {Content::trace, "json", ".json", "for ui.perfetto.dev or chrome://tracing", chrome_trace},
      {Content::trace, "csv", ".csv", "one line a message", csv_trace},
      {Content::trace, "paje", ".paje", "for pj_dump or ViTE", paje_trace},
      {Content::picture, "svg", ".svg", "", unchanged},
      {Content::picture, "png", ".png", "(by rsvg-convert)", png_picture},
      {Content::rows, "csv", ".csv", "", WrittenBy{"src/sweeps/row.cpp"}},
      {Content::rows, "json", ".json", "", WrittenBy{"src/sweeps/row.cpp"}},
      {Content::page, "html", ".html", "", WrittenBy{"src/report/page.cpp"}},
      {Content::machine, "toml", ".toml", "", WrittenBy{"src/machine/file.cpp"}},
  };
  return all;
}

std::vector<Format> formats_of(Content content) {
  std::vector<Format> all;
  for (const Format& f : table())
    if (f.content == content) all.push_back(f);
  return all;
}

Format by_ending(Content content, const std::string& path, std::string_view what) {
  const std::vector<Format> known = formats_of(content);
  if (files::is_standard_output(path)) return known.front();
  for (const Format& f : known)
    if (path.ends_with(f.ending)) return f;
  throw Error(Error::Kind::argument,
              fmt::format("{} {}: expected a name that ends in {}, or - for {} to standard output", what,
                          base::quoted(path, 200),
                          base::join(texts(content, [](const Format& f) { return std::string(f.ending); }), " or "),
                          default_name(content)));
}

Format by_name(Content content, std::string_view name) {
  for (const Format& f : formats_of(content))
    if (f.name == name) return f;
  base::unknown_name("format", name, "name", texts(content, [](const Format& f) { return std::string(f.name); }));
}

std::string endings_text(Content content, std::string_view between) {
  return base::join(
      texts(content,
            [](const Format& f) { return fmt::format("{}{}{}", f.ending, f.what.empty() ? "" : " ", f.what); }),
      between);
}

std::string names_text(Content content) {
  return base::join(texts(content, [](const Format& f) { return fmt::format("{}: {}", f.name, f.what); }), "; ");
}

std::string default_name(Content content) {
  std::string name(formats_of(content).front().name);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return name;
}

}  // namespace quadrille::formats
