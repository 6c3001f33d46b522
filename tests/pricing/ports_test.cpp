// Rounds in which a rank with one port has several messages, as files may have them: each is a start-up.
#include <gtest/gtest.h>

#include "by_hand.hpp"
#include "interchange/goal.hpp"
#include "play.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/price.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::ports_test {
namespace {

using testing::by_hand;
using testing::Play;
using testing::request;

Machine one_port() {
  Machine machine = by_hand(Ports::one);
  machine.per_hop = 0;
  return machine;
}

// Rank 0 sends to three others, or they all to it: a start-up and 4 s of wire each.
TEST(OnePort, TakesAStartUpForEachOfItsMessages) {
  for (const auto& round : {testing::Pairs{{0, 1}, {0, 2}, {0, 3}}, testing::Pairs{{1, 0}, {2, 0}, {3, 0}}}) {
    const Play play("crossbar:4", {round});
    const Cost cost = count(play.spec, one_port(), play.schedule).cost;
    EXPECT_EQ(cost.startups, 3);
    EXPECT_DOUBLE_EQ(seconds(cost, one_port(), *play.spec.topology), 3 * (1 + 4));
  }
}

// With overheads start-ups are latency, which passes at once.
TEST(OnePort, LatencyOfARoundIsPaidOnce) {
  Machine machine = one_port();
  machine.overhead_send = machine.overhead_receive = 1;
  const Play play("crossbar:4", {{{0, 1}, {0, 2}, {0, 3}}});
  EXPECT_EQ(count(play.spec, machine, play.schedule).cost.startups, 1);
}

// As Hambrusch, Khokhar & Liu price what several sources send to one rank.
TEST(OnePort, AMultibcastPaysOneStartUpARound) {
  Play play("crossbar:4", {{{1, 0}, {2, 0}, {3, 0}}});
  play.spec.collective = Collective::multibcast;
  play.spec.sources = make_sources({{1, 8}, {2, 8}, {3, 8}});
  EXPECT_EQ(count(play.spec, one_port(), play.schedule).cost.startups, 1);
}

// A bus that serves several messages at once serves those of one rank at once, too, if the rank has all ports.
TEST(Medium, PassesMessagesOfARankWithAllPortsAtOnce) {
  Machine machine = by_hand(Ports::all);
  machine.per_hop = 0, machine.shared = 4;
  const Spec spec = parse_spec("alltoallv bus:5 4 demands=2-4,3-4");
  for (const auto& [ports, messages] : {std::pair{Ports::all, 1}, std::pair{Ports::one, 2}}) {
    machine.ports = ports;
    const Built built = build(spec, machine, parse_choice("alltoallv_pairwise"));
    EXPECT_EQ(count(spec, machine, *built.schedule).cost.bytes, messages * spec.bytes);
    EXPECT_EQ(lower_bound(spec, machine).parts[1].bytes, ports == Ports::one ? 2 * spec.bytes : spec.bytes / 2);
  }
}

// Links of a kind with a start-up of its own: it keeps ports as long at either end as if it were the machine's.
TEST(OnePort, IsKeptByTheStartUpOfTheKindOfLink) {
  const Machine short_one = one_port();
  Machine of_kind = short_one;
  of_kind.alpha = 1000;
  of_kind.links = {{.kind = "nvlink", .alpha = short_one.alpha}};
  for (const auto& round : {testing::Pairs{{0, 1}, {0, 2}, {0, 3}}, testing::Pairs{{1, 0}, {2, 0}, {3, 0}}})
    for (const Network network : {Network::cut_through, Network::store_and_forward, Network::circuit, Network::fluid})
      for (const Order order : {Order::lockstep, Order::dataflow}) {
        const Play play("dgx1-p100", {round});
        const auto time = [&](const Machine& m) {
          return simulate(play.spec, m, play.schedule, {.order = order, .network = network}).makespan;
        };
        EXPECT_DOUBLE_EQ(time(of_kind), time(short_one)) << to_string(network);
        EXPECT_GE(time(of_kind), 3 * short_one.alpha);
      }
}

// The file's operations wait for nothing, so all of them are in one round, where the algorithm has three.
TEST(OnePort, AFileCostsWhatItsAlgorithmCosts) {
  const Spec spec = request(Collective::alltoall, "crossbar:4", 8);
  const Built built = build(spec, one_port(), parse_choice("alltoall_pairwise"));
  std::string goal, bare;
  interchange::write_goal(
      {spec, *built.schedule, ""}, [&](std::string_view part) { goal += part; }, interchange::GoalOrder::data);
  for (std::size_t at = 0, end = 0; at < goal.size(); at = end) {
    end = goal.find('\n', at) + 1;
    if (goal[at] != '/') bare += goal.substr(at, end - at);
  }
  const interchange::ScheduleFile file = interchange::read_schedule(bare, "bare.goal");
  ASSERT_EQ(file.table.shape.rounds, 1);
  const SchedulePtr schedule = interchange::schedule_of(file, spec);
  const auto price = [&](const Schedule& s) {
    return seconds(count(spec, one_port(), s).cost, one_port(), *spec.topology);
  };
  EXPECT_DOUBLE_EQ(price(*schedule), price(*built.schedule));
  EXPECT_DOUBLE_EQ(price(*schedule), 3 * (1 + 4));
  EXPECT_DOUBLE_EQ(price(*schedule), simulate(spec, one_port(), *schedule, {.order = Order::lockstep}).makespan);
}

}  // namespace
}  // namespace quadrille::ports_test
