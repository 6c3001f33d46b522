// What a watched simulation tells, and where its time goes.
#include "quadrille/timeline.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "by_hand.hpp"
#include "listed.hpp"
#include "quadrille/audit.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::timeline_test {
namespace {

using testing::by_hand;
using testing::Listed;
using testing::networks;
using testing::request;
using testing::Rounds;

using Pairs = std::vector<std::pair<Rank, Rank>>;

/// Rounds of messages of 8 bytes between ranks: 4 s each on a wire.
struct Play {
  Spec spec;
  Listed schedule;
  Play(const std::string& topology, const std::vector<Pairs>& rounds)
      : spec(request(Collective::alltoall, topology, 8)), schedule(shape(spec.ranks()), listed(rounds)) {}

  Timeline run(const Machine& m, SimulateOptions options) const { return simulate(spec, m, schedule, options); }
  Audit audit(const Machine& m, SimulateOptions options, std::size_t records = 1000) const {
    Auditor auditor(spec, m, schedule, records);
    options.observer = &auditor;
    run(m, options);
    return auditor.audit();
  }

 private:
  static Shape shape(Rank p) { return {.ranks = p, .in = p, .out = p, .cut = {.bytes = 8}}; }
  static Rounds listed(const std::vector<Pairs>& rounds) {
    Rounds all;
    for (const Pairs& pairs : rounds) {
      all.emplace_back();
      for (const auto& [from, to] : pairs) all.back().push_back({from, to, {{Buffer::in, to}}, {{Buffer::out, from}}});
    }
    return all;
  }
};

void expect_parts(const TimeParts& parts, Seconds start_up, Seconds hops, Seconds wire, Seconds port, Seconds link) {
  EXPECT_DOUBLE_EQ(parts.start_up, start_up);
  EXPECT_DOUBLE_EQ(parts.hops, hops);
  EXPECT_DOUBLE_EQ(parts.wire, wire);
  EXPECT_DOUBLE_EQ(parts.port, port);
  EXPECT_DOUBLE_EQ(parts.link, link);
}

/// Checks what every run must tell, whatever it plays.
class Checker final : public Observer {
 public:
  void asked(const Passage& m) override {
    EXPECT_TRUE(under_way_.emplace(m.id, 0).second) << "two messages of one name";
    EXPECT_GE(m.asked, now_);
    now_ = m.asked;
    ++asked_;
  }
  void occupied(const Occupation& x, const Passage& m) override {
    EXPECT_TRUE(under_way_.contains(m.id));
    EXPECT_LE(x.came, x.begin);
    EXPECT_LE(x.begin, x.end);
    EXPECT_LE(m.asked, x.came);
    ++crossed_;
  }
  void left(const Passage& m) override {
    EXPECT_EQ(++under_way_.at(m.id), 1) << "left twice";
    EXPECT_GE(m.left, now_);  // told as soon as it is known
    EXPECT_LE(m.asked, m.began);
    EXPECT_LE(m.began, m.left);
    EXPECT_NEAR(m.until_left.total(), m.left - m.asked, 1e-9 * m.left);
  }
  void arrived(const Passage& m) override {
    EXPECT_EQ(under_way_.at(m.id), 1) << "arrived and never left";
    under_way_.erase(m.id);
    expect_now(m.arrived);
    EXPECT_LE(m.came, m.arrived);
    EXPECT_NEAR(m.until_arrived.total(), m.arrived - m.asked, 1e-9 * m.arrived);
    links_ += m.links;
    contention_ += m.until_arrived.contention();
  }
  void stayed(const Stay& s) override {
    EXPECT_LE(s.begin, s.sent);
    EXPECT_LE(s.sent, s.end);
    expect_now(s.end);
  }
  void ended(Seconds makespan) override {
    EXPECT_LE(now_, makespan);
    EXPECT_TRUE(under_way_.empty());
  }
  void compare(const Timeline& t) const {
    EXPECT_EQ(asked_, t.messages);
    EXPECT_NEAR(contention_, t.queued, 1e-9 * (t.makespan + t.queued));
  }
  std::int64_t crossed_ = 0, links_ = 0;

 private:
  void expect_now(Seconds time) {
    EXPECT_GE(time, now_);
    now_ = time;
  }
  std::map<std::uint32_t, int> under_way_;
  Seconds now_ = 0;
  std::int64_t asked_ = 0;
  double contention_ = 0;
};

void expect_chain(const Audit& audit) {
  EXPECT_NEAR(audit.critical.total(), audit.makespan, 1e-9 * audit.makespan);
  ASSERT_TRUE(audit.path_kept);
  Seconds now = 0;
  TimeParts parts;
  for (const Audit::Step& step : audit.path) {
    EXPECT_DOUBLE_EQ(step.begin, now);
    EXPECT_NEAR(step.parts.total(), step.end - step.begin, 1e-9 * audit.makespan);
    now = step.end;
    parts += step.parts;
  }
  EXPECT_EQ(now, audit.makespan);
  EXPECT_NEAR(parts.link, audit.critical.link, 1e-9 * audit.makespan);
}

void expect_equal(const TimeParts& a, const TimeParts& b) {
  EXPECT_EQ(a.start_up, b.start_up);
  EXPECT_EQ(a.overhead, b.overhead);
  EXPECT_EQ(a.hops, b.hops);
  EXPECT_EQ(a.wire, b.wire);
  EXPECT_EQ(a.port, b.port);
  EXPECT_EQ(a.link, b.link);
  EXPECT_EQ(a.peer, b.peer);
  EXPECT_EQ(a.copy, b.copy);
  EXPECT_EQ(a.barrier, b.barrier);
  EXPECT_EQ(a.skew, b.skew);
}

void expect_equal(const Audit::Step& a, const Audit::Step& b) {
  EXPECT_EQ(a.why, b.why);
  EXPECT_EQ(a.rank, b.rank);
  EXPECT_EQ(a.from, b.from);
  EXPECT_EQ(a.to, b.to);
  EXPECT_EQ(a.round, b.round);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.begin, b.begin);
  EXPECT_EQ(a.end, b.end);
  expect_equal(a.parts, b.parts);
}

/// To the last bit, but for what ranks received: that is added up message by message in another order.
void expect_equal(const Audit& a, const Audit& b) {
  EXPECT_EQ(a.makespan, b.makespan);
  expect_equal(a.critical, b.critical);
  ASSERT_EQ(a.path.size(), b.path.size());
  for (std::size_t i = 0; i < a.path.size(); ++i) expect_equal(a.path[i], b.path[i]);
  ASSERT_EQ(a.links.size(), b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    EXPECT_EQ(a.links[i].busy, b.links[i].busy);
    EXPECT_EQ(a.links[i].queued, b.links[i].queued);
    EXPECT_EQ(a.links[i].messages, b.links[i].messages);
  }
  ASSERT_EQ(a.ranks.size(), b.ranks.size());
  for (std::size_t i = 0; i < a.ranks.size(); ++i) {
    EXPECT_EQ(a.ranks[i].waiting, b.ranks[i].waiting);
    EXPECT_EQ(a.ranks[i].sending, b.ranks[i].sending);
    EXPECT_NEAR(a.ranks[i].receiving, b.ranks[i].receiving, 1e-12 * (a.ranks[i].receiving + a.makespan));
  }
  ASSERT_EQ(a.rounds.size(), b.rounds.size());
  for (std::size_t i = 0; i < a.rounds.size(); ++i) {
    EXPECT_EQ(a.rounds[i].first, b.rounds[i].first);
    EXPECT_EQ(a.rounds[i].asked, b.rounds[i].asked);
    EXPECT_EQ(a.rounds[i].arrived, b.rounds[i].arrived);
    EXPECT_EQ(a.rounds[i].messages, b.rounds[i].messages);
    EXPECT_EQ(a.rounds[i].queued, b.rounds[i].queued);
  }
  EXPECT_EQ(a.busiest, b.busiest);
  EXPECT_EQ(a.busiest_port, b.busiest_port);
  EXPECT_EQ(a.busiest_link_time, b.busiest_link_time);
  EXPECT_EQ(a.busiest_port_time, b.busiest_port_time);
}

/// Plays it alone, watched by all, and by an auditor by itself, which is another way; false when circuits wait for each
/// other in a circle.
bool watch_checked(const Spec& spec, const Machine& machine, const Schedule& schedule, SimulateOptions options) {
  Checker checker;
  Auditor auditor(spec, machine, schedule);
  Observers both;
  both.add(checker), both.add(auditor);
  Timeline alone;
  try {
    alone = simulate(spec, machine, schedule, options);
  } catch (const Error& e) {
    EXPECT_EQ(options.network, Network::circuit) << e.what();
    return false;
  }
  options.observer = &both;
  const Timeline seen = simulate(spec, machine, schedule, options);
  EXPECT_EQ(alone.makespan, seen.makespan);
  EXPECT_EQ(alone.messages, seen.messages);
  EXPECT_EQ(alone.hops, seen.hops);
  EXPECT_EQ(alone.queued, seen.queued);
  checker.compare(seen);
  expect_chain(auditor.audit());
  EXPECT_EQ(auditor.audit().makespan, seen.makespan);
  Auditor by_itself(spec, machine, schedule);
  options.observer = &by_itself;
  const Timeline audited = simulate(spec, machine, schedule, options);
  EXPECT_EQ(alone.makespan, audited.makespan);
  EXPECT_EQ(alone.queued, audited.queued);
  EXPECT_EQ(alone.hops, audited.hops);
  expect_equal(auditor.audit(), by_itself.audit());
  return true;
}

// Every algorithm on every network model: each message is told of once, in time, its parts add up, and so does the
// chain that the run's length is made of. Being watched changes no bit.
TEST(Watched, EveryRunAddsUp) {
  int cases = 0;
  std::vector<Machine> machines{testing::test_machine(Ports::one, Duplex::half, Switching::store_and_forward),
                                testing::test_machine(Ports::all, Duplex::full, Switching::circuit)};
  for (const Algorithm& a : algorithms())
    for (const std::string topology :
         {"hypercube:3", "ring:6", "crossbar:5", "torus:3x5", "bus:5", "memory:4", "omega:2"})
      for (Machine& machine : machines) {
        if (!testing::can_request(a.collective, topology)) continue;
        machine.shared = 2;
        const Spec spec = request(a.collective, topology, 97);
        if (!a.illegal(spec, machine, {}).empty()) continue;
        const Built built = build(spec, machine, {&a, {}});
        for (const Network network : networks)
          for (const Order order : simulated_orders()) {
            if (network == Network::circuit && spec.topology->shared_medium()) continue;
            const std::string what = testing::command(spec, machine, a, built.choice.params) + " " +
                                     std::string(to_string(network)) + " " + std::string(to_string(order));
            SCOPED_TRACE(what);
            if (!testing::sampled(what)) continue;
            cases += watch_checked(spec, machine, *built.schedule, {.order = order, .network = network}) ? 1 : 0;
          }
      }
  EXPECT_GT(cases, testing::sanitized ? 100 : 1000);
}

// 0 -> 3 over links 0, 1, 2 of a line and 1 -> 2 over link 1, as in Simulate.TwoMessagesOverOneLink. Start-up 1 and
// three hops of 0.25 are paid everywhere, and the wire's 4 s once, stored and forwarded three times. Cut-through waits
// for link 1 from 1.25 to 5, a circuit to 5.25; it keeps link 0 meanwhile, from 1 to 9.75. Fluid: 1 -> 2 flows alone
// from 1.25 to 1.75 (1 B), both share from then on, 1 B/s each, until its 7 B are through at 8.75; the last byte takes
// 0.5: 3.5 s more than alone.
TEST(Watched, TwoMessagesOverOneLink) {
  const Play play("mesh:4", {{{0, 3}, {1, 2}}});
  const std::map<Network, std::pair<Seconds, Seconds>> wire_and_link{{Network::free, {4, 0}},
                                                                     {Network::store_and_forward, {12, 0}},
                                                                     {Network::cut_through, {4, 3.75}},
                                                                     {Network::circuit, {4, 4}},
                                                                     {Network::fluid, {4, 3.5}}};
  for (const auto& [network, expected] : wire_and_link)
    for (const Order order : simulated_orders()) {
      SCOPED_TRACE(to_string(network));
      const Audit audit = play.audit(by_hand(), {.order = order, .network = network});
      expect_parts(audit.critical, 1, 0.75, expected.first, 0, expected.second);
      EXPECT_DOUBLE_EQ(audit.makespan, 1.75 + expected.first + expected.second);
      ASSERT_EQ(audit.path.size(), 1U);
      EXPECT_EQ(audit.path[0].from, 0);
      EXPECT_EQ(audit.path[0].to, 3);
      EXPECT_EQ(audit.busiest_port, -1);
      if (network == Network::free) continue;
      ASSERT_EQ(play.spec.topology->name(2), "1->2");
      const auto& load = audit.links[2];
      EXPECT_EQ(load.messages, 2);
      EXPECT_EQ(audit.busiest, network == Network::circuit ? 0 : 2);
      if (network == Network::circuit) {
        EXPECT_DOUBLE_EQ(audit.links[0].busy, 8.75);
        EXPECT_DOUBLE_EQ(load.busy, 8.75);
        EXPECT_DOUBLE_EQ(load.queued, 4);
      }
      if (network == Network::cut_through) {
        EXPECT_DOUBLE_EQ(load.busy, 8);
        EXPECT_DOUBLE_EQ(load.queued, 3.75);
        EXPECT_DOUBLE_EQ(audit.links[0].busy, 4);
      }
    }
}

// On a half-duplex line in model W 0 -> 3 and 1 -> 2 are requested at 1, and the first one has the lower rank: it holds
// the wires from 1 to 5.75, and the other one goes from then to 10, 4.75 late. Then 3 -> 0 and 2 -> 1: 0 and 3 are
// ready at 6.75, the middle wire at 10: until 14.75. 1 and 2 are ready at 11, and wait 3.75: until 19.
TEST(Watched, ModelWWaitsForBothEnds) {
  const Play play("mesh:4", {{{0, 3}, {1, 2}}, {{3, 0}, {2, 1}}});
  const Audit audit = play.audit(by_hand(Ports::all, Duplex::half), {.network = Network::wormhole});
  EXPECT_DOUBLE_EQ(audit.makespan, 19);
  expect_parts(audit.critical, 2, 0.5, 8, 0, 8.5);
  const Play late("mesh:4", {{{0, 1}}, {{2, 1}}});
  // 2 is ready for its message to 1 at 1, which takes its first one until 5.25 and is ready at 6.25.
  expect_parts(late.audit(by_hand(), {.network = Network::wormhole}).critical, 1, 0.25, 4, 0, 0);
  EXPECT_DOUBLE_EQ(late.audit(by_hand(), {.network = Network::wormhole}).critical.peer, 5.25);
}

// On a line with one port, rank 0 sends to 1, 2 and 3, in this order: each keeps the port for 1 + 0.25 + 4, so the last
// one waits 10.5 and takes 1 + 0.75 + 4. Rank 0's port is busy until it has left: 15.75.
TEST(Watched, APortIsGivenOnWhenAMessageHasLeft) {
  const Play play("mesh:4", {{{0, 1}, {0, 2}, {0, 3}}});
  for (const Network network : {Network::cut_through, Network::free}) {
    const Audit audit = play.audit(by_hand(Ports::one), {.network = network});
    EXPECT_DOUBLE_EQ(audit.critical.port, network == Network::free ? 10.75 : 10.5);  // free: all hops pass the port
    if (network == Network::free) continue;
    EXPECT_DOUBLE_EQ(audit.makespan, 16.25);
    EXPECT_EQ(audit.busiest_port, 0);
    EXPECT_DOUBLE_EQ(audit.busiest_port_time, 15.75);
  }
}

// On a ring of four, 0 -> 1, then 1 -> 2, then 2 -> 3, and 3 -> 2 at the start: 5.25 each. Rank 2 waits 5.25 for 3 and
// as long for 1; rank 3, whose own message has left at 5.25, waits from then to the end; rank 1 waits for 0.
TEST(Watched, TheCriticalPathOnARing) {
  const Play play("ring:4", {{{0, 1}, {3, 2}}, {{1, 2}}, {{2, 3}}});
  for (const Network network : networks) {
    SCOPED_TRACE(to_string(network));
    const Audit audit = play.audit(by_hand(), {.network = network});
    EXPECT_DOUBLE_EQ(audit.makespan, 15.75);
    expect_parts(audit.critical, 3, 0.75, 12, 0, 0);
    ASSERT_EQ(audit.path.size(), 3U);
    for (int i = 0; i < 3; ++i) {
      const Audit::Step& step = audit.path[static_cast<std::size_t>(i)];
      EXPECT_EQ(step.from, i);
      EXPECT_EQ(step.to, i + 1);
      EXPECT_EQ(step.round, i);
      EXPECT_DOUBLE_EQ(step.begin, 5.25 * i);
      EXPECT_DOUBLE_EQ(step.end, 5.25 * (i + 1));
    }
    const Seconds waiting[] = {0, 5.25, 10.5, 10.5};
    for (std::size_t r = 0; r < 4; ++r) EXPECT_DOUBLE_EQ(audit.ranks[r].waiting, waiting[r]) << r;
    ASSERT_EQ(audit.rounds.size(), 3U);
    EXPECT_EQ(audit.rounds[0].messages, 2);
    EXPECT_DOUBLE_EQ(audit.rounds[2].asked, 10.5);
    EXPECT_DOUBLE_EQ(audit.rounds[2].arrived, 15.75);
    const Audit short_of_memory = play.audit(by_hand(), {.network = network}, 2);
    EXPECT_FALSE(short_of_memory.path_kept);
    EXPECT_DOUBLE_EQ(short_of_memory.critical.total(), 15.75);
  }
}

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
}  // namespace quadrille::timeline_test
