// Competition for wires: S of patterns as Foster's section 3.7 and the spec's closed forms have them, and the schedules
// of all algorithms against the counted prices.
#include "quadrille/contention.hpp"

#include <cmath>

#include "base/integer.hpp"
#include "papers/foster.hpp"
#include "sound.hpp"

namespace quadrille::contention_test {
namespace {

using papers::foster::butterflies;
using papers::foster::competition;
using papers::foster::network;
using testing::request;
using testing::test_machine;

std::vector<std::int64_t> steps(const char* kind, Rank ranks, const Counting& counting = {}) {
  std::vector<std::int64_t> all;
  for (const papers::foster::Pattern& step : butterflies(ranks))
    all.push_back(competition(*network(kind, ranks), step, counting));
  return all;
}

TEST(Contention, OfButterfliesOnEveryNetwork) {
  for (Rank p = 2; p <= 256; p *= 2) {
    const auto n = static_cast<std::size_t>(base::log2_floor(p));
    const std::vector<std::int64_t> ones(n, 1), all(n, p), half(n, p / 2);
    std::vector<std::int64_t> doubling;
    for (int i = 0; i < base::log2_floor(p); ++i) doubling.push_back(base::bit(i));
    for (const char* kind : {"crossbar", "hypercube", "fly_k2", "omega"}) EXPECT_EQ(steps(kind, p), ones) << kind << p;
    if (p > 2) {
      EXPECT_EQ(steps("bifly_k2", p), ones) << p;
    }
    for (const char* kind : {"mesh1", "ring"}) EXPECT_EQ(steps(kind, p), doubling) << kind << p;
    for (const char* kind : {"bus", "ethernet"}) {
      EXPECT_EQ(steps(kind, p), all) << p;
      EXPECT_EQ(steps(kind, p, {.who = Who::senders}), all) << p;
      EXPECT_EQ(steps(kind, p, {.half_bus = true}), half) << p;
    }
    EXPECT_EQ(steps("mesh1", p, {.half_bus = true}), doubling) << "half a bus is about buses only";
    if (n % 2 != 0) continue;
    for (const char* kind : {"mesh2", "torus2"})
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_EQ(steps(kind, p)[i], base::bit(static_cast<int>(i % (n / 2)))) << kind << p;
  }
}

TEST(Contention, OfPermutations) {
  for (int n = 2; n <= 8; n += 2) {
    const Rank p = base::bit(n), root = base::bit(n / 2);
    EXPECT_EQ(competition(*network("fly_k2", p), papers::foster::bit_reversal(p)), std::max<Rank>(1, root - 1));
    EXPECT_EQ(competition(*network("hypercube", p), papers::foster::bit_reversal(p)), root / 2);
    for (const char* kind : {"fly_k2", "mesh2"})
      EXPECT_EQ(competition(*network(kind, p), papers::foster::transpose(p)), std::max<Rank>(1, root - 1)) << kind;
    EXPECT_EQ(competition(*network("hypercube", p), papers::foster::transpose(p)), root / 2);
  }
  const TopologyPtr line = network("mesh1", 4);
  EXPECT_EQ(competition(*line, {{0, 1, 1}, {2, 3, 1}}), 1);
  EXPECT_EQ(competition(*line, {{0, 2, 1}, {1, 3, 1}}), 2);
  EXPECT_EQ(competition(*line, {{0, 2, 1}, {3, 1, 1}}), 1);
}

TEST(Contention, CountsSendersOnceAndExchangesOnABusOnce) {
  const TopologyPtr line = parse_topology("mesh:4"), bus = parse_topology("bus:4");
  const std::vector<Envelope> two{{0, 3, 10}, {0, 2, 4}, {1, 2, 5}, {2, 2, 99}};
  const RoundContention on_line = contention(*line, two, {}, 9);
  EXPECT_EQ(on_line.messages, 3) << "a message to oneself is none";
  EXPECT_EQ(on_line.by_messages, 3);
  EXPECT_EQ(on_line.by_senders, 2);
  EXPECT_EQ(on_line.bytes, 19);
  EXPECT_EQ(on_line.sender_bytes, 15);
  EXPECT_EQ(on_line.used, 3);
  EXPECT_EQ(on_line.shared, 2);
  ASSERT_EQ(on_line.worst.size(), 3U);
  EXPECT_EQ(line->name(on_line.worst[0].link), "1->2");
  EXPECT_EQ(line->name(on_line.worst[1].link), "0->1");
  EXPECT_EQ(contention(*line, two, {.who = Who::senders}, 1).worst.size(), 1U);
  const std::vector<Envelope> exchange{{0, 1, 10}, {1, 0, 30}, {2, 3, 5}};
  const RoundContention whole = contention(*bus, exchange, {}), half = contention(*bus, exchange, {.half_bus = true});
  EXPECT_EQ(whole.by_messages, 3);
  EXPECT_EQ(whole.bytes, 45);
  EXPECT_EQ(half.by_messages, 2);
  EXPECT_EQ(half.bytes, 35) << "the longer half of the exchange";
  EXPECT_EQ(contention(*bus, {}, {}).by_messages, 1);
}

/// The same rounds through the counter of prices: S, and the bytes of the busiest link. And the same without symmetry.
TEST(Contention, AgreesWithTheCountedPriceOfEveryAlgorithm) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::circuit);
  int compared = 0;
  for (const Algorithm& a : algorithms())
    for (const char* topology : {"hypercube:3", "ring:6", "crossbar:5", "mesh:6", "torus:4x2"}) {
      if (a.collective == Collective::multibcast || a.collective == Collective::transpose) continue;
      const Spec spec = request(a.collective, topology, 13);
      if (!a.illegal(spec, machine, {}).empty()) continue;
      SCOPED_TRACE(std::string(a.name) + " on " + topology);
      const Built built = build(spec, machine, {&a, {}});
      std::vector<RoundTraffic> rounds;
      count(spec, machine, *built.schedule, &rounds);
      std::erase_if(rounds, [](const RoundTraffic& r) { return r.messages == 0; });
      for (const SchedulePtr& schedule :
           {built.schedule, SchedulePtr(std::make_shared<testing::Plain>(built.schedule))}) {
        const Contention found = contention(*spec.topology, machine, *schedule, {}, 3);
        ASSERT_EQ(found.rounds.size(), rounds.size());
        for (std::size_t i = 0; i < rounds.size(); ++i) {
          EXPECT_EQ(found.rounds[i].round, rounds[i].round);
          EXPECT_EQ(found.rounds[i].messages, rounds[i].messages);
          EXPECT_EQ(found.rounds[i].by_messages, rounds[i].contention);
          EXPECT_EQ(found.rounds[i].largest, rounds[i].largest);
          EXPECT_EQ(found.rounds[i].bytes, rounds[i].busiest);
          EXPECT_LE(found.rounds[i].by_senders, found.rounds[i].by_messages);
          EXPECT_EQ(found.rounds[i].worst.front().messages, found.rounds[i].by_messages);
        }
        EXPECT_GE(found.time, found.alone * (1 - 1e-12));
        EXPECT_LE(found.most_rank, found.time * (1 + 1e-12));
        EXPECT_LE(found.least_rank, found.most_rank);
      }
      ++compared;
    }
  EXPECT_GT(compared, 40);
}

TEST(Contention, IsTheSameWithAndWithoutSymmetryOnSwitchedNetworks) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::circuit);
  const Spec spec = request(Collective::alltoall, "hypercube:4", 8);
  const Built built = build(spec, machine, parse_choice("alltoall_mce:phases=2,2"));
  for (const char* topology : {"hypercube:4", "fly:2^4", "fly:4^2", "omega:4", "torus:2x2x2x2", "mesh:4x4", "bus:16"}) {
    const TopologyPtr t = parse_topology(topology);
    const Contention quick = contention(*t, machine, *built.schedule, {}),
                     slow = contention(*t, machine, testing::Plain(built.schedule), {});
    EXPECT_EQ(quick.by_symmetry, t->invariant(Group::xor_all)) << topology;
    EXPECT_DOUBLE_EQ(quick.time, slow.time) << topology;
    EXPECT_EQ(quick.s(Who::messages), slow.s(Who::messages)) << topology;
    EXPECT_EQ(quick.s(Who::senders), slow.s(Who::senders)) << topology;
    ASSERT_EQ(quick.rounds.size(), slow.rounds.size());
    for (std::size_t i = 0; i < quick.rounds.size(); ++i) {
      EXPECT_EQ(quick.rounds[i].used, slow.rounds[i].used) << topology;
      EXPECT_EQ(quick.rounds[i].shared, slow.rounds[i].shared) << topology;
      EXPECT_EQ(quick.rounds[i].sender_bytes, slow.rounds[i].sender_bytes) << topology;
    }
  }
  EXPECT_THROW(contention(*parse_topology("bus:15"), machine, *built.schedule, {}), Error);
}

TEST(Contention, RanksPayForTheRoundsTheyTakePartIn) {
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
  const Spec spec = request(Collective::bcast, "ring:5", 10);
  const Built built = build(spec, machine, parse_choice("bcast_chain:packets=1"));
  const Contention found = contention(*spec.topology, machine, *built.schedule, {});
  const Seconds round = machine.alpha + 10 * machine.beta;
  EXPECT_DOUBLE_EQ(found.time, 4 * round);
  EXPECT_DOUBLE_EQ(found.least_rank, round);
  EXPECT_DOUBLE_EQ(found.most_rank, 2 * round);
}

}  // namespace
}  // namespace quadrille::contention_test
