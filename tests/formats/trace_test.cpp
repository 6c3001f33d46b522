// Traces of simulated runs as other programs read them.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/text.hpp"
#include "formats/table.hpp"
#include "quadrille/simulate.hpp"
#include "settings.hpp"

namespace quadrille::trace_test {
namespace {

using Json = nlohmann::json;
using testing::request;

struct Case {
  Spec spec;
  Machine machine;
  Built built;
  Case(Collective collective, const std::string& topology, const std::string& algorithm)
      : spec(request(collective, topology, 97)),
        machine(testing::test_machine(Ports::one, Duplex::full, Switching::circuit)),
        built(build(spec, machine, parse_choice(algorithm))) {}
  Timeline run(Network network, Observer& observer) const {
    return simulate(spec, machine, *built.schedule, {.network = network, .observer = &observer});
  }
  /// Messages of the schedule itself: round, from, to.
  std::multiset<std::vector<std::int64_t>> messages() const {
    std::multiset<std::vector<std::int64_t>> all;
    Summary summary;
    for (Round t = 0; t < built.schedule->shape().rounds; ++t)
      for (Rank r = 0; r < spec.ranks(); ++r)
        for (const auto& m : summary.of(*built.schedule, t, r))
          if (m.kind == Kind::send && m.peer != r) all.insert({t, r, m.peer});
    return all;
  }
};

std::unique_ptr<Observer> trace_to(const std::string& file, const Topology& topology, bool overlap, std::string& text) {
  const formats::Format format = formats::by_ending(formats::Content::trace, file, "trace");
  return std::get<formats::TraceWriter>(format.writer)(
      {topology, overlap, [&text](std::string_view more) { text += more; }});
}

std::vector<Case> cases() {
  return {{Collective::alltoall, "hypercube:3", "alltoall_mce:phases=1,2"},
          {Collective::scatter, "bus:5", "scatter_direct"},
          {Collective::allgather, "ring:5", "allgather_daisy"}};
}

// Every message of the schedule is one line, in order of arrival, and its waits and costs add up to its time.
TEST(Trace, CsvHasEveryMessageOnce) {
  for (const Case& c : cases())
    for (const Network network : {Network::cut_through, Network::fluid}) {
      std::string text;
      const auto trace = trace_to("x.csv", *c.spec.topology, true, text);
      const Timeline line = c.run(network, *trace);
      std::istringstream lines(text);
      std::string row;
      std::getline(lines, row);
      const std::vector<std::string_view> names = base::split(row, ',');
      ASSERT_EQ(names[2], "round");
      std::multiset<std::vector<std::int64_t>> seen;
      double before = 0;
      while (std::getline(lines, row)) {
        std::vector<double> x;
        for (const std::string_view cell : base::split(row, ',')) x.push_back(base::parse_number(cell, "cell"));
        ASSERT_EQ(x.size(), 15U);
        seen.insert(
            {static_cast<std::int64_t>(x[2]), static_cast<std::int64_t>(x[0]), static_cast<std::int64_t>(x[1])});
        const double asked = x[5], began = x[6], left = x[7], arrived = x[8];
        EXPECT_LE(asked, began);
        EXPECT_LE(began, left);
        EXPECT_LE(left, arrived);
        EXPECT_LE(before, arrived);
        before = arrived;
        EXPECT_NEAR(x[9] + x[10] + x[11] + x[12] + x[13] + x[14], arrived - asked, 1e-9 * arrived);
      }
      EXPECT_EQ(seen, c.messages());
      EXPECT_LE(before, line.makespan);
    }
}

// The JSON parses; every message begins once and ends once, later; slices of one row do not overlap, and what a link's
// row shows is named.
TEST(Trace, ChromeTracesParseAndNest) {
  for (const Case& c : cases())
    for (const Network network : {Network::cut_through, Network::fluid}) {
      std::string text;
      const bool overlap = network == Network::fluid || c.spec.topology->shared_medium();
      const auto trace = trace_to("x.json", *c.spec.topology, overlap, text);
      c.run(network, *trace);
      const Json json = Json::parse(text, nullptr, false);
      ASSERT_FALSE(json.is_discarded()) << text;
      std::map<std::pair<std::string, std::int64_t>, double> open;
      std::multiset<std::vector<std::int64_t>> seen;
      std::map<std::pair<int, std::int64_t>, std::vector<std::pair<double, double>>> rows;
      std::set<std::int64_t> named;
      Rank ranks_named = 0;
      for (const Json& e : json["traceEvents"]) {
        const std::string kind = e["ph"];
        if (kind == "M") {
          if (e["name"] == "thread_name" && e["pid"] == 3) named.insert(e["tid"].get<std::int64_t>());
          ranks_named += e["name"] == "thread_name" && e["pid"] == 1;
          continue;
        }
        EXPECT_TRUE(e["pid"] != 3 || named.contains(e["tid"].get<std::int64_t>()));
        const double ts = e["ts"];
        EXPECT_GE(ts, 0);
        if (kind == "X") {
          rows[{e["pid"], e["tid"]}].emplace_back(ts, ts + e["dur"].get<double>());
          continue;
        }
        const std::pair<std::string, std::int64_t> key(e["cat"], e["id"]);
        if (kind == "b") {
          EXPECT_TRUE(open.emplace(key, ts).second);
          if (e["cat"] == "message") {
            const std::string name = e["name"];
            seen.insert(
                {e["args"]["round"], e["tid"], base::parse_integer(name.substr(name.find('>') + 1), 0, 1000, "to")});
          }
        } else {
          ASSERT_EQ(kind, "e");
          EXPECT_LE(open.at(key), ts);
        }
      }
      EXPECT_EQ(seen, c.messages());
      EXPECT_EQ(ranks_named, c.spec.ranks());
      for (auto& [row, slices] : rows) {
        std::sort(slices.begin(), slices.end());
        for (std::size_t i = 1; i < slices.size(); ++i)
          EXPECT_LE(slices[i - 1].second, slices[i].first * (1 + 1e-12)) << row.first << " " << row.second;
      }
    }
}

}  // namespace
}  // namespace quadrille::trace_test
