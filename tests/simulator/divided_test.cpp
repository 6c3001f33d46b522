// Messages that are divided among several ways of their pair: what they take, by hand, on every network model.
#include <gtest/gtest.h>

#include <random>

#include "listed.hpp"
#include "quadrille/contention.hpp"
#include "quadrille/simulate.hpp"
#include "schedule/combine.hpp"
#include "settings.hpp"
#include "simulator/replay.hpp"
#include "two_ways.hpp"
#include "watched.hpp"

namespace quadrille::divided_test {
namespace {

using testing::divided;
using testing::Listed;
using testing::two_switches;
using testing::way_along;

constexpr Seconds us = 1e-6;
const std::vector<Network> all_networks{Network::fluid,       Network::fluid_latency, Network::store_and_forward,
                                        Network::cut_through, Network::wormhole,      Network::circuit};

/// Nothing but bytes takes time.
Machine of_bytes(Ports ports = Ports::all) {
  Machine m = testing::test_machine(ports, Duplex::full, Switching::wormhole);
  m.alpha = m.per_hop = m.rho = 0, m.beta = 1e-9;
  return m;
}

/// A message from 0 to 1.
struct One {
  Spec spec;
  SchedulePtr schedule;
  One(const TopologyPtr& network, const TopologyPtr& ways, Bytes bytes)
      : spec{.collective = Collective::alltoall, .topology = network, .bytes = bytes} {
    const Rank p = network->ranks();
    const Shape shape{.ranks = p, .in = p, .out = p, .cut = {.bytes = bytes}};
    schedule = std::make_shared<Listed>(shape, testing::Rounds{{{0, 1, {{Buffer::in, 1}}, {{Buffer::out, 0}}}}});
    if (ways) schedule = schedule::on_network(schedule, ways);
  }
  Timeline run(const Machine& m, Network model, Order order = Order::dataflow, const Faults& faults = {}) const {
    return simulate(spec, m, *schedule, {.order = order, .network = model, .faults = faults});
  }
  Seconds price(const Machine& m) const { return seconds(count(spec, m, *schedule).cost, m, *spec.topology); }
};

// Of 4000 bytes 3000 take a link three times as wide as that of the others: 1 us on both. In halves the narrow link has
// 2000, in the other proportion 3000.
TEST(Divided, TakesAsLongAsItsSlowestShare) {
  const TopologyPtr t = two_switches();
  const Machine m = of_bytes();
  for (const auto& [wide, narrow, time] : {std::tuple(3, 1, 1.0), std::tuple(1, 1, 2.0), std::tuple(1, 3, 3.0)}) {
    const One one(t, divided(t, wide, narrow), 4000);
    EXPECT_NEAR(one.price(m), time * us, 1e-12);
    for (const Order order : simulated_orders())
      for (const Network model : {Network::fluid, Network::cut_through, Network::wormhole, Network::circuit})
        EXPECT_NEAR(one.run(m, model, order).makespan, time * us, 1e-12) << to_string(model) << to_string(order);
    EXPECT_NEAR(one.run(m, Network::store_and_forward).makespan, 2 * time * us, 1e-12);
  }
  EXPECT_NEAR(One(t, {}, 4000).run(m, Network::fluid).makespan, 4 * us, 4 * us) << "one way, whichever";
}

TEST(Divided, IsNoSlowerThanOnOneWay) {
  const TopologyPtr t = two_switches();
  const TopologyPtr wide = t->with_ways({way_along(*t, {0, 2, 1})});
  Machine m = of_bytes();
  m.alpha = 5 * us, m.per_hop = 0.1 * us;
  for (const Network model : all_networks)
    for (const Order order : simulated_orders())
      for (const Bytes bytes : {0, 1, 3, 4000}) {
        const Timeline both = One(t, divided(t, 3, 1), bytes).run(m, model, order);
        EXPECT_TRUE(both.complete);
        // A share of a byte is a whole one.
        EXPECT_LE(both.makespan, One(t, wide, bytes).run(m, model, order).makespan + (bytes < 4 ? 2e-9 : 0));
        EXPECT_EQ(both.messages, bytes > 0 ? 2 : 1) << "each way counts as one";
      }
}

// 8000 bytes in halves over links alike, by a port of the same rate: a start-up of 1 us, then 8 us. By a port three
// times as fast the half on the narrow link takes 4 us, side by side with the other one, or behind its 1.33 us.
TEST(Divided, HasOneStartUpAtPorts) {
  const TopologyPtr t = two_switches(1);
  Machine m = of_bytes(Ports::one);
  m.alpha = 1 * us;
  const One one(t, divided(t, 1, 1), 8000);
  EXPECT_NEAR(one.price(m), 9 * us, 1e-12);
  for (const Order order : simulated_orders())
    for (const Network model : {Network::fluid, Network::cut_through, Network::wormhole, Network::circuit})
      EXPECT_NEAR(one.run(m, model, order).makespan, 9 * us, 1e-12) << to_string(model) << " " << to_string(order);
  const TopologyPtr unlike = two_switches();
  const One other(unlike, divided(unlike, 1, 1), 8000);
  for (const Order order : simulated_orders()) {
    EXPECT_NEAR(other.run(m, Network::fluid, order).makespan, 5 * us, 1e-12) << to_string(order);
    for (const Network model : {Network::cut_through, Network::wormhole, Network::circuit})
      EXPECT_NEAR(other.run(m, model, order).makespan, (5 + 4.0 / 3) * us, 1e-12)
          << to_string(model) << " " << to_string(order);
  }
}

// Processors take 1 us to send and 0.5 us to receive; each half of 8000 bytes takes 4 us. Only a short message is taken
// by its receiver's processor, and 8000 bytes are long where 7000 are.
TEST(Divided, HasOneOverheadAtProcessors) {
  const TopologyPtr t = two_switches(1);
  Machine m = of_bytes();
  m.overhead_send = 1 * us, m.overhead_receive = 0.5 * us;
  const One one(t, divided(t, 1, 1), 8000);
  for (const Bytes limit : {Bytes{7000}, Bytes{9000}}) {
    m.eager_limit = limit;
    for (const Order order : simulated_orders())
      for (const Network model : {Network::fluid, Network::cut_through})
        EXPECT_NEAR(one.run(m, model, order).makespan, (limit > 8000 ? 5.5 : 5) * us, 1e-12)
            << limit << " " << to_string(model) << " " << to_string(order);
  }
}

// Rank 0 sends 4000 bytes to 1 in halves, of which one takes 2 us and the other 0.67 us, while what comes from 1 is
// there after 1.33 us. That is written where the first message was read, so that it waits for both halves; then it goes
// to the third rank in 1.33 us.
TEST(Divided, EagerRanksWriteWhenAllHasLeft) {
  const TopologyPtr t = testing::network_of(
      "unit 1GB/s\nroutes chosen\nhost a b c\nswitch s t\nlink a s 3GB/s\nlink s b 3GB/s\nlink s c 3GB/s\n"
      "link a t 1GB/s\nlink t b 1GB/s\n");
  const TopologyPtr ways = t->with_ways({way_along(*t, {0, 3, 1}), way_along(*t, {0, 4, 1}), way_along(*t, {1, 3, 0})});
  const Spec spec{.collective = Collective::alltoall, .topology = t, .bytes = 4000};
  const Shape shape{.ranks = 3, .in = 3, .out = 3, .tmp = 1, .cut = {.bytes = 4000}};
  const testing::Rounds rounds{{{0, 1, {{Buffer::tmp, 0}}, {{Buffer::out, 0}}}},
                               {{1, 0, {{Buffer::in, 0}}, {{Buffer::tmp, 0}}}},
                               {{0, 2, {{Buffer::tmp, 0}}, {{Buffer::out, 0}}}}};
  const SchedulePtr schedule = schedule::on_network(std::make_shared<Listed>(shape, rounds), ways);
  for (const Network model : {Network::fluid, Network::cut_through})
    EXPECT_NEAR(simulate(spec, of_bytes(), *schedule, {.order = Order::eager, .network = model}).makespan,
                (2 + 4.0 / 3) * us, 1e-12);
}

TEST(Divided, AFaultOnOneWayHoldsUpItsShare) {
  const TopologyPtr t = two_switches();
  const Machine m = of_bytes();
  const One one(t, divided(t, 3, 1), 4000);
  const Link narrow = way_along(*t, {0, 3, 1}).links.back();
  for (const Network model : {Network::fluid, Network::cut_through, Network::wormhole, Network::circuit})
    for (const Order order : simulated_orders()) {
      Faults slow, failed;
      slow.slow.emplace_back(narrow, 10);
      failed.failed.push_back(narrow);
      EXPECT_NEAR(one.run(m, model, order, slow).makespan, 10 * us, 1e-12) << to_string(model);
      try {
        one.run(m, model, order, failed);
        ADD_FAILURE() << to_string(model);
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("needs link v3->v1, which has failed"), std::string::npos)
            << error.what();
      }
    }
}

// A message of an application is divided, too, where its network says so.
TEST(Divided, ApplicationsAreReplayed) {
  const TopologyPtr t = two_switches();
  const interchange::Application app = interchange::read_application(
      "num_ranks 2\nrank 0 {\nl1: send 4000b to 1 tag 7\nl2: calc 1000\nl2 requires l1\n}\n"
      "rank 1 {\nl1: recv 4000b from 0 tag 7\nl2: calc 2000\nl2 requires l1\n}\n",
      "test");
  for (const Network model : {Network::fluid, Network::cut_through, Network::circuit}) {
    const simulator::Replayed played = simulator::replay(app, divided(t, 1, 1), of_bytes(), {.network = model});
    EXPECT_NEAR(played.ends[0], 3 * us, 1e-12) << to_string(model);
    EXPECT_NEAR(played.ends[1], 4 * us, 1e-12) << to_string(model);
  }
}

/// Up to three ways as long as the route between all pairs, with any parts.
std::vector<Topology::Way> any_ways(const Topology& t, std::mt19937& random) {
  std::vector<Topology::Way> all;
  std::vector<Link> path;
  std::size_t first = 0;
  const auto go = [&](auto&& self, Rank from, std::int64_t here, Rank to, int left) -> void {
    if (here == to) all.push_back({from, to, path, 1 + static_cast<std::int32_t>(random() % 9)});
    if (left == 0 || (here < t.ranks() && here != from) || all.size() >= first + 3) return;
    for (Link link = 0; link < t.links(); ++link) {
      if (t.tail(link) != here) continue;
      path.push_back(link);
      self(self, from, t.head(link), to, left - 1);
      path.pop_back();
    }
  };
  for (Rank from = 0; from < t.ranks(); ++from)
    for (Rank to = 0; to < t.ranks(); ++to)
      if (first = all.size(); from != to) go(go, from, from, to, t.distance(from, to));
  return all;
}

// Every model and order on every machine ends, tells each way in time, and takes as long when nobody watches.
TEST(Divided, EveryModelTellsAllWays) {
  std::mt19937 random(1);
  int cases = 0;
  const TopologyPtr t = parse_topology("xgft:2;2,3;1,2:routes=chosen");
  for (const char* name : {"alltoall_linear", "alltoall_pairwise", "allgather_linear"})
    for (const Machine& machine : testing::machines_on(*t)) {
      const Machine m = testing::in_turns(machine);
      const Choice choice = parse_choice(name);
      const Spec spec = testing::request(choice.algorithm->collective, t->text(), 40);
      if (!choice.algorithm->illegal(spec, m, {}).empty()) continue;
      Built built = build(by_routes(spec), m, choice);
      const SchedulePtr schedule = schedule::on_network(built.schedule, t->with_ways(any_ways(*t, random)));
      ASSERT_TRUE(schedule->network()->divides());
      built.claims.contention_free = false;  // on the routes of before
      EXPECT_TRUE(verify(spec, m, *schedule, built.claims).holds);
      for (const Network model : all_networks)
        for (const Order order : simulated_orders()) {
          if (model == Network::circuit && m.duplex != Duplex::full) continue;  // up and down may wait for each other
          SCOPED_TRACE(std::string(name) + " " + m.name + " " + std::string(to_string(model)) + " " +
                       std::string(to_string(order)));
          SimulateOptions options{.order = order, .network = model};
          const Timeline plain = simulate(spec, m, *schedule, options);
          EXPECT_TRUE(plain.complete);
          testing::Checker checker;
          options.observer = &checker;
          const Timeline watched = simulate(spec, m, *schedule, options);
          checker.compare(watched);
          EXPECT_EQ(watched.makespan, plain.makespan);
          EXPECT_EQ(watched.messages, plain.messages);
          Auditor auditor(spec, m, *schedule, 100'000);
          options.observer = &auditor;
          EXPECT_EQ(simulate(spec, m, *schedule, options).makespan, plain.makespan);
          testing::expect_chain(auditor.audit());
          ++cases;
        }
    }
  EXPECT_GT(cases, 200);
}

TEST(Divided, CompetitionIsCountedOnAllWays) {
  const TopologyPtr t = two_switches(), ways = divided(t, 3, 1);
  const RoundContention found = contention(*ways, {{0, 1, 4000}, {1, 0, 4000}}, {}, 10);
  EXPECT_EQ(found.used, 6);
  std::map<Link, Bytes> bytes;
  for (const LinkContention& link : found.worst) bytes[link.link] = link.bytes;
  for (const Link link : way_along(*t, {0, 2, 1}).links) EXPECT_EQ(bytes[link], 3000);
  for (const Link link : way_along(*t, {0, 3, 1}).links) EXPECT_EQ(bytes[link], 1000);
}

}  // namespace
}  // namespace quadrille::divided_test
