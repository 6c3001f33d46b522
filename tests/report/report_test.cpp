// The data of a report: what it says of a schedule, played by the rules of docs/reference/report.md, must end where the
// proof does.
#include "quadrille/report.hpp"

#include <gtest/gtest.h>

#include <set>

#include "report/items.hpp"
#include "report/measured.hpp"
#include "report/naming.hpp"
#include "report_names.hpp"

namespace quadrille::report_test {
namespace {

Json document(const std::string& collective, const std::string& topology, Bytes bytes, const std::string& machine,
              const std::string& choice = "") {
  Spec spec{.collective = *find_collective(collective), .topology = parse_topology(topology), .bytes = bytes};
  const Plan plan = quadrille::plan(checked(spec), load_machine(machine));
  ReportOptions options;
  options.command = "quadrille report";
  if (!choice.empty()) options.choice = parse_choice(choice);
  return Json::parse(report_document(plan, options));
}

/// A reader of the document, written from docs/reference/report.md and not from the program.
class Reader : public Names {
 public:
  using Names::Names;

  using Piece = std::pair<std::int64_t, std::int64_t>;  // block, piece
  std::set<Piece> items(std::int64_t number, std::int64_t from, std::int64_t round) const {
    std::set<Piece> all;
    const Json& list = s_["items"][static_cast<std::size_t>(number)];
    const std::int64_t moved = s_["pieces_move"].get<bool>() ? round : 0;
    for (std::size_t i = 0; i < list.size();) {
      const std::int64_t first = list[i], pieces = list[i + 1], runs = list[i + 2];
      i += 3;
      for (std::int64_t k = 0; k < runs; ++k, i += 3)
        for (std::int64_t n = 0; n < list[i + 1].get<std::int64_t>(); ++n)
          for (std::int64_t p = 0; p < pieces; ++p)
            all.insert(
                {block(list[i].get<std::int64_t>() + n * list[i + 2].get<std::int64_t>(), from), first + moved + p});
    }
    return all;
  }

  /// Plays everything; an empty text when each rank sends only what it has and ends with what it must have.
  std::string play() const {
    std::vector<std::set<Piece>> held(static_cast<std::size_t>(nodes_));
    std::vector<std::int64_t> actions(static_cast<std::size_t>(nodes_), 0);
    runs(s_["initial"], [&](auto r, auto set) { held[static_cast<std::size_t>(r)] = items(set, r, 0); });
    std::int64_t round = 0;
    for (const Json& step : s_["steps"]) {
      runs(step, [&](auto r, auto action) { actions[static_cast<std::size_t>(r)] = action; });
      std::vector<std::pair<std::int64_t, std::set<Piece>>> arriving;
      for (std::int64_t r = 0; r < nodes_; ++r) {
        const Json& action = s_["actions"][static_cast<std::size_t>(actions[static_cast<std::size_t>(r)])];
        for (std::size_t k = 0; k < action.size(); k += 3) {
          const std::set<Piece> sent = items(action[k + 2], r, round);
          for (const Piece& piece : sent)
            if (!held[static_cast<std::size_t>(r)].contains(piece))
              return "rank " + std::to_string(r) + " sends what it does not have in round " + std::to_string(round);
          arriving.emplace_back(rank(action[k], r), sent);
        }
      }
      for (const auto& [to, sent] : arriving) held[static_cast<std::size_t>(to)].insert(sent.begin(), sent.end());
      ++round;
    }
    std::string missing;
    runs(s_["wanted"], [&](auto r, auto set) {
      for (const Piece& piece : items(set, r, 0))
        if (!held[static_cast<std::size_t>(r)].contains(piece))
          missing = "rank " + std::to_string(r) + " lacks a block";
    });
    return missing;
  }
  std::int64_t wanted(std::int64_t rank) const {
    std::int64_t n = 0;
    runs(s_["wanted"], [&](auto r, auto set) {
      if (r == rank) n = static_cast<std::int64_t>(items(set, r, 0).size());
    });
    return n;
  }
};

struct Case {
  std::string collective, topology, machine, choice;
};

class Played : public ::testing::TestWithParam<Case> {};

TEST_P(Played, EndsWithWhatEveryRankMustHave) {
  const Case& c = GetParam();
  const Json json = document(c.collective, c.topology, 1000, c.machine, c.choice);
  ASSERT_EQ(json["schedule"]["detail"], "blocks");
  EXPECT_EQ(json["proof"]["holds"], true);
  EXPECT_EQ(Reader(json).play(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Networks, Played,
    ::testing::Values(Case{"allgather", "torus:4x6", "unit", ""}, Case{"allgather", "mesh:3x4", "paragon", ""},
                      Case{"allgather", "hypercube:4", "unit", "allgather_tea2"},
                      Case{"alltoall", "hypercube:4", "ipsc860", "alltoall_mce:phases=2,2"},
                      Case{"alltoall", "hypercube:4", "ipsc860", "alltoall_direct"},
                      Case{"alltoall", "ring:9", "unit", ""}, Case{"alltoall", "crossbar:12", "unit", ""},
                      Case{"alltoall", "omega:3", "unit", ""}, Case{"alltoall", "memory:8", "memory-1986", ""},
                      Case{"alltoall", "bus:6", "bus-1986", ""}, Case{"bcast", "ring:12", "unit", ""},
                      Case{"bcast", "mesh:4x4", "unit", ""}, Case{"bcast", "hypercube:5", "unit", "bcast_esbt"},
                      Case{"scatter", "torus:4x4x2", "unit", ""}, Case{"gather", "hypercube:4", "unit", ""},
                      Case{"transpose", "crossbar:9", "unit", ""}, Case{"sendrecv", "torus:5x5", "unit", ""}));

// An allgather leaves each of 12 ranks with 12 blocks, whole; a scatter with 1.
TEST(Report, SaysHowMuchEveryRankMustHave) {
  const Json gathered = document("allgather", "ring:12", 8, "unit");
  EXPECT_EQ(Reader(gathered).wanted(7), 12 * gathered["schedule"]["pieces"].get<std::int64_t>());
  const Json scattered = document("scatter", "ring:12", 8, "unit");
  EXPECT_EQ(Reader(scattered).wanted(7), scattered["schedule"]["pieces"].get<std::int64_t>());
}

// Ranks on a torus do alike, seen from each: 62 rounds, 31 along either axis, are 62 actions and "nothing".
TEST(Report, TellsATorusOf1024RanksShort) {
  const Json json = document("allgather", "torus:32x32", 1024, "localhost", "allgather_axes:first=1");
  EXPECT_EQ(json["schedule"]["rounds"], 62);
  EXPECT_EQ(json["schedule"]["actions"].size(), 63u);
  EXPECT_EQ(json["schedule"]["detail"], "blocks");
  EXPECT_LT(json["schedule"].dump().size(), 20'000u);
  EXPECT_LT(json.dump().size(), 1'000'000u);
}

// 2^11 ranks are too many to show: a broadcast down a binomial tree is 2047 messages of 64 bytes between 64 groups.
TEST(Report, AddsUpBeyondWhatCanBeShown) {
  const Json json = document("bcast", "hypercube:11", 64, "unit-one-port", "bcast_binomial");
  EXPECT_EQ(json["schedule"]["detail"], "matrix");
  double sum = 0;
  for (const double bytes : json["matrix"]["bytes"]) sum += bytes;
  EXPECT_EQ(sum, 64.0 * 2047);
  EXPECT_EQ(json["matrix"]["groups"], 64);
}

// A chain of two messages, one after the other, on unit costs without circuits: rank 1 passes on what it has received
// after 1 + 8 units, and the last of the three ranks has it after 18.
TEST(Report, EventsAreTheSimulators) {
  const Json json = document("bcast", "ring:3", 8, "unit-one-port", "bcast_chain:packets=1");
  const Json& e = json["events"];
  EXPECT_EQ(e["simulated_s"], 18.0);
  EXPECT_EQ(json["counted"]["price_s"], 18.0);
  double last = 0;
  for (std::size_t i = 0; i < e["rank"].size(); ++i) {
    EXPECT_LE(e["begin"][i], e["sent"][i]);
    EXPECT_LE(e["sent"][i], e["end"][i]);
    last = std::max(last, e["end"][i].get<double>());
  }
  EXPECT_NEAR(last, 1e6, 1);  // ticks in the makespan
}

// A machine of circuits on a bus: there are none on what all share, so messages wait for the bus.
TEST(Report, ABusHasNoCircuits) {
  const Json json = document("alltoall", "ethernet:16", 1024, "ethernet", "alltoall_scatters");
  EXPECT_GT(json["events"]["simulated_s"].get<double>(), 0);
}

// Ranks 0 and 1 of a fat tree of 4-port switches are below switch 16: two links, whose ends every way goes over.
TEST(Report, WaysThroughSwitchesAreLinksFromEndToEnd) {
  for (const char* network :
       {"fattree:4", "dragonfly:2,2,1", "torus:2x2*2", "star:5", "dgx-a100:2", "fattree:4@0,1,5"}) {
    const Json json = document("alltoall", network, 8, "cluster");
    const Json& links = json["network"]["links"];
    ASSERT_FALSE(json["schedule"]["pair_routes"].empty()) << network;
    for (const Json& route : json["schedule"]["pair_routes"]) {
      const std::int64_t pair = route[0], nodes = json["network"]["nodes"];
      std::int64_t at = pair / nodes;
      for (const std::size_t link : route[1]) {
        EXPECT_EQ(links[2 * link], at) << network << " " << pair;
        at = links[2 * link + 1];
      }
      EXPECT_EQ(at, pair % nodes) << network;
    }
    EXPECT_TRUE(json["network"].contains("drawn")) << network;
  }
  const Json tree = document("alltoall", "fattree:4", 8, "cluster");
  EXPECT_EQ(tree["network"]["vertices"], 36);
  EXPECT_EQ(tree["network"]["drawn"]["rows"][1][0]["name"], "pod 0");
}

TEST(Report, SaysWhichLinksBind) {
  const Json bound = document("alltoall", "star:4*4", 65536, "cluster")["bound"];
  const auto binding = std::find_if(bound["parts"].begin(), bound["parts"].end(),
                                    [&](const Json& part) { return part["name"] == bound["binding"]; });
  ASSERT_NE(binding, bound["parts"].end());
  EXPECT_EQ((*binding)["links"], Json::parse("[[16, 20, 1]]"));
}

TEST(Report, TimesOfRoundsAddUpToTheCountedPrice) {
  const Json json = document("alltoall", "hypercube:5", 100, "ipsc860", "alltoall_mce:phases=3,2");
  double sum = 0;
  for (const double time : json["rounds"]["time_s"]) sum += time;
  EXPECT_NEAR(sum, json["counted"]["price_s"].get<double>(), 1e-12);
  EXPECT_EQ(json["counted"]["equals_formula"], true);
}

// The threshold is the first size at which the later algorithm is the faster one, to 1/256.
TEST(Report, ThresholdsSeparateTheBestAlgorithms) {
  const Json json = document("alltoall", "hypercube:6", 32, "ipsc860");
  const Json& thresholds = json["crossover"]["thresholds"];
  ASSERT_FALSE(thresholds.empty());
  for (const Json& t : thresholds) {
    const Bytes from = t["from"];
    EXPECT_EQ(document("alltoall", "hypercube:6", from, "ipsc860")["answer"]["algorithm"], t["above"]);
    EXPECT_EQ(document("alltoall", "hypercube:6", from - 1 - from / 250, "ipsc860")["answer"]["algorithm"], t["below"]);
  }
}

TEST(Report, NothingThatRunsIsStillAReport) {
  Machine machine = load_machine("unit");
  machine.ports = Ports::one, machine.duplex = Duplex::node_half, machine.switching = Switching::store_and_forward;
  Spec spec{.collective = Collective::transpose, .topology = parse_topology("mesh:3x3"), .bytes = 8};
  const Json json = Json::parse(report_document(plan(checked(std::move(spec)), machine), {}));
  ASSERT_TRUE(json["answer"].is_null());
  EXPECT_FALSE(json["refused"].empty());
  EXPECT_NE(report_page(json.dump()).find("Nothing can run here."), std::string::npos);
}

TEST(Report, HostileTextStaysText) {
  Json json = document("bcast", "ring:4", 8, "unit");
  const std::string evil = "</script><script>alert(1)</script><!--\xE2\x80\xA8'\"&";
  json["question"] = evil;
  json["provenance"]["command"] = evil;
  const std::string page = report_page(json.dump());
  EXPECT_EQ(page.find("</script><script>alert"), std::string::npos);
  EXPECT_NE(page.find("&lt;/script&gt;&lt;script&gt;alert(1)"), std::string::npos);
  // What stands in the page is the same document.
  const std::string open = "id=\"document\">";
  const std::size_t from = page.find(open) + open.size();
  EXPECT_EQ(Json::parse(page.substr(from, page.find("</script>", from) - from)), json);
  EXPECT_EQ(page.find("@@"), std::string::npos);
}

TEST(Report, OnlyDocumentsBecomePages) {
  EXPECT_THROW(report_page("[1, 2]"), Error);
  EXPECT_THROW(report_page("{\"question\""), Error);
}

// Names are steps: seen from any rank, every rank has its own, and the same step is the same name from everywhere.
TEST(Naming, IsOneToOneAndKeepsSteps) {
  const report::Naming torus(*parse_topology("torus:3x4"), Group::none), mesh(*parse_topology("mesh:3x4"), Group::none);
  for (Rank from = 0; from < 12; ++from) {
    std::set<std::int64_t> names, signs;
    for (Rank seen = 0; seen < 12; ++seen) {
      names.insert(torus.name(seen, from));
      signs.insert(mesh.name(seen, from));
    }
    EXPECT_EQ(names.size(), 12u);
    EXPECT_EQ(*names.rbegin(), 11);
    EXPECT_EQ(signs.size(), 12u);
    EXPECT_LT(*signs.rbegin(), mesh.names());
  }
  EXPECT_EQ(mesh.names(), 5 * 7);
  EXPECT_EQ(torus.name(0, 11), torus.name(5, 0));  // one on along both axes: (2,3) to (0,0), (0,0) to (1,1)
  EXPECT_EQ(mesh.name(5, 0), mesh.name(11, 6));
  EXPECT_NE(mesh.name(0, 11), mesh.name(5, 0));
}

// Pieces 0 and 1 of blocks 1, 3, 5 and 9: one group of two pieces, runs 1 3 5 and 9; piece 7 of block 2 apart.
TEST(Items, ArePackedInGroupsAndRuns) {
  std::vector<report::Item> items{{7, 2}};
  for (const std::int64_t block : {9, 5, 1, 3})
    for (const std::int64_t piece : {1, 0}) items.push_back({piece, block});
  items.push_back({0, 5});  // twice is once
  EXPECT_EQ(report::packed(items), (report::Numbers{0, 2, 2, 1, 3, 2, 9, 1, 1, 7, 1, 1, 2, 1, 1}));
}

TEST(Measurements, AreReadOrRefusedByLine) {
  const auto points = report::parse_measurements("bytes,seconds,label\n# here\n8, 1e-6,a b\r\n\n16,2e-6\n", "m.csv");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].label, "a b");
  EXPECT_EQ(points[1].bytes, 16);
  EXPECT_EQ(points[1].time, 2e-6);
  for (const std::string bad : {"8", "8,0", "-1,3", "8,x", "8,1,a,b", "8,inf"}) {
    try {
      report::parse_measurements("1,1\n" + bad, "m.csv");
      FAIL() << bad;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace quadrille::report_test
