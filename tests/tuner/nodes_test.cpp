// Nodes with several ranks, found by messages between them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "quadrille/cost.hpp"
#include "quadrille/tune.hpp"

namespace quadrille::nodes_test {
namespace {

constexpr Seconds start_between = 5e-6, start_within = 1e-6;
constexpr double per_byte_between = 10e-9, per_byte_within = 0.1e-9;

/// Hosts around a switch. A host's link carries so many messages at once, each as fast as one alone, a rank's memory
/// one each way. A round takes as long as its busiest link, and a start-up.
struct Cluster {
  std::vector<std::int64_t> host_of_rank;
  int rails = 1;
  Seconds now = 0;

  RunResult operator()(const Spec& spec, const Schedule& schedule, const RunOptions& options) {
    Seconds once = 0;
    for (Round t = 0; t < schedule.shape().rounds; ++t) once += round(spec.ranks(), schedule, t);
    now += once * (options.repetitions + 1);
    RunResult result;
    result.times.assign(static_cast<std::size_t>(options.repetitions), once);
    return result;
  }

  Seconds round(Rank ranks, const Schedule& schedule, Round t) {
    const auto host = [&](Rank r) { return host_of_rank[static_cast<std::size_t>(r)]; };
    std::map<std::pair<std::int64_t, bool>, std::vector<Bytes>> links;  ///< of hosts, out and in: messages
    Collected collected;
    Seconds longest = schedule.barrier(t) ? 4e-6 : 1e-7;
    for (Rank r = 0; r < ranks; ++r)
      for (const Transfer& x : collected.all(schedule, t, r)) {
        if (x.kind != Kind::send || x.peer == r) continue;
        const Bytes bytes = schedule.bytes(x.buffer, x.slots);
        longest = std::max(longest, start_within + per_byte_within * static_cast<double>(bytes));
        if (host(r) == host(x.peer)) continue;
        links[{host(r), true}].push_back(bytes);
        links[{host(x.peer), false}].push_back(bytes);
      }
    for (const auto& [link, messages] : links) {
      Bytes sum = 0;
      for (const Bytes bytes : messages) sum += bytes;
      const double share = std::max(static_cast<double>(*std::max_element(messages.begin(), messages.end())),
                                    static_cast<double>(sum) / rails);
      longest = std::max(longest, start_between + per_byte_between * share);
    }
    return longest;
  }
};

Tuned tuned(Cluster& cluster, bool told = true, const char* topology = "") {
  TuneOptions options{.ranks = std::ssize(cluster.host_of_rank)};
  if (told) options.hosts = cluster.host_of_rank;
  if (*topology != '\0') options.topology = parse_topology(topology);
  options.perform = std::ref(cluster);
  options.elapsed = [&] { return cluster.now; };
  return tune(options, "a cluster");
}

void expect_constants(const Machine& m) {
  EXPECT_NEAR(m.beta, per_byte_between, 1e-12);
  EXPECT_NEAR(m.alpha, start_between, 1e-6);
  ASSERT_EQ(m.links.size(), 1u);
  EXPECT_EQ(m.links[0].kind, "memory");
  EXPECT_NEAR(m.links[0].alpha, start_within, 1e-7);
  EXPECT_NEAR(m.links[0].beta, per_byte_within, 1e-14);
  EXPECT_EQ(to_text(parse_machine(to_text(m), "test")), to_text(m));
}

TEST(TuneNodes, ConstantsAreThoseOfMemoriesAndOfLinks) {
  Cluster cluster{{7, 7, 8, 8, 9, 9, 3, 3}};
  const Tuned t = tuned(cluster);
  EXPECT_EQ(t.topology->text(), "star:4*2");
  EXPECT_TRUE(t.nodes.empty());
  expect_constants(t.machine);
  EXPECT_NEAR(t.samples.leaving.time / t.samples.alone.time, 2, 0.02) << "two ranks share a link";
  EXPECT_NEAR(t.samples.incast.time / t.samples.alone.time, 3, 0.03) << "three send to one";
  EXPECT_NE(t.machine.description.find("2 ranks of a node at once took 1.99 times"), std::string::npos)
      << t.machine.description;
}

TEST(TuneNodes, RanksMayBeDealtOutInTurns) {
  Cluster cluster{{1, 2, 3, 1, 2, 3}};
  const Tuned t = tuned(cluster);
  EXPECT_EQ(t.topology->text(), "star:3*2");
  EXPECT_EQ(t.nodes, (std::vector<Rank>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(t.network.groups, (std::vector<std::vector<Rank>>{{0, 3}, {1, 4}, {2, 5}}));
  expect_constants(t.machine);
}

TEST(TuneNodes, RailsMakeLinksWider) {
  Cluster cluster{{0, 0, 0, 0, 1, 1, 1, 1}, 2};
  EXPECT_EQ(tuned(cluster).topology->text(), "star:2*4/2");
  Cluster wide{{0, 0, 0, 0, 1, 1, 1, 1}, 4};
  EXPECT_EQ(tuned(wide).topology->text(), "star:2*4/4");
}

TEST(TuneNodes, HostsMayBeUnequal) {
  Cluster cluster{{0, 0, 1, 2, 2}};
  const Tuned t = tuned(cluster);
  EXPECT_EQ(t.topology->text(), "star:3*2@0-2,4-5");
  EXPECT_EQ(t.topology->ranks(), 5);
  expect_constants(t.machine);
}

/// Nobody says who shares a node, as with threads: times do, where groups have one size.
TEST(TuneNodes, GroupsOfOneSizeAreNodes) {
  Cluster cluster{{0, 1, 0, 1, 0, 1}};
  const Tuned t = tuned(cluster, false);
  EXPECT_EQ(t.topology->text(), "star:2*3");
  EXPECT_EQ(t.nodes, (std::vector<Rank>{0, 3, 1, 4, 2, 5}));
  expect_constants(t.machine);
  Cluster unequal{{0, 0, 0, 1, 1}};
  EXPECT_EQ(tuned(unequal, false).topology->text(), "crossbar:5");
}

TEST(TuneNodes, HostsWithARankEachHaveNone) {
  Cluster cluster{{0, 1, 2, 3}};
  const Tuned t = tuned(cluster);
  EXPECT_EQ(t.topology->text(), "crossbar:4");
  EXPECT_TRUE(t.machine.links.empty());
  EXPECT_TRUE(t.samples.within.empty());
}

TEST(TuneNodes, WhoIsOnWhichNodeMayBeTold) {
  Cluster cluster{{0, 0, 1, 1}};
  const Tuned t = tuned(cluster, false, "star:2*2");
  EXPECT_EQ(t.topology->text(), "star:2*2");
  expect_constants(t.machine);
}

}  // namespace
}  // namespace quadrille::nodes_test
