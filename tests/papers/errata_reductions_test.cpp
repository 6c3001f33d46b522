// Errata about reductions, played. Numbers are those of docs/reference/errata.md.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "base/integer.hpp"
#include "executed.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"

namespace quadrille::errata_reductions_test {
namespace {

using namespace testing;

Spec question(Collective c, const std::string& network, Bytes bytes) {
  Spec spec{.collective = c, .topology = parse_topology(network), .bytes = bytes, .element = 8};
  spec.identical = false;
  return checked(spec);
}
const Machine circuits = test_machine(Ports::all, Duplex::full, Switching::wormhole);
const Machine one_port = test_machine(Ports::one, Duplex::full, Switching::store_and_forward);

Proof proof_of(const Spec& spec, const Machine& machine, const std::string& choice) {
  const Built built = build(spec, machine, parse_choice(choice));
  return verify(spec, machine, *built.schedule, built.claims);
}

TEST(Errata, E41_SwingsNearPeersGroupOtherwiseOnEveryRank) {
  for (const char* network : {"ring:8", "ring:16", "torus:4x4"}) {
    Spec spec = question(Collective::allreduce, network, 64);
    EXPECT_EQ(proof_of(spec, circuits, "allreduce_swing_latency:far=1").identical, Identical::commutatively);
    if (std::string_view(network) == "torus:4x4") continue;
    EXPECT_EQ(proof_of(spec, circuits, "allreduce_swing_latency:far=0").identical, Identical::no) << network;
    spec.identical = true;
    EXPECT_THROW(build(spec, circuits, parse_choice("allreduce_swing_latency:far=0")), Error) << network;
  }
}

/// Long vectors of sums: two ranks have the same one only if they group their operations alike.
TEST(Errata, E42_ACensusHasManyGroupings) {
  for (const Rank p : {5, 6, 7, 10, 11, 12}) {
    const Spec spec = question(Collective::allreduce, "crossbar:" + std::to_string(p), 8 * 1000);
    const Built built = build(spec, one_port, parse_choice("allreduce_census"));
    EXPECT_EQ(built.schedule->shape().rounds, base::log2_ceil(p));
    std::vector<std::vector<double>> sums(static_cast<std::size_t>(p), std::vector<double>(1000));
    const auto fill = [&](Rank r, const program::Program&, const program::Bases& bases) {
      for (Bytes i = 0; i < 1000; ++i) reinterpret_cast<double*>(bases[0])[i] = uneven_number(r, i);
    };
    const auto look = [&](Rank r, const program::Program&, const program::Bases& bases) {
      std::memcpy(sums[static_cast<std::size_t>(r)].data(), bases[1], 8 * 1000);
    };
    Bench{spec, *built.schedule, {operators::Operation::sum, operators::Number::float64}}.run(fill, look);
    const std::set<std::vector<double>> groupings(sums.begin(), sums.end());
    EXPECT_EQ(groupings.size(), static_cast<std::size_t>(p % 2 == 1 ? p : p / 2)) << p;
  }
}

TEST(Errata, E43_TheBusiestRankOfAScanCombinesOnceMore) {
  for (const Rank p : {4, 5, 8, 13, 25, 26, 64}) {
    const Spec spec = question(Collective::exscan, "crossbar:" + std::to_string(p), 24);
    const Built built = build(spec, one_port, parse_choice("exscan_123"));
    const Cost cost = count(spec, one_port, *built.schedule).cost;
    EXPECT_EQ(cost.startups, std::ceil(std::log2(p - 1) + std::log2(4.0 / 3)));
    EXPECT_EQ(cost.combined, cost.startups * 24) << p;
    std::int64_t most = 0;  // on the way to a result
    Collected all;
    for (Rank r = 0; r < p; ++r) {
      std::int64_t own = 0;
      for (Round t = 0; t < built.schedule->shape().rounds; ++t)
        for (const Transfer& x : all.all(*built.schedule, t, r)) own += x.combine.combines() && !x.combine.again;
      most = std::max(most, own);
    }
    EXPECT_EQ(most, cost.startups - 1) << p;
  }
}

TEST(Errata, E44_AnInOrderTreeCombinesOnePacketARound) {
  const Spec spec = question(Collective::allreduce, "crossbar:13", 8 * 32);
  const Built built = build(spec, one_port, parse_choice("allreduce_dual_root:packets=8"));
  Collected all;
  for (Round t = 0; t < built.schedule->shape().rounds; ++t)
    for (Rank r = 0; r < spec.ranks(); ++r) {
      int combines = 0;
      for (const Transfer& x : all.all(*built.schedule, t, r)) combines += x.combine.combines();
      EXPECT_LE(combines, 1) << "round " << t << ", rank " << r;
    }
}

}  // namespace
}  // namespace quadrille::errata_reductions_test
