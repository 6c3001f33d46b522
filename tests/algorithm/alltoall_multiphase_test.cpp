// The multiphase complete exchange as a schedule: every order of phases, its lists after a phase, its place in a plan.
#include <algorithm>

#include "algorithm/alltoall/shared/multiphase.hpp"
#include "algorithm/kit/support.hpp"
#include "quadrille/plan.hpp"
#include "sound.hpp"

namespace quadrille::alltoall_multiphase_test {
namespace {

using testing::expect_sound;
using testing::request;
using testing::test_machine;

std::string cube(int n) { return "hypercube:" + std::to_string(n); }

/// All orders of all partitions.
std::vector<Partition> compositions(int d) {
  if (d == 0) return {{}};
  std::vector<Partition> all;
  for (int first = 1; first <= d; ++first)
    for (Partition rest : compositions(d - first)) {
      rest.insert(rest.begin(), first);
      all.push_back(rest);
    }
  return all;
}

TEST(Multiphase, EveryOrderOfEveryPartitionIsSound) {
  const Algorithm& mce = find_algorithm("alltoall_mce");
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit);
  int runs = 0;
  for (int d = 1; d <= 5; ++d)
    for (const Partition& phases : compositions(d))
      for (const std::int64_t charge : {0, 1})
        for (const Bytes bytes : {0, 97}) {
          ++runs;
          const Params params{{"phases", phases}, {"charge_identity", {charge}}};
          expect_sound(request(Collective::alltoall, cube(d), bytes), machine, mce, params, d < 5 || bytes > 0);
        }
  EXPECT_EQ(runs, 4 * (1 + 2 + 4 + 8 + 16));
}

TEST(Multiphase, Structure) {
  struct Case {
    const char* id;
    Partition phases;
    std::int64_t rounds, blocks_sent, hops_of_all;
    bool permutes;
  };
  const std::vector<Case> cases{
      {"A-06", {5}, 31, 31, 2560, false},       {"A-07", {2, 3}, 10, 52, 512, true},
      {"A-08", {3, 3}, 14, 112, 1536, true},    {"A-09", {1, 1, 1, 1, 1, 1}, 6, 192, 384, true},
      {"A-10", {2, 2, 3}, 13, 304, 2560, true}, {"A-11", {8}, 255, 255, 262144, false}};
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.id);
    std::int64_t d = 0;
    for (const std::int64_t n : c.phases) d += n;
    const Spec spec = request(Collective::alltoall, cube(static_cast<int>(d)), 1);
    const Built built = build(spec, machine, {&find_algorithm("alltoall_mce"), {{"phases", c.phases}}});
    const Traffic traffic = count(spec, machine, *built.schedule);
    EXPECT_EQ(traffic.cost.startups, c.rounds);
    EXPECT_EQ(traffic.busiest_out_port, c.blocks_sent);
    EXPECT_EQ(traffic.message_hops, c.hops_of_all);
    EXPECT_EQ(traffic.cost.barriers, std::ssize(c.phases));
    EXPECT_EQ(traffic.cost.permuted, c.permutes ? std::ssize(c.phases) * base::bit(static_cast<int>(d)) : 0);
    EXPECT_EQ(traffic.contention, 1);
  }
}

using Block = std::pair<Rank, Rank>;  // source, destination
using Blocks = std::vector<Block>;

/// Runs a complete exchange on block names, one rank after the other, all reads of a round before its writes.
class Replay {
 public:
  explicit Replay(const Schedule& schedule) : schedule_(schedule), p_(schedule.shape().ranks) {
    for (Rank r = 0; r < p_; ++r) {
      Blocks own;
      for (Rank d = 0; d < p_; ++d) own.emplace_back(r, d);
      in_.push_back(own);
      out_.emplace_back(p_, Block{-1, -1});
      out_.back()[static_cast<std::size_t>(r)] = {r, r};
      tmp_.emplace_back(schedule.shape().tmp, Block{-1, -1});
    }
  }
  Blocks message(Round t, Rank from, Rank to) const {
    Collected list;
    Blocks blocks;
    for (const Transfer& x : list.one(schedule_, t, from, Kind::send, to))
      for_each_slot(x.slots, [&](Slot s) { blocks.push_back(buffer(x.buffer, from)[static_cast<std::size_t>(s)]); });
    return blocks;
  }
  void round(Round t) {
    auto out = out_, tmp = tmp_;
    for (Rank r = 0; r < p_; ++r)
      for (Rank peer = 0; peer < p_; ++peer) {
        const Blocks arriving = message(t, peer, r);
        std::size_t i = 0;
        Collected list;
        for (const Transfer& x : list.one(schedule_, t, r, Kind::recv, peer))
          for_each_slot(x.slots, [&](Slot s) {
            (x.buffer == Buffer::out ? out : tmp)[static_cast<std::size_t>(r)][static_cast<std::size_t>(s)] =
                arriving.at(i++);
          });
      }
    out_ = out, tmp_ = tmp;
  }
  const Blocks& buffer(Buffer b, Rank r) const {
    return (b == Buffer::in ? in_ : b == Buffer::out ? out_ : tmp_)[static_cast<std::size_t>(r)];
  }

 private:
  const Schedule& schedule_;
  Rank p_;
  std::vector<Blocks> in_, out_, tmp_;
};

/// The list of `rank` after the first `done` phases: in `out`, or in the second half of tmp.
Blocks list_after(const Partition& phases, std::size_t done, Rank rank) {
  const SchedulePtr schedule = algorithm::alltoall::multiphase_schedule(phases, 1, false, true);
  Replay replay(*schedule);
  Round t = 0;
  for (std::size_t i = 0; i < done; ++i)
    for (Round last = t + base::bit(static_cast<int>(phases[i])); t < last; ++t) replay.round(t);
  if ((phases.size() - done) % 2 == 0) return replay.buffer(Buffer::out, rank);
  const Blocks& tmp = replay.buffer(Buffer::tmp, rank);
  return {tmp.begin() + schedule->shape().ranks, tmp.end()};
}

TEST(Multiphase, ListsAfterAPhase) {
  // dimension 2 done at rank 5 = 101: destinations 4 .. 7, sources that agree in bits 0 and 1: 1 and 5.
  EXPECT_EQ(list_after({1, 2}, 1, 5), (Blocks{{1, 4}, {5, 4}, {1, 5}, {5, 5}, {1, 6}, {5, 6}, {1, 7}, {5, 7}}));
  //
  EXPECT_EQ(list_after({2, 1}, 1, 5), (Blocks{{1, 4}, {3, 4}, {5, 4}, {7, 4}, {1, 5}, {3, 5}, {5, 5}, {7, 5}}));
  //
  Blocks expected;
  for (const Rank d : {4, 5, 6, 7})
    for (const Rank s : {2, 6, 10, 14}) expected.emplace_back(s, d);
  EXPECT_EQ(list_after({2, 2}, 1, 6), expected);
  //
  EXPECT_EQ(list_after({1, 1, 1}, 2, 3), (Blocks{{1, 2}, {3, 2}, {5, 2}, {7, 2}, {1, 3}, {3, 3}, {5, 3}, {7, 3}}));
}

TEST(Multiphase, BlocksOfOneMessage) {
  // phases 2,2 of four dimensions, second phase, step 3: rank 6 to 6 xor 3.
  const SchedulePtr schedule = algorithm::alltoall::multiphase_schedule({2, 2}, 1, false, true);
  Replay replay(*schedule);
  for (Round t = 0; t < 6; ++t) replay.round(t);  // 3 exchanges and a permutation, then steps 1 and 2
  EXPECT_EQ(replay.message(6, 6, 5), (Blocks{{2, 5}, {6, 5}, {10, 5}, {14, 5}}));
}

TEST(Multiphase, DirectAndStandardAreItsEnds) {
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit);
  for (int d = 1; d <= 5; ++d) {
    const Spec spec = request(Collective::alltoall, cube(d), 12);
    const auto formula = [&](const Choice& choice) { return build(spec, machine, choice).formula; };
    const Choice whole{&find_algorithm("alltoall_mce"), {{"phases", {d}}}};
    const Choice ones{&find_algorithm("alltoall_mce"), {{"phases", Partition(static_cast<std::size_t>(d), 1)}}};
    EXPECT_EQ(formula(parse_choice("alltoall_direct")), formula(whole));
    EXPECT_EQ(formula(parse_choice("alltoall_standard")), formula(ones));
  }
}

/// Direct and standard exchange are partitions, too, for those who ask for alltoall_mce; a plan lists each schedule
/// once.
TEST(Multiphase, CandidatesAreNotListedTwice) {
  const Algorithm& mce = find_algorithm("alltoall_mce");
  Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit, CircuitCost::average);
  const auto proposed = [&](int d) {
    std::vector<Partition> all;
    for (const Params& p : mce.variants(request(Collective::alltoall, cube(d), 8), machine))
      all.push_back(p.list("phases"));
    return all;
  };
  const auto listed = [&](int d) {
    std::vector<Partition> all;
    for (const Candidate& c : plan(request(Collective::alltoall, cube(d), 8), machine).candidates)
      if (c.algorithm == &mce) all.push_back(c.params.list("phases"));
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_EQ(proposed(5), (std::vector<Partition>{{5}, {2, 3}, {1, 2, 2}, {1, 1, 1, 2}, {1, 1, 1, 1, 1}}));
  EXPECT_EQ(listed(5), (std::vector<Partition>{{1, 1, 1, 2}, {1, 2, 2}, {2, 3}}));
  machine.circuit = CircuitCost::exact;
  EXPECT_EQ(listed(4), (std::vector<Partition>{{1, 1, 2}, {1, 3}, {2, 2}}));
  EXPECT_EQ(listed(2), std::vector<Partition>{});
  machine.switching = Switching::store_and_forward;
  EXPECT_EQ(proposed(4), (std::vector<Partition>{{1, 1, 1, 1}}));
}

/// On the iPSC-860 large blocks are exchanged directly, whatever the name.
TEST(Multiphase, TakesTheBestPhasesWhenTheyAreLeftOut) {
  const Machine ipsc = load_machine("ipsc860");
  const auto phases = [&](int d, Bytes bytes) {
    return build(request(Collective::alltoall, cube(d), bytes), ipsc, parse_choice("alltoall_mce"))
        .choice.params.list("phases");
  };
  EXPECT_EQ(phases(5, 1 << 20), Partition{5});
  EXPECT_EQ(phases(5, 32), (Partition{2, 3}));
  EXPECT_EQ(phases(2, 1 << 20), Partition{2});
}

/// Every round of the direct exchange uses each directed link at most once, and some wires both ways.
TEST(Multiphase, DirectExchangeNeedsFullDuplexWires) {
  const Machine full = test_machine(Ports::one, Duplex::full, Switching::circuit);
  const Machine half = test_machine(Ports::all, Duplex::half, Switching::circuit);
  const Spec spec = request(Collective::alltoall, cube(4), 8);
  const Built built = build(spec, full, parse_choice("alltoall_direct"));
  EXPECT_TRUE(verify(spec, full, *built.schedule, built.claims).holds);
  const Proof refused = verify(spec, half, *built.schedule, built.claims);
  ASSERT_FALSE(refused.holds);
  EXPECT_EQ(refused.counterexample->kind, Counterexample::Kind::duplex);
  EXPECT_NE(find_algorithm("alltoall_direct").illegal(spec, half, {}).find("full-duplex"), std::string::npos);
}

}  // namespace
}  // namespace quadrille::alltoall_multiphase_test
