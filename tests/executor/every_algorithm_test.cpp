// Every algorithm on real data: it delivers every byte with ranks as threads, on networks of every family.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "quadrille/run.hpp"
#include "run_schedules.hpp"
#include "sampled.hpp"
#include "seen.hpp"

namespace quadrille::every_algorithm_test {
namespace {

using testing::circuits;
using testing::command;
using testing::request;

/// Bytes that the ranks hold in `out` together: all of them are compared.
Bytes wanted_bytes(const Spec& spec) {
  Bytes total = 0;
  for (Rank r = 0; r < spec.ranks(); ++r) total += buffer_bytes(spec, Buffer::out, r);
  return total;
}

/// The first and last variants and one between.
std::vector<Params> some_variants(const Algorithm& a, const Spec& spec, const Machine& machine) {
  const std::vector<Params> all = a.variants(spec, machine);
  std::vector<Params> some;
  for (const std::size_t i : std::set<std::size_t>{0, all.size() / 2, all.size() - 1})
    if (i < all.size()) some.push_back(all[i]);
  return some;
}

/// The thread sanitizer looks at how ranks meet, which every algorithm on every network shows it once.
#ifdef __SANITIZE_THREAD__
constexpr bool once = true;
#else
constexpr bool once = false;
#endif

/// On few cores these mostly wait for each other.
bool are_many(Rank p) { return p > 16; }

/// Of many ranks one size has to do, which nothing divides.
std::vector<Bytes> sizes_on(Rank p) {
  if (once || are_many(p)) return {97};
  return {0, 1, 3, 97, 1000};
}

std::set<Rank> roots_on(Collective collective, Rank p) {
  if (!has_root(collective)) return {0};
  if (once || are_many(p)) return {p / 2};
  return {0, p / 2, p - 1};
}

std::vector<Machine> port_and_wire_models() {
  Machine both = circuits(), half = circuits(), one = circuits();
  half.shared = 3;
  half.duplex = Duplex::half;
  one.ports = Ports::one;
  Machine past = one;  // others' messages pass ranks
  past.switching = Switching::wormhole;
  return {both, half, one, past};
}

/// Runs a schedule that was not seen yet.
void run_case(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params,
              testing::SeenSchedules& seen) {
  SCOPED_TRACE(command(spec, machine, a, params));
  const Built built = build(spec, machine, {&a, params});
  if (seen.seen(to_text(spec) + to_text(a, params), *built.schedule)) return;
  const RunResult result = run_threads(spec, *built.schedule, {.repetitions = 1, .seed = 7});
  EXPECT_EQ(result.checked, wanted_bytes(spec));
  EXPECT_GE(result.moved, 0);
  EXPECT_LE(result.least, result.median);
  EXPECT_LE(result.median, result.most);
}

/// Sums of integers have the same bits however they are grouped, so no algorithm has to be left out.
Spec asked(const Algorithm& a, const std::string& network, Bytes bytes, Rank root = 0) {
  Spec spec = request(a.collective, network, bytes, root);
  spec.identical = false;
  return spec;
}

class RunOn : public ::testing::TestWithParam<std::string> {};

/// Whether a case is left out: the first one of an algorithm runs, of the others half, and of many ranks a sixth.
bool left_out(const std::string& what, Rank p, int before) {
  return !once && before > 0 && !testing::one_of(what, are_many(p) ? 6 : 2);
}

TEST_P(RunOn, EveryLegalAlgorithmGivesTheReferenceBytes) {
  int cases = 0;
  const Rank p = parse_topology(GetParam())->ranks();
  const Topology::Structure structure = parse_topology(GetParam())->structure();
  const bool as_crossbar = structure.per_node > 0 || structure.routed;
  for (const Algorithm& a : algorithms()) {
    if (!testing::can_request(a.collective, GetParam())) continue;
    if (as_crossbar && !a.asks_for_nodes) continue;  // runs as on a crossbar
    int of_algorithm = 0;
    testing::SeenSchedules seen;
    for (const Machine& machine : port_and_wire_models())
      for (const Bytes bytes : sizes_on(p))
        for (const Rank root : roots_on(a.collective, p)) {
          const Spec spec = asked(a, GetParam(), bytes, root);
          // Of many ranks the thread sanitizer gets a sample, without what is searched for: that would take minutes.
          if (once && are_many(p) && (a.searched || a.says_ways)) continue;
          if ((once ? are_many(p) : cases > 0) && !testing::sampled(command(spec, machine, a, {}))) continue;
          if (!a.illegal(spec, machine, {}).empty()) continue;
          ++cases;
          for (const Params& params : some_variants(a, spec, machine)) {
            if (left_out(command(spec, machine, a, params), p, of_algorithm++)) continue;
            ASSERT_NO_THROW(run_case(spec, machine, a, params, seen)) << command(spec, machine, a, params);
          }
        }
  }
  EXPECT_GT(cases, 0);
}

/// Every family, small ones in every size; and of every family one of 64 ranks, or of nearly as many and odd sides.
std::vector<std::string> networks() {
  std::vector<std::string> all{"torus:2x2", "torus:3x3",   "torus:4x3",   "torus:8x8",  "torus:7x9", "torus:3x4x5",
                               "mesh:3x4",  "mesh:8x8",    "mesh:7x9",    "mesh:4x4x4", "mesh:1x64", "ring:33",
                               "ring:64",   "crossbar:33", "crossbar:64", "bus:5",      "bus:64",    "ethernet:9",
                               "memory:2",  "memory:9",    "memory:64",   "omega:3",    "omega:6",   "fly:3^2",
                               "fly:4^3",   "bifly:2^2",   "bifly:2^5",   "star:3*2",   "star:8*8"};
  // Only searched algorithms run on it, which the thread sanitizer tries on few ranks.
  all.push_back(once ? "twisted-torus:4x4+2" : "twisted-torus:8x8+4");
  for (int d = 1; d <= 6; ++d) all.push_back("hypercube:" + std::to_string(d));
  for (int p = 2; p <= 9; ++p) {
    all.push_back("ring:" + std::to_string(p));
    all.push_back("crossbar:" + std::to_string(p));
  }
  return all;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (const char sign : {':', '^', '*', '-', '+'}) std::replace(name.begin(), name.end(), sign, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Networks, RunOn, ::testing::ValuesIn(networks()), test_name);

#ifndef __SANITIZE_THREAD__  // it starts no threads

/// The networks above are enough for every algorithm, on 64 ranks.
TEST(Run, EveryAlgorithmRunsSomewhere) {
  for (const Algorithm& a : algorithms()) {
    Rank most = 0;
    for (const std::string& network : networks()) {
      if (!testing::can_request(a.collective, network)) continue;
      const Spec spec = asked(a, network, 97);
      for (const Machine& machine : port_and_wire_models())
        if (a.illegal(spec, machine, {}).empty()) most = std::max(most, spec.ranks());
    }
    EXPECT_EQ(most, 64) << a.name;
  }
}

#endif

}  // namespace
}  // namespace quadrille::every_algorithm_test
