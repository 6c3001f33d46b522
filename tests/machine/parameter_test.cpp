// Constants of a machine that are set one by one: good ones are taken, bad ones say what would have been good.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "machines.hpp"

namespace quadrille::parameter_test {
namespace {

using testing::expect_error;
using testing::expect_same;

void expect_refused_assignment(const std::string& assignment, const std::vector<std::string>& parts) {
  expect_error(
      [&] {
        Machine machine;
        set_parameter(machine, assignment);
      },
      Error::Kind::argument, parts);
}

Machine with(const std::string& assignment) {
  Machine machine;
  set_parameter(machine, assignment);
  return machine;
}

TEST(MachineParameter, SetsEveryKey) {
  EXPECT_EQ(with("alpha=2.5e-6").alpha, 2.5e-6);
  EXPECT_EQ(with(" alpha = 95 us ").alpha, 95e-6);
  EXPECT_EQ(with("alpha=1.5s").alpha, 1.5);
  EXPECT_EQ(with("alpha=2e3ns").alpha, 2e-6);
  EXPECT_EQ(with("per_hop=0.1ms").per_hop, 0.1e-3);
  EXPECT_EQ(with("beta=0.394us").beta, 0.394e-6);
  EXPECT_EQ(with("beta=0.394 us/B").beta, 0.394e-6);
  EXPECT_EQ(with("beta=1GiB/s").beta, std::ldexp(1.0, -30));
  EXPECT_EQ(with("gamma=1e-9").gamma, 1e-9);
  EXPECT_EQ(with("rho=540ns/B").rho, 540e-9);
  EXPECT_EQ(with("barrier=7us").barrier, 7e-6);
  EXPECT_EQ(with("barrier_log2=1e-4").barrier_log2, 1e-4);
  EXPECT_EQ(with("ports=one").ports, Ports::one);
  EXPECT_EQ(with("duplex=half").duplex, Duplex::half);
  EXPECT_EQ(with("switching=circuit").switching, Switching::circuit);
  EXPECT_EQ(with("circuit=exact").circuit, CircuitCost::exact);
  EXPECT_TRUE(with("multicast=true").multicast);
  EXPECT_EQ(with("shared=4").shared, 4);
  EXPECT_FALSE(std::signbit(with("alpha=-0").alpha));
}

TEST(MachineParameter, EveryWordIsRead) {
  for (const Duplex d : {Duplex::half, Duplex::full, Duplex::node_half})
    EXPECT_EQ(with("duplex=" + std::string(to_string(d))).duplex, d);
  for (const Switching s : {Switching::store_and_forward, Switching::circuit, Switching::wormhole})
    EXPECT_EQ(with("switching=" + std::string(to_string(s))).switching, s);
}

TEST(MachineParameter, ForgetsTheSourceOfWhatItChanges) {
  Machine m = load_machine("ipsc860");
  const std::size_t before = m.origins.size();
  set_parameter(m, "alpha=1us");
  EXPECT_EQ(m.origins.size(), before - 1);
  for (const Machine::Origin& origin : m.origins) EXPECT_NE(origin.key, "alpha");
  expect_same(m, parse_machine(to_text(m), "elsewhere.toml"));
}

TEST(MachineParameter, RefusesTheRest) {
  expect_refused_assignment("alpah=1", {"'alpah'", "did you mean 'alpha'", "barrier_log2", "switching"});
  expect_refused_assignment("", {"''", "alpha"});
  expect_refused_assignment("=1", {"alpha"});
  expect_refused_assignment("alpha", {"'alpha'", "value is missing", "alpha="});
  expect_refused_assignment("alpha=", {"alpha ''"});
  expect_refused_assignment("alpha=us", {"alpha 'us'"});
  expect_refused_assignment("alpha=1=2", {"alpha '1=2'"});
  expect_refused_assignment("alpha=-1us", {"from 0 to 1e9 s"});
  expect_refused_assignment("alpha=1e308", {"from 0 to 1e9 s"});
  expect_refused_assignment("beta=1e-300B/s", {"from 0 to 1e9 s"});
  expect_refused_assignment("alpha=1e-", {"alpha"});
  expect_refused_assignment("alpha=1e99999999999999999999", {"alpha"});
  expect_refused_assignment("alpha=nan", {"alpha"});
  expect_refused_assignment("alpha=0x10", {"alpha"});
  expect_refused_assignment("alpha=1,5", {"alpha"});
  expect_refused_assignment("alpha=1\n", {"alpha"});
  expect_refused_assignment("beta=1us/b", {"beta"});
  expect_refused_assignment("shared=99999999999999999999", {"shared"});
  Machine m;
  EXPECT_THROW(set_parameter(m, "alpha=oops"), Error);
  EXPECT_EQ(m.alpha, 1) << "a refused value must leave the machine alone";
}

TEST(MachineCheck, RefusesWhatNoMachineCharges) {
  EXPECT_NO_THROW(check(Machine{}));
  Machine m;
  m.rho = -1e-9;
  expect_error([&] { check(m); }, Error::Kind::argument, {"rho", "from 0 to 1e+09"});
  m.rho = 1.1e9;
  expect_error([&] { check(m); }, Error::Kind::argument, {"rho", "from 0 to 1e+09"});
  m = {};
  m.alpha = std::numeric_limits<double>::quiet_NaN();
  expect_error([&] { check(m); }, Error::Kind::argument, {"alpha is nan"});
  m = {};
  m.beta = std::numeric_limits<double>::infinity();
  expect_error([&] { check(m); }, Error::Kind::argument, {"beta is inf"});
  m = {};
  m.shared = 0;
  expect_error([&] { check(m); }, Error::Kind::argument, {"shared is 0"});
}

}  // namespace
}  // namespace quadrille::parameter_test
