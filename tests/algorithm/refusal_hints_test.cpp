// A refusal names what would be accepted: whoever follows the hint gets there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::hint_test {
namespace {

using testing::request;

struct Asked {
  std::string topology;
  Machine machine;
  std::string reason(const Algorithm& a) const { return a.illegal(request(a.collective, topology, 97), machine, {}); }
};

/// The same question after every way out that `reason` names: another network, or settings of the machine.
std::vector<Asked> ways_out(const Asked& asked, const std::string& reason) {
  std::vector<Asked> ways;
  std::smatch found;
  if (std::regex_search(reason, found, std::regex("nearest: ([a-z]+:[0-9x^*]+)")))
    ways.push_back({found[1], asked.machine});
  Asked set = asked;
  bool any = false;
  const std::regex setting("--set ([a-z]+=[a-z-]+)");
  for (std::sregex_iterator i(reason.begin(), reason.end(), setting), end; i != end; ++i, any = true)
    set_parameter(set.machine, (*i)[1].str());
  if (any) ways.push_back(set);
  return ways;
}

/// Follows the hints until the algorithm is legal: a network first, then perhaps ports, then the duplex of wires.
void expect_led_to_legal(const Algorithm& a, const Asked& asked, int steps) {
  const std::string reason = asked.reason(a);
  if (reason.empty()) return;
  ASSERT_LT(steps, 4) << a.name << " on " << asked.topology << ": hints lead from one refusal to the next: " << reason;
  for (const Asked& way : ways_out(asked, reason)) {
    ASSERT_TRUE(testing::can_request(a.collective, way.topology)) << reason;
    ASSERT_NE(way.reason(a), reason) << "the hint changes nothing";
    expect_led_to_legal(a, way, steps + 1);
  }
  std::smatch found;
  if (std::regex_search(reason, found, std::regex("try ([a-z]+_[a-z0-9_]+)"))) {
    const Algorithm& other = find_algorithm(found[1].str());
    EXPECT_EQ(other.collective, a.collective);
    EXPECT_EQ(asked.reason(other), "") << "what " << a.name << " names instead";
  }
}

TEST(Hint, FollowedToTheEndMakesTheAlgorithmLegal) {
  std::vector<Machine> machines = testing::test_machines();
  for (const Ports ports : {Ports::one, Ports::all})
    machines.push_back(testing::test_machine(ports, Duplex::node_half, Switching::store_and_forward));
  for (const Algorithm& a : algorithms())
    for (const std::string topology :
         {"hypercube:1", "hypercube:2", "hypercube:4", "ring:2", "ring:3", "ring:7", "ring:8", "crossbar:2",
          "crossbar:3", "crossbar:8", "crossbar:12", "bus:4", "memory:4", "omega:1", "omega:2"})
      for (const Machine& machine : machines) {
        SCOPED_TRACE(std::string(a.name) + " on " + topology + ", " + machine.name);
        if (!testing::can_request(a.collective, topology)) continue;
        if (!testing::sampled(fmt::format("{} {} {}", a.name, topology, machine.name), 24)) continue;
        const Asked asked{topology, machine};
        expect_led_to_legal(a, asked, 0);
        if (HasFatalFailure()) return;
      }
}

}  // namespace
}  // namespace quadrille::hint_test
