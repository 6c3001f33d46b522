// Circuits that wait for each other in a circle: proofs refuse what the simulator would say comes to a stop, refuse
// nothing else, and no plan recommends such a schedule.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "quadrille/plan.hpp"
#include "quadrille/verify.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::circuits_test {
namespace {

using testing::request;

/// Routes that go round (ring, torus), in one order of the dimensions (mesh, cube), and through switches.
const std::vector<std::string> networks{"ring:4",    "ring:5",    "ring:9",    "torus:3x3",   "torus:4x4",
                                        "torus:5x3", "mesh:3x3",  "mesh:2x5",  "hypercube:3", "omega:3",
                                        "fly:2^3",   "bifly:2^2", "torus:5x5", "crossbar:7"};

std::vector<Machine> machines(Switching switching) {
  std::vector<Machine> all;
  for (const Ports ports : {Ports::one, Ports::all})
    for (const Duplex duplex : {Duplex::full, Duplex::half, Duplex::node_half}) {
      all.push_back(testing::test_machine(ports, duplex, switching));
      all.back().alpha = 1e-6, all.back().per_hop = 1e-7, all.back().beta = 1e-9, all.back().rho = 1e-10;
    }
  return all;
}

/// Why it never ends, or nothing.
std::string stop(const Spec& spec, const Machine& machine, const Schedule& schedule, const SimulateOptions& options) {
  try {
    simulate(spec, machine, schedule, options);
    return {};
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::illegal) throw;
    return error.what();
  }
}

/// Ranks that begin late, and links that take longer, as numbers that look drawn have it.
bool stops_at_other_times(const Spec& spec, const Machine& machine, const Schedule& schedule) {
  constexpr std::uint64_t seeds = 40;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    if (!stop(spec, machine, schedule,
              {.order = Order::dataflow,
               .network = Network::circuit,
               .faults = {.jitter = 1, .skew = 1e-5, .seed = seed}})
             .empty())
      return true;
  return false;
}

/// Each legal algorithm with few of its parameters; sanitizers get a share of these.
template <class Use>
void each(const Spec& spec, const Machine& machine, Use use) {
  constexpr std::uint64_t share = 8;
  for (const Algorithm& a : algorithms()) {
    if (a.collective != spec.collective || !testing::sampled(testing::command(spec, machine, a, {}), share)) continue;
    if (!a.illegal(spec, machine, {}).empty()) continue;
    const std::vector<Params> all = a.variants(spec, machine);
    for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 3) use(build(spec, machine, {&a, all[i]}));
  }
}

TEST(Circuits, AProofRefusesWhatStopsAndHardlyAnythingElse) {
  std::size_t refused = 0, unconfirmed = 0, proven = 0;
  for (const std::string& network : networks)
    for (const Machine& machine : machines(Switching::circuit))
      for (const Collective c : collectives()) {
        if (!testing::can_request(c, network)) continue;
        const Spec spec = request(c, network, 200);
        if (!testing::sampled(to_text(spec) + machine.name, 3)) continue;
        each(spec, machine, [&](const Built& built) {
          SCOPED_TRACE(testing::command(spec, machine, *built.choice.algorithm, built.choice.params));
          const Proof proof = verify(spec, machine, *built.schedule, built.claims);
          std::set<Order> stopped;
          for (const Order order : {Order::lockstep, Order::dataflow})
            if (!stop(spec, machine, *built.schedule, {.order = order, .network = Network::circuit}).empty())
              stopped.insert(order);
          if (proof.holds) {
            ++proven;
            EXPECT_FALSE(stopped.contains(Order::lockstep));
            EXPECT_TRUE(machine.duplex != Duplex::full || stopped.empty());
          } else {
            ++refused;
            EXPECT_EQ(proof.counterexample->kind, Counterexample::Kind::circuits) << proof.counterexample->text;
            unconfirmed += stopped.empty() && !stops_at_other_times(spec, machine, *built.schedule);
          }
        });
      }
  EXPECT_GT(refused, testing::sanitized ? 1U : 40U);
  EXPECT_TRUE(testing::sanitized || unconfirmed * 20 < refused) << unconfirmed << " of " << refused;
  EXPECT_GT(proven, testing::sanitized ? 33U : 1000U);
}

TEST(Circuits, TheCircleCanBeFollowed) {
  Machine machine;
  machine.switching = Switching::circuit;
  const Spec spec = request(Collective::alltoall, "ring:9", 64);
  const Built built = build(spec, machine, parse_choice("alltoall_signed:radix=3"));
  const Proof proof = verify(spec, machine, *built.schedule, built.claims);
  ASSERT_FALSE(proof.holds);
  EXPECT_EQ(proof.counterexample->kind, Counterexample::Kind::circuits);
  const std::string& text = proof.counterexample->text;
  EXPECT_EQ(text.find("the message 0->3 holds link 0->1 and waits for 1->2; the message 1->4 holds link 1->2"), 0U)
      << text;
  EXPECT_NE(text.find("waits for 0->1, which the first one holds"), std::string::npos) << text;
  machine.switching = Switching::wormhole;
  EXPECT_TRUE(verify(spec, machine, *built.schedule, built.claims).holds);
}

TEST(Circuits, NoRecommendedPlanStops) {
  std::size_t plans = 0, left_out = 0;
  for (const std::string& network : networks)
    for (const Switching switching : {Switching::circuit, Switching::wormhole, Switching::store_and_forward})
      for (const Machine& machine : machines(switching))
        for (const Collective c : {Collective::bcast, Collective::allgather, Collective::alltoall,
                                   Collective::multibcast, Collective::gather}) {
          if (!testing::can_request(c, network)) continue;
          for (const Order order : simulated_orders())
            for (const Bytes bytes : {16, 20000}) {
              const Spec spec = request(c, network, bytes);
              if (!testing::sampled(to_text(spec) + to_text(machine) + std::string(to_string(order)), 12)) continue;
              const Plan found = plan(spec, machine, {.order = order});
              for (const Refusal& r : found.refused)
                left_out += r.reason.find("may come to a stop") != std::string::npos;
              if (!found.possible()) continue;
              ++plans;
              const Built built = build(spec, machine, {found.best().algorithm, found.best().params});
              EXPECT_EQ(stop(spec, machine, *built.schedule, {.order = order, .network = found.network}), "")
                  << testing::command(spec, machine, *built.choice.algorithm, built.choice.params);
            }
        }
  EXPECT_GT(plans, testing::sanitized ? 170U : 3000U);
  EXPECT_GT(left_out, testing::sanitized ? 0U : 10U);
}

}  // namespace
}  // namespace quadrille::circuits_test
