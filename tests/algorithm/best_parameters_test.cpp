// The parameters that an algorithm takes of itself are the best: no value that it accepts has a lower price.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "algorithm/alltoall/shared/multiphase.hpp"
#include "algorithm/formula.hpp"
#include "algorithm/sendrecv/shared/paths.hpp"
#include "base/integer.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::parameters_test {
namespace {

using testing::command;
using testing::request;

using Values = std::vector<std::vector<std::int64_t>>;

/// All lists of so many values.
Values lists_of(std::size_t length, std::int64_t low, std::int64_t high) {
  Values all{{}};
  for (std::size_t i = 0; i < length; ++i) {
    Values longer;
    for (const auto& list : all)
      for (std::int64_t x = low; x <= high; ++x) {
        longer.push_back(list);
        longer.back().push_back(x);
      }
    all = std::move(longer);
  }
  return all;
}

/// Every value of a parameter that can make sense here, and some that cannot.
Values values_of(const Algorithm& a, const Parameter& parameter, const Spec& spec) {
  Values all;
  if (parameter.name == "phases") return partitions(base::log2_ceil(spec.ranks()));
  if (parameter.name == "lengths") {
    for (const algorithm::sendrecv::PathSet& paths : algorithm::sendrecv::path_sets(spec))
      all.push_back(algorithm::sendrecv::lengths_of(paths));
    return all.size() > 1 ? all : Values{{}};
  }
  if (a.name == "bcast_axes") return lists_of(2, 1, spec.bytes);
  std::int64_t high = std::min<std::int64_t>(parameter.high, 8);
  if (parameter.name.starts_with("packet")) high = spec.bytes;
  if (parameter.name == "radix" || parameter.name == "batch") high = spec.ranks() + 2;
  for (std::int64_t x = parameter.low; x <= high; ++x) all.push_back({x});
  return all;
}

/// The lowest price of all values together; infinite when none is accepted.
Seconds lowest(const Algorithm& a, const Spec& spec, const Machine& machine, Params given = {}, std::size_t next = 0) {
  if (next == a.parameters.size()) {
    if (!a.illegal(spec, machine, given).empty()) return INFINITY;
    return seconds(algorithm::formula(a, spec, machine, given), machine, *spec.topology);
  }
  Seconds least = INFINITY;
  const Parameter& parameter = a.parameters[next];
  for (const auto& value : values_of(a, parameter, spec)) {
    Params more = given;
    if (!value.empty()) more.set(std::string(parameter.name), value);
    least = std::min(least, lowest(a, spec, machine, std::move(more), next + 1));
  }
  return least;
}

Machine random_machine(std::mt19937& random) {
  const auto one_of = [&](std::initializer_list<double> values) { return values.begin()[random() % values.size()]; };
  Machine m;
  m.alpha = one_of({0, 1, 7, 40, 300}), m.per_hop = one_of({0, 0, 1, 20}), m.beta = one_of({0, 1, 3, 20});
  m.rho = one_of({0, 0, 0.5, 4}), m.barrier = one_of({0, 5});
  if (random() % 3 != 0) m.overhead_send = one_of({0, 2, 30, 200}), m.overhead_receive = one_of({0, 2, 40});
  m.ports = random() % 3 == 0 ? Ports::one : Ports::all;
  m.duplex = random() % 3 == 0 ? Duplex::half : Duplex::full;
  m.switching = random() % 4 == 0 ? Switching::store_and_forward : Switching::wormhole;
  m.circuit = random() % 2 == 0 ? CircuitCost::exact : CircuitCost::average;
  m.shared = 1 + static_cast<std::int64_t>(random() % 4);
  return m;
}

/// What promises the best without rounds cannot be held to prices in rounds; nor can levels, whose pairs are many and
/// of which a few are priced.
bool promises_another_best(const Algorithm& a) { return a.name == "sendrecv_unsynchronised" || a.asks_for_nodes; }

/// The search looks around the ideal number of packets of a simpler pipeline.
bool searches_nearby(const Algorithm& a) {
  return a.name == "reduce_double_tree" || a.name == "allreduce_dual_root" || a.name == "scan_axes" ||
         a.name == "exscan_axes" || a.name == "multibcast_relayed";
}

const std::vector<std::string> networks{
    "hypercube:2", "hypercube:3", "hypercube:4", "ring:3",   "ring:7",   "ring:8",     "ring:13",    "torus:3x4",
    "torus:4x4",   "torus:5x3",   "torus:2x3x4", "mesh:2x4", "mesh:3x3", "crossbar:3", "crossbar:5", "crossbar:8",
    "crossbar:13", "bus:4",       "memory:4",    "memory:9", "omega:3",  "bifly:2^2"};

/// Those that an algorithm is asked about. A matrix of blocks on a crossbar has another number of ranks.
const std::vector<std::string>& networks_of(const Algorithm& a) {
  static const std::vector<std::string> squares{"crossbar:4", "crossbar:9", "crossbar:16"};
  return a.name == "transpose_relayed" ? squares : networks;
}

class WithParameters : public ::testing::TestWithParam<const Algorithm*> {};

TEST_P(WithParameters, TakesTheBestWhenLeftOut) {
  const Algorithm& a = *GetParam();
  const std::vector<std::string>& asked = networks_of(a);
  std::mt19937 random(7);
  int tried = 0;
  for (int turn = 0; turn < 600 && tried < 150; ++turn) {
    const std::string& network = asked[random() % asked.size()];
    const Machine machine = random_machine(random);
    const Bytes bytes = std::array<Bytes, 5>{1, 2, 7, 24, 60}[random() % 5];
    if (!testing::can_request(a.collective, network)) continue;
    const Spec spec =
        request(a.collective, network, bytes,
                has_root(a.collective) ? static_cast<Rank>(random()) % parse_topology(network)->ranks() : 0);
    if (!a.illegal(spec, machine, {}).empty()) continue;
    ++tried;
    if (!testing::sampled(std::string(a.name) + std::to_string(turn))) continue;
    const Built built = build(spec, machine, {&a, {}});
    const Seconds own = seconds(built.formula, machine, *spec.topology), least = lowest(a, spec, machine);
    ASSERT_LE(own, least * (searches_nearby(a) ? 1.05 : 1 + 1e-9))
        << command(spec, machine, a, built.choice.params) << " alpha " << machine.alpha << " per_hop "
        << machine.per_hop << " beta " << machine.beta << " o " << machine.overhead_send << " "
        << machine.overhead_receive << " rho " << machine.rho;
  }
  EXPECT_GT(tried, 5);
}

std::vector<const Algorithm*> with_parameters() {
  std::vector<const Algorithm*> list;
  for (const Algorithm& a : algorithms())
    if (!a.parameters.empty() && !promises_another_best(a)) list.push_back(&a);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Registry, WithParameters, ::testing::ValuesIn(with_parameters()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace quadrille::parameters_test
