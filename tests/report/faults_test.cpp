// Simulations with slow and failed links, jitter and ranks that begin late; and that all of them can be repeated to the
// bit.
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "by_hand.hpp"
#include "play.hpp"
#include "watched.hpp"

namespace quadrille::faults_test {
namespace {

using testing::by_hand;
using testing::networks;
using testing::Play;
using testing::request;
using testing::watch_checked;

// A line 0 .. 3, the middle link at half the speed, 0 -> 3: 8 s there. The rest of a message follows its head no faster
// than the slowest link lets it: 1 + 0.75 + 8; stored and forwarded 1 + 4.25 + 8.25 + 4.25.
TEST(Faults, ASlowLink) {
  const Play play("mesh:4", {{{0, 3}}});
  for (const Network network : networks) {
    const SimulateOptions options{.network = network, .faults = {.slow = {{2, 2.0}}}};
    EXPECT_DOUBLE_EQ(play.run(by_hand(), options).makespan, network == Network::store_and_forward ? 17.75 : 9.75)
        << to_string(network);
    EXPECT_NEAR(play.audit(by_hand(), options).critical.wire, network == Network::store_and_forward ? 16 : 8, 1e-9);
  }
}

// Through a switch, too, on one port: 1 + 0.25 + 8.
TEST(Faults, ASlowWayThroughASwitch) {
  const Play play("crossbar:3", {{{0, 2}}});
  for (const Network network : networks)
    for (const Ports ports : {Ports::one, Ports::all})
      EXPECT_NEAR(play.run(by_hand(ports), {.network = network, .faults = {.slow = {{2, 2.0}}}}).makespan, 9.25, 1e-9)
          << to_string(network);
}

// Of the three hops on a ring only 1 -> 2, in round 1, needs the link that has failed; the other direction is not used.
TEST(Faults, AFailedLinkNamesWhoNeedsIt) {
  const Play play("ring:4", {{{0, 1}}, {{1, 2}}, {{2, 3}}});
  const Topology& ring = *play.spec.topology;
  std::vector<Link> path;
  ring.route(1, 2, path);
  for (const Network network : networks) {
    EXPECT_DOUBLE_EQ(play.run(by_hand(), {.network = network, .faults = {.failed = {ring.reverse(path[0])}}}).makespan,
                     15.75);
    try {
      play.run(by_hand(), {.network = network, .faults = {.failed = {path[0]}}});
      FAIL() << to_string(network);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::illegal);
      EXPECT_NE(std::string(e.what()).find("the message 1->2 of round 1 needs link 1->2, which has failed"),
                std::string::npos)
          << e.what();
    }
  }
}

// Alone on a line a message's start-up and bytes, 5 s (model W: bytes, 4 s), take up to a tenth longer, its hop
// does not; the sender begins
// up to 2 s late. Over seeds both are spread evenly: 200 of them come near both ends and have the mean in the middle.
// In model W the receiver has to be there, too: the later of two evenly spread times is 2/3 of the whole on average.
TEST(Faults, JitterAndSkewAreEvenlySpread) {
  const Play play("mesh:2", {{{0, 1}}});
  for (const Network network : networks)
    for (const bool late : {false, true}) {
      Seconds least = 1e9, most = 0, sum = 0;
      for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Faults faults{.seed = seed};
        (late ? faults.skew : faults.jitter) = late ? 2 : 0.1;
        const Seconds time = play.run(by_hand(), {.network = network, .faults = faults}).makespan - 5.25;
        EXPECT_EQ(time + 5.25, play.run(by_hand(), {.network = network, .faults = faults}).makespan);
        least = std::min(least, time), most = std::max(most, time), sum += time;
      }
      const Seconds whole = late ? 2 : network == Network::wormhole ? 0.4 : 0.5;
      EXPECT_GE(least, -1e-12);
      EXPECT_LE(most, whole);
      EXPECT_GT(most, 0.95 * whole);
      const bool later_of_two = late && network == Network::wormhole;
      EXPECT_NEAR(sum / 200, whole * (later_of_two ? 2.0 / 3 : 0.5), 0.1 * whole);
      EXPECT_LT(least, later_of_two ? whole : 0.05 * whole);
    }
}

// Chains add up with faults, too.
TEST(Faults, DisturbedRunsAddUp) {
  const Spec spec = request(Collective::alltoall, "torus:4x3", 97);
  for (const Ports ports : {Ports::one, Ports::all})
    for (const Network network : networks)
      for (const Order order : simulated_orders()) {
        const Machine m = testing::test_machine(ports, Duplex::full, Switching::circuit);
        const Built built = build(spec, m, parse_choice("alltoall_bidir"));
        SCOPED_TRACE(std::string(to_string(network)) + " " + std::string(to_string(order)));
        const Faults faults{.slow = {{3, 5}, {8, 1.5}}, .jitter = 0.2, .skew = 700, .seed = 3};
        EXPECT_TRUE(watch_checked(spec, m, *built.schedule, {.order = order, .network = network, .faults = faults}) ||
                    network == Network::circuit);
      }
}

TEST(Faults, ThatMakeNoSenseAreRefused) {
  const Play play("mesh:4", {{{0, 3}}});
  for (const Faults& faults : {Faults{.slow = {{99, 2.0}}}, Faults{.slow = {{0, 0.5}}}, Faults{.failed = {-1}},
                               Faults{.jitter = -1}, Faults{.skew = -1}})
    EXPECT_THROW(play.run(by_hand(), {.faults = faults}), Error);
}

// No derivation: the bits that these runs gave once. They must come out on every machine, of any compiler.
TEST(Repeatable, TheSameBitsEverywhere) {
  const Spec spec = request(Collective::alltoall, "hypercube:5", 97);
  Machine m = testing::test_machine(Ports::one, Duplex::full, Switching::circuit);
  m.alpha = 1.1e-6, m.per_hop = 3e-8, m.beta = 0.7e-9, m.rho = 1.3e-10, m.barrier = 2.3e-6, m.barrier_log2 = 0;
  const Built built = build(spec, m, parse_choice("alltoall_mce:phases=2,3"));
  const Faults faults{.slow = {{7, 1.7}}, .jitter = 0.1, .skew = 1e-6, .seed = 42};
  const std::map<Network, std::pair<std::uint64_t, std::uint64_t>> bits{
      {Network::free, {0x3ef568df47e7b5dd, 0x3ef7e762040c52c1}},
      {Network::store_and_forward, {0x3ef76738c0034466, 0x3ef9e7a5255fbe61}},
      {Network::cut_through, {0x3ef568df47e7b5de, 0x3ef7df546e77808c}},
      {Network::circuit, {0x3ef568df47e7b5de, 0x3ef7c263496610e8}},
      {Network::fluid, {0x3ef568df47e7b5db, 0x3ef7c263496610e4}},
      {Network::wormhole, {0x3f0078d4c332a43a, 0x3f01799c4a798eaa}}};
  for (const auto& [network, expected] : bits) {
    const auto run = [&, n = network](const Faults& f) {
      return std::bit_cast<std::uint64_t>(simulate(spec, m, *built.schedule, {.network = n, .faults = f}).makespan);
    };
    EXPECT_EQ(run({}), expected.first) << to_string(network);
    EXPECT_EQ(run(faults), expected.second) << to_string(network);
  }
}

}  // namespace
}  // namespace quadrille::faults_test
