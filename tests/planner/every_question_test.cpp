// Reductions have an algorithm on every network and machine: whatever an MPI program may ask, a plan has a candidate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "quadrille/plan.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::every_question_test {
namespace {

/// Every family's examples, and sizes that they leave out: one rank, two, primes, a power of two, nodes with ranks.
std::vector<std::string> networks() {
  std::vector<std::string> all = testing::examples();
  for (const char* other : {"ring:1",     "ring:7",      "ring:8",      "torus:2x2", "torus:3x5",  "torus:4x4",
                            "torus:2x7",  "torus:2x3x4", "torus:5x1x4", "mesh:1x1",  "mesh:2x3x2", "hypercube:3",
                            "crossbar:1", "crossbar:7",  "crossbar:13", "bus:1",     "bus:7",      "memory:7",
                            "omega:3",    "fly:2^3",     "bifly:2^3",   "star:4*2",  "star:3*3",   "torus:4x4*2"})
    all.emplace_back(other);
  return all;
}

bool fits(const Algorithm& a, const Spec& spec, const Machine& machine) {
  if (a.collective != spec.collective || !a.illegal(spec, machine, {}).empty()) return false;
  const std::vector<Params> variants = a.variants(spec, machine);
  return std::any_of(variants.begin(), variants.end(),
                     [&](const Params& p) { return unfit(spec, a.claims(spec, machine, p)).empty(); });
}
bool is_answered(const Spec& spec, const Machine& machine) {
  const std::vector<Algorithm>& all = algorithms();
  return std::any_of(all.begin(), all.end(), [&](const Algorithm& a) { return fits(a, spec, machine); });
}

/// Switches with routes of their own do not copy [decision 32], and a memory cannot combine in pairs of ranks.
bool may_be_asked(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  const bool memory = t.shared_medium() && t.nodes() > t.ranks();
  return t.ranks() == 1 || (!(t.structure().routed && machine.multicast) && !(memory && spec.canonical));
}

void expect_answered(const Spec& question, const std::vector<Machine>& machines) {
  for (const Machine& machine : machines)
    for (const Operands operands : {Operands::commutative, Operands::ordered})
      for (const bool canonical : {false, true}) {
        Spec spec = question;
        const bool prefixes = spec.collective == Collective::scan || spec.collective == Collective::exscan;
        if (canonical && (prefixes || spec.collective == Collective::barrier)) continue;
        if (operands == Operands::ordered && spec.collective == Collective::barrier) continue;
        spec.operands = operands, spec.canonical = canonical;
        if (!may_be_asked(spec, machine)) continue;
        ASSERT_TRUE(is_answered(spec, machine)) << to_text(spec) << " on " << machine.name;
      }
}

TEST(EveryQuestion, AboutAReductionHasAnAlgorithm) {
  for (const std::string& network : networks()) {
    const TopologyPtr t = parse_topology(network);
    const std::vector<Machine> machines = testing::machines_on(*t);
    for (const Collective c : {Collective::reduce, Collective::allreduce, Collective::reduce_scatter, Collective::scan,
                               Collective::exscan, Collective::barrier})
      for (const Bytes bytes : {Bytes{0}, Bytes{1}, Bytes{97}})
        for (const Rank root : std::set<Rank>{0, t->ranks() / 2, t->ranks() - 1}) {
          if ((root > 0 && c != Collective::reduce) || (bytes != 1 && c == Collective::barrier)) continue;
          if (!testing::sampled(fmt::format("{} {} {} {}", network, to_string(c), bytes, root), 16)) continue;
          expect_answered(testing::request(c, network, bytes, root), machines);
          if (HasFatalFailure()) return;
        }
  }
}

TEST(EveryQuestion, AboutBlocksOfUnequalLengthsHasOneWhereRanksAreNextToAll) {
  for (const char* network : {"crossbar:7", "star:4*2", "hypercube:3", "bus:7"}) {
    Spec spec = testing::request(Collective::reduce_scatter, network, 97);
    auto offsets = std::make_shared<std::vector<Bytes>>(1, 0);
    for (Rank r = 0; r < spec.ranks(); ++r) offsets->push_back(offsets->back() + (r % 3 == 1 ? 0 : 10 + r));
    spec.offsets = offsets, spec.operands = Operands::ordered;
    spec = checked(spec);
    const Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
    EXPECT_TRUE(is_answered(spec, machine)) << network;
  }
}

}  // namespace
}  // namespace quadrille::every_question_test
