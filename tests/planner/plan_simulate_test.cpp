// plan by simulation: what is not played, or not to its end, could not have won; what cannot be played keeps its price.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "planner/clock.hpp"
#include "quadrille/plan.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::plan_simulate_test {
namespace {

using How = Timing::How;
using testing::request;

const std::vector<std::string> networks{"hypercube:3", "ring:5", "mesh:2x3", "torus:3x3",
                                        "crossbar:6",  "bus:4",  "memory:4", "omega:4"};

/// Every collective on every network and machine, small and large blocks by turns.
template <class Use>
void for_each_setting(Use use) {
  std::int64_t turn = 0;
  for (const std::string& network : networks)
    for (const Collective c : collectives()) {
      if (!testing::can_request(c, network)) continue;
      for (const Machine& machine : testing::machines_on(*parse_topology(network))) {
        const Spec spec = request(c, network, ++turn % 2 == 0 ? 3 : 500);
        if (testing::sampled(to_text(spec) + to_text(machine), 3)) use(spec, machine);
      }
    }
}

Network next_of(const std::vector<Network>& kinds, std::int64_t played) {
  const auto at = static_cast<std::size_t>(played), round = at / kinds.size();
  const Network kind = kinds[at % kinds.size()];
  return kind == Network::fluid && round % 2 == 1 ? Network::fluid_latency : kind;
}

TEST(PlanBySimulation, NoSimulationIsShorterThanItsOutline) {
  std::vector<Network> kinds = simulated_networks();
  std::erase(kinds, Network::fluid_latency);  // takes turns with the other fluid network
  std::int64_t played = 0, tight = 0;
  for_each_setting([&](const Spec& spec, const Machine& machine) {
    std::map<const Algorithm*, int> variants;
    for (const Candidate& c : plan(spec, machine).candidates) {
      if (++variants[c.algorithm] > 4) continue;  // of those with many parameters the best
      const SimulateOptions options{.order = simulated_orders()[static_cast<std::size_t>(played) % 3],
                                    .network = next_of(kinds, played++)};
      if (options.network == Network::circuit && spec.topology->shared_medium()) continue;
      const Built built = build(spec, machine, {c.algorithm, c.params});
      const planner::Outline known = planner::outline(spec, machine, *built.schedule, 1 << 20, options.order);
      ASSERT_TRUE(known.whole);
      try {
        const Timeline t = simulate(spec, machine, *built.schedule, options);
        tight += known.at_least > t.makespan * 0.999;
        const std::string name = fmt::format("{} {} {}", to_string(options.network), to_string(options.order),
                                             testing::command(spec, machine, *c.algorithm, c.params));
        ASSERT_EQ(known.messages, t.messages) << name;
        ASSERT_LE(known.at_least, t.makespan) << name;
      } catch (const Error& error) {
        ASSERT_EQ(error.kind(), Error::Kind::illegal) << error.what();  // a circle of circuits
      }
    }
  });
  EXPECT_GT(played, testing::sanitized ? 300 : 1000);
  EXPECT_GT(tight, played / 12);  // else the bound is true and of no use
}

/// As executors choose: of both orders the faster one that ends, where ranks' processors take time for messages.
Seconds performed(const Spec& spec, const Machine& machine, const Schedule& schedule, Network network) {
  if (!machine.has_overhead()) return simulate(spec, machine, schedule, {.network = network}).makespan;
  Seconds least = std::numeric_limits<Seconds>::infinity();
  for (const Order order : {Order::eager, Order::dataflow}) try {
      least = std::min(least, simulate(spec, machine, schedule, {.order = order, .network = network}).makespan);
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::illegal) throw;
    }
  if (least < std::numeric_limits<Seconds>::infinity()) return least;
  throw Error(Error::Kind::illegal, "it ends in no order");
}

TEST(PlanBySimulation, TheWinnerIsTheFastestOfAll) {
  std::map<How, std::int64_t> seen;
  std::int64_t reordered = 0;
  for_each_setting([&](const Spec& spec, const Machine& machine) {
    const Network network = usual_network(machine, *spec.topology);
    const Plan found = plan(spec, machine, {.effort = Effort::simulate});
    if (!found.possible()) return;
    ASSERT_EQ(found.network, network);
    Seconds fastest = std::numeric_limits<Seconds>::infinity();
    for (const Candidate& c : found.candidates) {
      ++seen[c.timing.how];
      try {
        const Built built = build(spec, machine, {c.algorithm, c.params});
        fastest = std::min(fastest, performed(spec, machine, *built.schedule, network));
        ASSERT_NE(c.timing.how, How::impossible);
      } catch (const Error&) {
        ASSERT_NE(c.timing.how, How::timed) << c.algorithm->name;
      }
    }
    for (const Candidate& c : found.candidates)
      if (c.timing.how == How::stopped || c.timing.how == How::hopeless) {
        ASSERT_GE(c.timing.time, fastest);
      }
    if (found.best().timing.how != How::timed) {  // then none of them ends
      ASSERT_EQ(found.best().timing.how, How::impossible);
      return;
    }
    ASSERT_EQ(found.best().timing.time, fastest) << found.best().algorithm->name;
    const Plan priced = plan(spec, machine);
    const Built cheapest = build(spec, machine, {priced.best().algorithm, priced.best().params});
    ASSERT_LE(found.best().timing.time, performed(spec, machine, *cheapest.schedule, network));
    reordered += priced.best().algorithm != found.best().algorithm;
  });
  EXPECT_GT(reordered, 0);
  for (const How how : {How::timed, How::stopped, How::hopeless, How::impossible}) EXPECT_GT(seen[how], 0);
}

TEST(PlanBySimulation, APriceStaysWhereThereAreTooManyMessages) {
  // A direct exchange of 8 ranks: 8 * 7 messages. With 55 it cannot be played, with 56 it can.
  const Spec spec = request(Collective::alltoall, "crossbar:8", 100);
  const Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::wormhole);
  const Choice direct{&find_algorithm("alltoall_pairwise"), {}};
  std::int64_t few = 55, enough = 56;
  EXPECT_EQ(simulated(spec, machine, direct, {}, few).how, How::too_large);
  EXPECT_EQ(few, 55);
  EXPECT_EQ(simulated(spec, machine, direct, {}, enough).how, How::timed);
  EXPECT_EQ(enough, 0);
  const Plan plan = quadrille::plan(spec, machine, {.effort = Effort::simulate, .messages = 3});
  const Plan priced = quadrille::plan(spec, machine);
  for (std::size_t i = 0; i < plan.candidates.size(); ++i) {
    EXPECT_EQ(plan.candidates[i].timing.how, How::too_large);
    EXPECT_NE(plan.candidates[i].timing.why.find("more than the 3 messages that may"), std::string::npos);
    EXPECT_EQ(plan.candidates[i].known(), priced.candidates[i].time);
    EXPECT_EQ(plan.candidates[i].algorithm, priced.candidates[i].algorithm);
  }
}

TEST(PlanBySimulation, WhatCannotWinIsStoppedOrNotBegun) {
  // One port, all ranks alike: by 7 rounds of 1009 + 101 + 7 * 100 each, pairwise exchange takes 12670; the bound of
  // any other schedule that sends as much in as many rounds is no less.
  const Spec spec = request(Collective::alltoall, "crossbar:8", 100);
  const Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::wormhole);
  std::int64_t messages = 1 << 20;
  const Choice pairwise{&find_algorithm("alltoall_pairwise"), {}};
  EXPECT_EQ(simulated(spec, machine, pairwise, {}, messages).time, 7 * (1009 + 101 + 700));
  const Timing begun = simulated(spec, machine, pairwise, {.deadline = 12600}, messages);
  EXPECT_EQ(begun.how, How::hopeless);
  EXPECT_NEAR(begun.time, 12670, 12670 * 1e-6);
  // From a root a broadcast down a tree takes rounds that the root has no part in: only playing it shows that.
  const Choice tree{&find_algorithm("bcast_chain"), {{"packets", {1}}}};
  const Spec bcast = request(Collective::bcast, "ring:8", 100);
  const Timing stopped = simulated(bcast, machine, tree, {.deadline = 3000}, messages);
  EXPECT_EQ(stopped.how, How::stopped);
  EXPECT_EQ(stopped.time, 3000);
}

TEST(PlanBySimulation, OnlyWhatIsPricedWithinAFactorIsPlayedAndOnlyWithinItOfTheBest) {
  const Spec spec = request(Collective::alltoall, "ring:8", 100);
  const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
  const Seconds cheapest = plan(spec, machine).best().time;
  std::map<bool, std::int64_t> seen;
  for (const double within : {1.0, 1.5, 100.0}) {
    const Plan found = plan(spec, machine, {.effort = Effort::simulate, .within = within});
    for (const Candidate& c : found.candidates) {
      const bool near = c.time <= within * cheapest;
      ++seen[near];
      EXPECT_EQ(c.timing.how != How::none, near) << c.algorithm->name;
      if (c.timing.how == How::stopped || c.timing.how == How::hopeless) {
        EXPECT_GE(c.timing.time, within * found.best().timing.time) << c.algorithm->name;
      }
    }
  }
  EXPECT_GT(seen[false], 0);
  EXPECT_GT(seen[true], 0);
}

bool same(const Candidate& a, const Candidate& b) { return a.algorithm == b.algorithm && a.params == b.params; }

/// Whether it is another one than the cheapest. `by_rounds` counts what executors send by rounds.
bool performs_the_fastest(const Spec& spec, const Machine& machine, std::int64_t& by_rounds) {
  const Plan priced = plan(spec, machine), performed = plan(spec, machine, to_perform(machine));
  const auto played = [&](const Candidate& candidate) {
    const Choice choice{candidate.algorithm, candidate.params};
    const Order order =
        machine.has_overhead() ? order_to_perform(spec, machine, choice, performed.network).order : Order::eager;
    by_rounds += order == Order::dataflow;
    return simulate(spec, machine, *build(spec, machine, choice).schedule,
                    {.order = order, .network = performed.network})
        .makespan;
  };
  EXPECT_EQ(performed.best().known(), played(performed.best()));
  // Nothing that was played is faster by more than a simulation's error, and nothing cheaper is as fast.
  Seconds fastest = performed.best().known();
  for (const Candidate& candidate : performed.candidates)
    if (candidate.timing.how == How::timed) fastest = std::min(fastest, candidate.timing.time);
  EXPECT_LE(performed.best().known(), 1.15 * fastest) << to_text(spec);
  for (const Candidate& candidate : performed.candidates)
    if (candidate.timing.how == How::timed && candidate.time < performed.best().time) {
      EXPECT_GT(candidate.timing.time, 1.15 * fastest) << to_text(spec);
    }
  EXPECT_LE(played(performed.best()), 1.15 * played(priced.best())) << to_text(spec);
  if (same(performed.best(), priced.best())) return false;
  EXPECT_LT(played(performed.best()), played(priced.best())) << to_text(spec);
  return true;
}

TEST(PlanBySimulation, WhatIsPerformedWithOverheadsOrABurstIsWhatIsFastestInTheOrderOfExecutors) {
  Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
  machine.alpha = 5e-4, machine.per_hop = 2e-6, machine.beta = 4e-7, machine.rho = 0;
  std::map<bool, std::int64_t> others;  // with a burst, and without
  std::int64_t by_rounds = 0;
  for (const char* const network : {"ring:8", "hypercube:3", "torus:3x3"})
    for (const Seconds overhead : {0.0, 2e-4})
      for (const Collective c : {Collective::bcast, Collective::allgather, Collective::alltoall})
        for (const Bytes bytes : {16, 1000, 65536})
          for (const Seconds burst : {0.0, 3e-3}) {
            const Spec spec = request(c, network, bytes);
            machine.overhead_send = machine.overhead_receive = overhead, machine.burst = burst;
            if (overhead > 0 || burst > 0) {
              others[burst > 0] += performs_the_fastest(spec, machine, by_rounds) ? 1 : 0;
              continue;
            }
            const Plan plain = plan(spec, machine, to_perform(machine));
            EXPECT_EQ(plain.effort, Effort::estimate);
            EXPECT_TRUE(same(plain.best(), plan(spec, machine).best()));
          }
  EXPECT_GT(others[true], 0);
  EXPECT_GT(others[false], 0);
  EXPECT_GT(by_rounds, 0);
}

TEST(PlanBySimulation, EmptyBlocksTakeNoTime) {
  const Plan plan = quadrille::plan(request(Collective::allgather, "hypercube:3", 0), load_machine("unit"),
                                    {.effort = Effort::simulate});
  EXPECT_EQ(plan.best().timing.how, How::timed);
  EXPECT_EQ(plan.best().timing.time, 0);
}

}  // namespace
}  // namespace quadrille::plan_simulate_test
