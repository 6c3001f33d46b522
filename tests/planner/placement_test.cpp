// Ranks that are not on the node of their number: how that is said, and that their schedules still deliver.
#include "quadrille/placement.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <tuple>

#include "quadrille/verify.hpp"
#include "settings.hpp"

namespace quadrille::placement_test {
namespace {

using testing::request;

void refused(const std::function<void()>& work, std::string_view reason) {
  try {
    work();
    ADD_FAILURE() << "expected a refusal: " << reason;
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find(reason), std::string_view::npos) << error.what();
  }
}

TEST(Placement, IsTextAndBack) {
  const Placement p = parse_placement("torus:2x2@0,1,3,2");
  EXPECT_EQ(p.nodes, (std::vector<Rank>{0, 1, 3, 2}));
  EXPECT_EQ(p.node(2), 3);
  EXPECT_EQ(p.text(), "torus:2x2@0,1,3,2");
  EXPECT_FALSE(parse_placement("ring:3@0,1,2").moves()) << "in order is as good as none told";
  EXPECT_EQ(parse_placement("ring:3@0,1,2").text(), "ring:3");
  EXPECT_EQ(parse_placement("memory:3").text(), "memory:3");
  refused([] { parse_placement("ring:3@0,1,2,0"); }, "4 nodes for 3 ranks");
  EXPECT_EQ(parse_placement("ring:3@2,0").topology->ranks(), 2) << "fewer nodes than ranks are a job";
  const Placement job = parse_placement("torus:4x4@0,1,5@2,0,1");
  EXPECT_EQ(job.topology->text(), "torus:4x4@0,1,5");
  EXPECT_EQ(job.nodes, (std::vector<Rank>{2, 0, 1})) << "of the ranks of a job";
  refused([] { parse_placement("ring:3@0,1,1"); }, "node 1 has two ranks");
  refused([] { parse_placement("ring:3@0,1,3"); }, "0 to 2");
  refused([] { parse_placement("ring:3@"); }, "node");
  refused([] { parse_placement("memory:3@0,1,2"); }, "no rank");
  refused([] { parse_placement("rung:3@0,1,2"); }, "did you mean 'ring");
}

TEST(Placement, IsReadFromFiles) {
  const auto read = [](std::string_view text) { return parse_placement_file(text, "a.toml"); };
  EXPECT_EQ(read("topology = 'ring:4'\nnodes = [1, 0, 2, 3]").text(), "ring:4@1,0,2,3");
  EXPECT_EQ(read("topology = 'ring:4'").text(), "ring:4");
  const Placement p = read("topology = 'ring:4'\nhosts = ['b', 'a', 'a', 'c']");
  // Rank 0 is on a: of a's nodes 1 and 2 it takes the lower; rank 3, on a too, the other.
  EXPECT_EQ(resolved(p, {"a.example.org", "b", "c.example.org", "a"}).text(), "ring:4@1,0,3,2");
  EXPECT_EQ(resolved(p, {"b", "a", "a", "c"}).text(), "ring:4");
  refused([&] { resolved(p, {"a", "a", "a", "b"}); }, "rank 2 runs on 'a'");
  refused([&] { resolved(p, {"ab", "a", "a", "b"}); }, "rank 0 runs on 'ab'");
  refused([&] { read("nodes = [0]"); }, "topology is missing");
  refused([&] { read("topology = 'ring:4'\nnode = [0]"); }, "line 2: key 'node'");
  refused([&] { read("topology = 'ring:4'\nnodes = [0, 1, 2, 3]\nhosts = ['a']"); }, "one of them");
  refused([&] { read("topology = 'ring:4'\nnodes = [0, 1, 2, 'a']"); }, "a list of numbers");
  refused([&] { read("topology = 'ring:4'\nnodes = 3"); }, "a list of numbers");
  refused([&] { read("topology = 'ring:4'\nhosts = ['a', 'b']"); }, "2 hosts; ring:4 has 4 nodes");
  refused([&] { read("topology = "); }, "not TOML");
  refused([] { load_placement("/nowhere/places.toml"); }, "no such file");
}

void expect_same_messages(const Schedule& a, const Schedule& b) {
  Summary one, other;
  for (Round t = 0; t < a.shape().rounds; ++t)
    for (Rank node = 0; node < a.shape().ranks; ++node) {
      std::set<std::tuple<Kind, Rank, Bytes>> sent, base;
      for (const Summary::Message& m : one.of(a, t, node)) sent.emplace(m.kind, m.peer, m.bytes);
      for (const Summary::Message& m : other.of(b, t, node)) base.emplace(m.kind, m.peer, m.bytes);
      EXPECT_EQ(sent, base) << "round " << t << ", node " << node;
    }
}

/// What ranks are asked for, they get: proven on a crossbar, as their neighbours are not those of their numbers.
void expect_delivered(const Spec& spec, const Placement& placement, const Machine& machine) {
  const Spec on = on_nodes(spec, placement);
  Spec asked = spec;
  asked.topology = parse_topology("crossbar:" + std::to_string(spec.ranks()));
  Machine any = machine;
  any.ports = Ports::all;
  for (const Algorithm& a : algorithms()) {
    if (a.collective != spec.collective || !a.illegal(on, machine, {}).empty()) continue;
    const Built built = build(on, machine, {&a, {}});
    const SchedulePtr schedule = for_ranks(built.schedule, spec, placement);
    const Claims claims{.once = built.claims.once, .contention_free = false, .exact = false, .port_free = false};
    any.switching = Switching::wormhole;
    const Proof proof = verify(asked, any, *schedule, claims);
    EXPECT_TRUE(proof.holds) << a.name << " on " << placement.text() << ": "
                             << (proof.counterexample ? proof.counterexample->text : "");
    const SchedulePtr back = between_nodes(schedule, placement);
    Collected collected;
    if (spec.demands) {  // buffers of ranks are in another order than those of nodes
      expect_same_messages(*back, *built.schedule);
      continue;
    }
    for (Round t = 0; t < std::min<Round>(3, back->shape().rounds); ++t)
      for (Rank node = 0; node < spec.ranks(); ++node) {
        const auto there = collected.all(*back, t, node);
        const std::vector<Transfer> kept(there.begin(), there.end());
        const auto base = collected.all(*built.schedule, t, node);
        EXPECT_TRUE(std::equal(kept.begin(), kept.end(), base.begin(), base.end())) << a.name << ", round " << t;
      }
  }
}

TEST(Placement, SchedulesDeliverToRanks) {
  const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  for (const char* name : {"torus:2x3@4,0,3,5,1,2", "hypercube:3@6,1,7,0,3,5,2,4", "ring:5@1,3,0,4,2",
                           "mesh:2x3@5,4,0,2,1,3", "crossbar:4@3,1,0,2"}) {
    const Placement placement = parse_placement(name);
    for (const Collective c : {Collective::bcast, Collective::allgather, Collective::scatter, Collective::gather,
                               Collective::alltoall, Collective::sendrecv}) {
      Spec spec{.collective = c, .topology = placement.topology, .bytes = 24, .root = 1};
      if (c == Collective::allgather || c == Collective::alltoall) spec.root = 0;
      if (c == Collective::sendrecv) spec.target = 3;
      expect_delivered(checked(spec), placement, machine);
    }
    // Sources of different lengths, whose order by rank is not their order by node.
    Spec spec{.collective = Collective::multibcast, .topology = placement.topology};
    spec.sources = make_sources({{0, 8}, {1, 24}, {3, 16}});
    expect_delivered(checked(spec), placement, machine);
    spec.sources = make_sources({{0, 5}, {1, 1}, {2, 3}, {3, 9}});
    expect_delivered(checked(spec), placement, machine);
    expect_delivered(request(Collective::alltoallv, placement.topology->text(), 24), placement, machine);
  }
}

TEST(Placement, TransposesAreByRankAlone) {
  const Placement placement = parse_placement("torus:2x2@0,1,3,2");
  refused(
      [&] {
        on_nodes(checked({.collective = Collective::transpose, .topology = placement.topology, .bytes = 8}), placement);
      },
      "across the diagonal");
}

/// Ranks that were dealt out in turns: what is taken in their order is planned as if there were no nodes.
TEST(Placement, WhatNeedsTheOrderOfRanksGoesToACrossbar) {
  const Placement in_turns = parse_placement("star:2*2@0,2,1,3"), in_order = parse_placement("star:2*2");
  const auto topology_of = [](Collective c, const Placement& placement, Operands operands = Operands::commutative) {
    Spec spec{.collective = c, .topology = placement.topology, .bytes = 8};
    spec.operands = operands;
    return on_crossbar_if_refused(checked(spec), placement).topology->text();
  };
  EXPECT_EQ(topology_of(Collective::scan, in_turns), "crossbar:4");
  EXPECT_EQ(topology_of(Collective::allreduce, in_turns, Operands::ordered), "crossbar:4");
  EXPECT_EQ(topology_of(Collective::allreduce, in_turns), "star:2*2");
  EXPECT_EQ(topology_of(Collective::alltoall, in_turns), "star:2*2");
  EXPECT_EQ(topology_of(Collective::scan, in_order), "star:2*2");
}

}  // namespace
}  // namespace quadrille::placement_test
