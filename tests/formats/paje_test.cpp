// Paje's traces, read by what the format demands: events as they are defined, by time, of what is there; and what they
// say is what the simulation did.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "base/text.hpp"
#include "formats/table.hpp"
#include "quadrille/simulate.hpp"
#include "settings.hpp"

namespace quadrille::paje_test {
namespace {

/// A line's words; what stands in quotes is one.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      if (quoted) words.emplace_back();
      open = false;
    } else if (c == ' ' && !quoted) {
      open = false;
    } else {
      if (!quoted && !open) words.emplace_back();
      open = !quoted;
      words.back() += c;
    }
  }
  EXPECT_FALSE(quoted) << line;
  return words;
}

/// What a strict reader makes of a trace. Its expectations fail where the text is wrong.
class PajeReader {
 public:
  void read_all(const std::string& text) {
    std::istringstream lines(text);
    std::string line, event;
    while (std::getline(lines, line)) {
      if (line.starts_with("%EventDef ")) {
        const std::vector<std::string> words = words_of(line);
        ASSERT_EQ(words.size(), 3U);
        event = words[2];
        ASSERT_TRUE(names_.emplace(event, words[1]).second) << "a number comes twice";
      } else if (line.starts_with("%EndEventDef")) {
        event.clear();
      } else if (line.starts_with("%")) {
        const std::vector<std::string> words = words_of(line);
        ASSERT_EQ(words.size(), 3U);
        ASSERT_FALSE(event.empty());
        fields_[event].push_back(words[1]);
      } else {
        read(line);
      }
      if (::testing::Test::HasFatalFailure()) return;
    }
    for (const auto& [container, stack] : states_) EXPECT_TRUE(stack.empty()) << container << " ends in a state";
    for (const auto& [container, value] : load) EXPECT_EQ(value, 0) << container << " ends with messages";
    EXPECT_TRUE(containers_.empty()) << "not all containers are destroyed";
    EXPECT_TRUE(started_.empty()) << "an arrow has no end";
  }

  std::map<std::string, double> load, most_load;                ///< by link
  std::map<std::pair<std::string, std::string>, double> spent;  ///< seconds by container and state
  std::multiset<std::vector<std::string>> arrows;               ///< from, to, bytes
  std::map<std::string, std::string> named;                     ///< containers
  double end = 0;

 private:
  void read(const std::string& line) {
    const std::vector<std::string> words = words_of(line);
    ASSERT_FALSE(words.empty());
    ASSERT_TRUE(names_.contains(words[0])) << line;
    const std::string& name = names_[words[0]];
    const std::vector<std::string>& fields = fields_[words[0]];
    ASSERT_EQ(words.size(), fields.size() + 1) << line;
    std::map<std::string, std::string> f;
    for (std::size_t i = 0; i < fields.size(); ++i) f[fields[i]] = words[i + 1];
    if (name.starts_with("PajeDefine")) {
      ASSERT_TRUE(types_.insert(f["Alias"]).second) << line;
      return;
    }
    const double time = base::parse_number(f["Time"], "time");
    EXPECT_GE(time, end) << line;
    end = time;
    ASSERT_TRUE(types_.contains(f["Type"])) << line;
    take(name, f, time, line);
  }

  void take(const std::string& name, std::map<std::string, std::string>& f, double time, const std::string& line) {
    if (name == "PajeCreateContainer") {
      ASSERT_TRUE(f["Container"] == "0" || containers_.contains(f["Container"])) << line;
      ASSERT_TRUE(containers_.insert(f["Alias"]).second) << line;
      named[f["Alias"]] = f["Name"];
      return;
    }
    if (name == "PajeDestroyContainer") {
      ASSERT_EQ(containers_.erase(f["Name"]), 1U) << line;
      return;
    }
    const std::string container = f["Container"];
    ASSERT_TRUE(containers_.contains(container)) << line;
    if (name == "PajePushState") {
      ASSERT_TRUE(types_.contains(f["Value"])) << line;
      states_[container].push_back({f["Value"], time});
      EXPECT_EQ(states_[container].size(), 1U) << line << ": a rank waits for one thing at a time";
    } else if (name == "PajePopState") {
      ASSERT_FALSE(states_[container].empty()) << line;
      const auto [value, begin] = states_[container].back();
      states_[container].pop_back();
      spent[{container, value}] += time - begin;
    } else if (name == "PajeStartLink") {
      ASSERT_TRUE(containers_.contains(f["StartContainer"])) << line;
      ASSERT_TRUE(started_.emplace(f["Key"], std::pair(f["StartContainer"], f["Value"])).second) << line;
    } else if (name == "PajeEndLink") {
      ASSERT_TRUE(containers_.contains(f["EndContainer"])) << line;
      ASSERT_TRUE(started_.contains(f["Key"])) << line;
      const auto& [from, bytes] = started_[f["Key"]];
      EXPECT_EQ(bytes, f["Value"]) << line;
      arrows.insert({from, f["EndContainer"], bytes});
      started_.erase(f["Key"]);
    } else {
      const double value = base::parse_number(f["Value"], "value");
      double& now = load[container];
      now = name == "PajeSetVariable" ? value : name == "PajeAddVariable" ? now + value : now - value;
      EXPECT_GE(now, 0) << line;
      most_load[container] = std::max(most_load[container], now);
    }
  }

  std::map<std::string, std::string> names_;
  std::map<std::string, std::vector<std::string>> fields_;
  std::set<std::string> types_, containers_;
  std::map<std::string, std::vector<std::pair<std::string, double>>> states_;
  std::map<std::string, std::pair<std::string, std::string>> started_;
};

/// What a simulation tells, kept apart.
class Told final : public Observer {
 public:
  void arrived(const Passage& m) override {
    arrows.insert({fmt::format("r{}", m.from), fmt::format("r{}", m.to), fmt::format("{}", m.bytes)});
  }
  void occupied(const Occupation& x, const Passage&) override { links.insert(x.link); }
  void stayed(const Stay& s) override {
    if (s.why == Stay::Why::combined) combining[fmt::format("r{}", s.rank)] += s.end - s.begin;
  }
  std::multiset<std::vector<std::string>> arrows;
  std::set<Link> links;
  std::map<std::string, double> combining;
};

TEST(Paje, SaysWhatTheSimulationDid) {
  int combined = 0, shared = 0;
  for (const auto& [topology, choice] :
       {std::pair{"hypercube:3", "alltoall_mce:phases=1,2"}, std::pair{"bus:5", "scatter_direct"},
        std::pair{"ring:5", "allgather_daisy"}, std::pair{"hypercube:3", "allreduce_halving"},
        std::pair{"torus:4x4", "alltoall_linear"}, std::pair{"crossbar:4", "allreduce_linear"}})
    for (const Network network : {Network::cut_through, Network::fluid}) {
      SCOPED_TRACE(std::string(choice) + " on " + topology);
      const Choice parsed = parse_choice(choice);
      const Spec spec = testing::request(parsed.algorithm->collective, topology, 960);
      Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
      const Built built = build(spec, machine, parsed);
      std::string text;
      const auto format = formats::by_ending(formats::Content::trace, "x.paje", "trace");
      const auto trace = std::get<formats::TraceWriter>(format.writer)(
          {*spec.topology, network == Network::fluid, [&text](std::string_view more) { text += more; }});
      Told told;
      Observers both;
      both.add(*trace), both.add(told);
      const Timeline line = simulate(spec, machine, *built.schedule, {.network = network, .observer = &both});
      PajeReader read;
      read.read_all(text);
      if (::testing::Test::HasFailure()) return;
      EXPECT_EQ(read.arrows, told.arrows);
      EXPECT_EQ(read.load.size(), told.links.size());
      EXPECT_NEAR(read.end, line.makespan, 1e-9 * line.makespan);
      EXPECT_EQ(read.named.at("r1"), "rank 1");
      for (const auto& [rank, time] : told.combining) {
        EXPECT_NEAR(read.spent.at({rank, "combines"}), time, 1e-9 * line.makespan);
        ++combined;
      }
      for (const auto& [link, most] : read.most_load) shared += most > 1;
    }
  EXPECT_GT(combined, 0);
  EXPECT_GT(shared, 0);
}

}  // namespace
}  // namespace quadrille::paje_test
