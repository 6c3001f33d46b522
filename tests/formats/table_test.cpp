// The table of formats: what it lists is complete, is chosen by ending or name, and is refused by listing what there
// is.
#include "formats/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "quadrille/algorithm.hpp"
#include "quadrille/price.hpp"
#include "settings.hpp"

namespace quadrille::table_test {
namespace {

using formats::Content;

template <class Choose>
std::string complaint(Choose choose) {
  try {
    choose();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Formats, HaveANameAnEndingAndAWriterOfTheirContent) {
  for (const Content content : formats::contents) {
    std::set<std::string_view> names, endings;
    for (const formats::Format& f : formats::formats_of(content)) {
      EXPECT_TRUE(names.insert(f.name).second) << f.name;
      EXPECT_TRUE(endings.insert(f.ending).second) << f.ending;
      EXPECT_TRUE(f.ending.starts_with(".")) << f.name;
      const bool elsewhere = std::holds_alternative<formats::WrittenBy>(f.writer);
      EXPECT_EQ(elsewhere, content == Content::rows || content == Content::page || content == Content::machine);
      EXPECT_EQ(std::holds_alternative<formats::ScheduleWriter>(f.writer) ||
                    std::holds_alternative<formats::RankScheduleWriter>(f.writer),
                content == Content::schedule);
      EXPECT_EQ(std::holds_alternative<formats::TraceWriter>(f.writer), content == Content::trace);
      EXPECT_EQ(std::holds_alternative<formats::PictureWriter>(f.writer), content == Content::picture);
    }
    EXPECT_FALSE(names.empty());
  }
}

/// The messages that a writer says it wrote, into one file or one for each rank.
std::int64_t written(const formats::Format& format, const formats::ScheduleJob& job) {
  std::string text;
  const formats::Sink sink = [&](std::string_view more) { text += more; };
  std::int64_t messages = 0;
  if (const auto* write = std::get_if<formats::ScheduleWriter>(&format.writer)) messages = (*write)(job, sink);
  if (const auto* write = std::get_if<formats::RankScheduleWriter>(&format.writer))
    for (Rank r = 0; r < job.spec.ranks(); ++r) messages += (*write)(job, r, sink);
  EXPECT_FALSE(text.empty());
  return messages;
}

// What stays at a rank is no message, so one rank sends none.
TEST(Formats, WritersOfSchedulesCountTheMessagesBetweenRanks) {
  for (const auto& [network, choice] :
       {std::pair{"ring:4", "bcast_chain:packets=3"}, std::pair{"crossbar:5", "scatter_tree"},
        std::pair{"ring:1", "bcast_chain:packets=1"}}) {
    const Choice chosen = parse_choice(choice);
    const Spec spec = testing::request(chosen.algorithm->collective, network, 96);
    const Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::circuit);
    const Built built = build(spec, machine, chosen);
    const std::int64_t messages = count(spec, machine, *built.schedule).messages;
    for (const formats::Format& f : formats::formats_of(Content::schedule)) {
      SCOPED_TRACE(std::string(f.name) + ": " + choice + " on " + network);
      if (f.name == "mscclpp" && spec.collective == Collective::scatter) {
        EXPECT_NE(complaint([&] {
                    written(f, {spec, *built.schedule, Order::dataflow, choice});
                  }).find("has no scatter"),
                  std::string::npos);
        continue;
      }
      EXPECT_EQ(written(f, {spec, *built.schedule, Order::dataflow, choice}), messages);
    }
  }
}

TEST(Formats, AreChosenByTheEndingOfAName) {
  for (const formats::Format& f : formats::table()) {
    const std::string path = "folder.csv/a" + std::string(f.ending);
    EXPECT_EQ(formats::by_ending(f.content, path, "-o").name, f.name);
    if (&f == &formats::table().front() || (&f - 1)->content != f.content) {
      EXPECT_EQ(formats::by_ending(f.content, "-", "-o").name, f.name);
    }
  }
}

TEST(Formats, RefusalsListWhatIsAccepted) {
  EXPECT_EQ(complaint([] { formats::by_ending(Content::trace, "a.jsn", "--trace"); }),
            "--trace 'a.jsn': expected a name that ends in .json or .csv or .paje, or - for JSON to standard output");
  EXPECT_EQ(complaint([] { formats::by_ending(Content::picture, "svg", "plot: -o"); }),
            "plot: -o 'svg': expected a name that ends in .svg or .png, or - for SVG to standard output");
  for (const formats::Format& f : formats::formats_of(Content::schedule))
    EXPECT_NE(complaint([] { formats::by_name(Content::schedule, "nothing"); }).find(f.name), std::string::npos);
}

TEST(Formats, SchedulesHaveARowInTheGuide) {
  std::ifstream page(QUADRILLE_SOURCE_DIR "/docs/guide/files.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const formats::Format& f : formats::formats_of(Content::schedule))
    EXPECT_NE(text.find("\n| `" + std::string(f.name) + "` | "), std::string::npos)
        << f.name << " has no row in docs/guide/files.md";
}

TEST(Formats, DescribeThemselvesForHelp) {
  EXPECT_EQ(formats::endings_text(Content::picture, " or "), ".svg or .png (by rsvg-convert)");
  EXPECT_EQ(formats::default_name(Content::rows), "CSV");
  for (const formats::Format& f : formats::formats_of(Content::schedule)) {
    const std::string text = formats::names_text(Content::schedule);
    EXPECT_NE(text.find(std::string(f.name) + ": " + std::string(f.what)), std::string::npos);
  }
}

}  // namespace
}  // namespace quadrille::table_test
