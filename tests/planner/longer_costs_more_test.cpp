// A longer message never costs less than a shorter one: for every number of bytes from none to some for every part.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "quadrille/plan.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::growth_test {
namespace {

using testing::request;

std::vector<Machine> machines() {
  std::vector<Machine> all;
  for (const double alpha : {0., 3., 400.})
    for (const double overhead : {0., 5.})
      for (const Duplex duplex : {Duplex::full, Duplex::half}) {
        Machine m = testing::test_machine(Ports::all, duplex, Switching::wormhole);
        m.alpha = alpha, m.beta = 7, m.per_hop = 1, m.overhead_send = m.overhead_receive = overhead;
        all.push_back(m);
      }
  return all;
}

/// The least price of any variant.
Seconds least(const Algorithm& a, const Spec& spec, const Machine& machine) {
  Seconds time = -1;
  for (const Params& params : a.variants(spec, machine)) {
    const Seconds now = seconds(a.cost(spec, machine, params), machine, *spec.topology);
    if (time < 0 || now < time) time = now;
  }
  return time;
}

class Growth : public ::testing::TestWithParam<std::string> {};

TEST_P(Growth, NoAlgorithmCostsLessForMoreBytes) {
  constexpr Bytes most = 70;
  int tried = 0;
  for (const Collective c : {Collective::bcast, Collective::sendrecv})
    for (const Machine& machine : machines())
      for (const Algorithm& a : algorithms()) {
        // The shares of sendrecv_unsynchronised are the best of paths that do not wait, and its price is that of
        // rounds. Trees are cut in the pieces that suit them, about, and five bytes make fewer of these than six.
        if (a.name == "sendrecv_unsynchronised" || a.name == "bcast_forest") continue;
        if (a.collective != c || !a.illegal(request(c, GetParam(), 1), machine, {}).empty()) continue;
        const std::string row = fmt::format("{} {} {} {} {}", a.name, GetParam(), machine.alpha, machine.overhead_send,
                                            to_string(machine.duplex));
        if (!testing::sampled(row)) continue;
        Seconds before = 0;
        for (Bytes bytes = 1; bytes <= most; ++bytes, ++tried) {
          const Seconds now = least(a, request(c, GetParam(), bytes), machine);
          ASSERT_GE(now, before * (1 - 1e-9)) << a.name << " on " << GetParam() << ", " << bytes << " B";
          before = now;
        }
      }
  EXPECT_GT(tried, 0);
}

INSTANTIATE_TEST_SUITE_P(Networks, Growth,
                         ::testing::Values("ring:7", "hypercube:4", "torus:2x8", "torus:4x4", "torus:3x5",
                                           "torus:4x4x4", "mesh:4x4", "crossbar:6", "bus:5", "memory:5"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) c = c == ':' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace quadrille::growth_test
