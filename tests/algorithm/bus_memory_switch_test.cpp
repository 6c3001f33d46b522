// Bus, shared memory and switch: counts for any k*, the optimal broadcast for any number of ranks, and bounds.
#include <set>

#include "algorithm/bcast/shared/circulant.hpp"
#include "algorithm/kit/support.hpp"
#include "quadrille/plan.hpp"
#include "sound.hpp"

namespace quadrille::media_test {
namespace {

using testing::request;
using testing::test_machine;

/// Start-ups count 1 and bytes 0, or the other way about.
Machine serving(std::int64_t shared, Duplex duplex = Duplex::half) {
  Machine m;
  m.ports = Ports::one, m.duplex = duplex, m.shared = shared;
  return m;
}

Cost cost_of(const std::string& choice, const Spec& spec, const Machine& machine) {
  return build(spec, machine, parse_choice(choice)).formula;
}

// ---- counts of the papers, corrected, for any k*

TEST(Memory, TakesWholeWaves) {
  for (const Rank p : {2, 3, 7, 8, 10, 33})
    for (const std::int64_t k : {1, 2, 3, 4, 64}) {
      SCOPED_TRACE(testing::command(request(Collective::bcast, "memory:" + std::to_string(p), 5), serving(k),
                                    find_algorithm("bcast_memory"), {}));
      const std::string memory = "memory:" + std::to_string(p);
      const Bytes m = 5, others = (p - 1) * m;
      const std::int64_t all = (p + k - 1) / k, rest = (p + k - 2) / k;  // waves of P, and of P - 1
      const auto expect = [&](Collective c, const std::string& choice, std::int64_t waves, Bytes bytes) {
        const Cost cost = cost_of(choice, request(c, memory, m, has_root(c) ? p / 2 : 0), serving(k));
        EXPECT_EQ(cost.startups, waves) << choice;
        EXPECT_EQ(cost.bytes, bytes) << choice;
      };
      const std::string whole = ":batch=" + std::to_string(p - 1);
      expect(Collective::sendrecv, "sendrecv_pipelined:packets=1", 2, 2 * m);
      expect(Collective::bcast, "bcast_memory:packets=1", 1 + rest, (1 + rest) * m);
      expect(Collective::allgather, "allgather_memory", 2 * all, all * p * m);
      expect(Collective::scatter, "scatter_memory" + whole, 1 + rest, others + rest * m);
      expect(Collective::gather, "gather_memory" + whole, 1 + rest, others + rest * m);
      expect(Collective::alltoall, "alltoall_memory", 2 * all, 2 * all * others);
    }
}

TEST(Memory, IsSoundForEveryBatchAndPacketCount) {
  for (const char* memory : {"memory:2", "memory:5", "memory:6"})
    for (const std::int64_t k : {1, 2, 3, 5, 6, 9})
      for (const Rank root : {Rank{0}, Rank{1}, parse_topology(memory)->ranks() - 1}) {
        for (std::int64_t n = 1; n <= 13; ++n)
          testing::expect_sound(request(Collective::bcast, memory, 13, root), serving(k),
                                find_algorithm("bcast_memory"), {{"packets", {n}}});
        for (Rank n = 1; n < parse_topology(memory)->ranks(); ++n)
          for (const auto& [c, name] :
               {std::pair{Collective::scatter, "scatter_memory"}, std::pair{Collective::gather, "gather_memory"}})
            testing::expect_sound(request(c, memory, 13, root), serving(k), find_algorithm(name), {{"batch", {n}}});
        if (HasFailure()) return;
      }
}

TEST(Memory, OverlappedFormsAreWorthIt) {
  // Half of 16 ranks at once, long messages: writing and reading overlap, so the medium is never idle for long.
  const Machine machine = serving(8);
  for (const Collective c : {Collective::sendrecv, Collective::bcast, Collective::scatter, Collective::gather}) {
    const Plan best = plan(request(c, "memory:16", 1 << 20), machine);
    EXPECT_LT(best.gap(), 1.07) << to_string(c);  // a scatter reads one block more than the root writes
  }
  // The bytes that pass are those of the bound but for the first packet.
  const Spec spec = request(Collective::bcast, "memory:16", 1 << 20);
  EXPECT_EQ(cost_of("bcast_memory:packets=1024", spec, machine).bytes, (2 << 20) + (1 << 10));
  EXPECT_EQ(cost_of("bcast_memory:packets=1", spec, machine).bytes, 3 << 20);
}

TEST(Bus, TournamentUsesWhatTheBusServes) {
  for (const Rank p : {2, 3, 4, 5, 8, 9})
    for (const std::int64_t k : {1, 2, 3, 100}) {
      const std::int64_t pairs = p / 2, at_once = std::min(k, pairs), rounds = p % 2 == 0 ? p - 1 : p;
      const Spec spec = request(Collective::alltoall, "bus:" + std::to_string(p), 7);
      const Cost cost = cost_of("alltoall_tournament", spec, serving(k));
      EXPECT_EQ(cost.startups, 2 * rounds * ((pairs + at_once - 1) / at_once));
      EXPECT_EQ(cost.bytes, 7 * cost.startups);
    }
}

TEST(Media, CostIsKnownForAMillionRanksAtOnce) {
  const Machine machine = serving(1000);
  for (const std::string family : {"memory", "bus"})
    for (const Collective c : collectives()) {
      // The messages of most multibcasts on a bus, and of all alltoallvs, are counted one by one: there 30 000 ranks
      // stand for the million.
      const bool counted = (family == "bus" && c == Collective::multibcast) || c == Collective::alltoallv;
      const char* const many = testing::sanitized ? ":2025" : counted ? ":30000" : ":1000000";
      const Spec spec = request(c, family + many, 1000);
      const Plan all = plan(spec, machine);
      EXPECT_TRUE(all.possible()) << family << " " << to_string(c);
      EXPECT_GE(all.gap(), 1 - 1e-12) << family << " " << to_string(c);
    }
}

TEST(Media, RefusesAMediumThatServesNobody) {
  Machine machine = serving(0);
  EXPECT_THROW(check(machine), Error);
  try {
    set_parameter(machine, "shared=0");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "machine parameter shared '0': expected a whole number from 1 to 1099511627776");
  }
}

// ---- what no schedule beats

TEST(Media, BoundsAreThoseOfTheTable) {
  const Bytes m = 60;
  for (const Rank p : {2, 3, 4, 8, 9})
    for (const std::int64_t k : {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{p}}) {
      const auto expect = [&](const std::string& family, Collective c, std::int64_t rounds, Bytes bytes) {
        const Bound bound = lower_bound(request(c, family + ":" + std::to_string(p), m), serving(k));
        EXPECT_EQ(bound.parts[0].rounds, rounds) << family << p << " " << to_string(c) << " k*=" << k;
        EXPECT_EQ(bound.parts[1].bytes, bytes) << family << p << " " << to_string(c) << " k*=" << k;
      };
      const std::int64_t r = (p + k - 1) / k, rest = (p + k - 2) / k,
                         both = std::max<std::int64_t>(2, (2 * p + k - 1) / k);
      const auto shared = [&](Bytes bytes) { return (bytes + k - 1) / k; };
      const Bytes others = (p - 1) * m;
      expect("memory", Collective::sendrecv, 2, k == 1 ? 2 * m : m);
      expect("memory", Collective::bcast, 1 + rest, std::max(m, shared(p * m)));
      expect("memory", Collective::allgather, both, std::max(p * m, shared(p * p * m)));
      expect("memory", Collective::scatter, 1 + rest, std::max(others, shared(2 * others)));
      expect("memory", Collective::gather, 1 + rest, std::max(others, shared(2 * others)));
      expect("memory", Collective::alltoall, both, std::max(2 * others, shared(2 * p * others)));
      expect("bus", Collective::sendrecv, 1, m);
      expect("bus", Collective::bcast, 1, m);
      expect("bus", Collective::scatter, 1, others);
      if (k > 1) continue;
      expect("bus", Collective::allgather, p, p * m);
      expect("bus", Collective::gather, p - 1, others);
      expect("bus", Collective::alltoall, p, p * others);
      EXPECT_EQ(r, p);
    }
}

// ---- switch

TEST(Circulant, BroadcastsInTheFewestRoundsForAnyNumberOfRanks) {
  const Machine machine = serving(1, Duplex::full);
  for (Rank p = 2; p <= 70; ++p)
    for (const std::int64_t packets : {1, 2, 5, 6, 7, 20}) {
      const Spec spec = request(Collective::bcast, "crossbar:" + std::to_string(p), 40, p / 3);
      testing::expect_sound(spec, machine, find_algorithm("bcast_circulant"), {{"packets", {packets}}});
      EXPECT_EQ(cost_of("bcast_circulant:packets=" + std::to_string(packets), spec, machine).startups,
                packets - 1 + base::log2_ceil(p));
      if (HasFailure()) return;
    }
}

TEST(Circulant, EveryRankReceivesEveryPacketOnceFromOneThatHasIt) {
  for (const Rank p : {1000, 1023, 1025, 4097}) {
    const algorithm::bcast::Circulant graph(p);
    const int q = graph.kinds();
    for (Rank r = 1; r < p; ++r) {
      const algorithm::bcast::Circulant::Received recv = graph.received(r);
      std::set<int> older;
      int fresh = -1;
      for (int k = 0; k < q; ++k) {
        const int got = recv[static_cast<std::size_t>(k)];
        (got < 0 ? (void)older.insert(got) : (void)(fresh = got));
        // What r passes on it had before: in an earlier round of these q, or in the q before.
        const Rank to = (r + graph.skip(k)) % p;
        if (to == 0) continue;
        const int sent = graph.received(to)[static_cast<std::size_t>(k)];
        bool had = false;
        for (int j = 0; j < q; ++j)
          had |= (j < k && sent == recv[static_cast<std::size_t>(j)]) || sent == recv[static_cast<std::size_t>(j)] - q;
        ASSERT_TRUE(had) << p << " " << r << " " << k;
      }
      ASSERT_EQ(static_cast<int>(older.size()), q - 1);
      ASSERT_FALSE(older.contains(fresh - q));
    }
  }
}

TEST(Circulant, IsOptimalForLongMessages) {
  const Plan best = plan(request(Collective::bcast, "crossbar:100", 1 << 24), serving(1, Duplex::full));
  EXPECT_EQ(best.best().algorithm->name, "bcast_circulant");
  EXPECT_LT(best.gap(), 1.002);
}

TEST(Switch, HasThePapersMapsOnAnOmegaNetwork) {
  const Machine machine = serving(1, Duplex::full);
  for (int n = 1; n <= 6; ++n)
    for (const Rank root : std::set<Rank>{0, base::bit(n) / 3, base::bit(n) - 1})
      for (const Algorithm& a : algorithms()) {
        if (!testing::can_request(a.collective, "omega:" + std::to_string(n)) || (root != 0 && !has_root(a.collective)))
          continue;
        const Spec spec = request(a.collective, "omega:" + std::to_string(n), 20, root);
        if (!a.illegal(spec, machine, {}).empty()) continue;
        const std::vector<Params> variants = a.variants(spec, machine);
        if (variants.empty()) continue;  // repositioning sources that are where it wants them
        const Built built = build(spec, machine, {&a, variants.front()});
        // Sources and pairs may be any, and the transposition is a map that the network does not pass.
        const bool counted = a.collective == Collective::multibcast || a.collective == Collective::transpose ||
                             a.collective == Collective::alltoallv;
        EXPECT_TRUE(built.claims.contention_free || counted) << a.name;
        const Proof proof = verify(spec, machine, *built.schedule, built.claims);
        EXPECT_TRUE(proof.holds) << a.name << n << ": " << proof.counterexample->text;
      }
}

TEST(Switch, CopyingCellsBroadcastInOneRound) {
  for (const char* name : {"omega:1", "omega:5", "crossbar:9"}) {
    Machine machine = serving(1, Duplex::full);
    machine.multicast = true;
    const Spec spec = request(Collective::bcast, name, 100, 1);
    const Plan best = plan(spec, machine);
    EXPECT_EQ(best.best().cost.startups, 1);
    EXPECT_EQ(best.best().cost.bytes, 100);
    EXPECT_DOUBLE_EQ(best.gap(), 1);
  }
}

}  // namespace
}  // namespace quadrille::media_test
