// Ports on fluid networks whose links are slower than the machine's: a port passes as much as its rank's fastest link.
#include <gtest/gtest.h>

#include "quadrille/price.hpp"
#include "quadrille/simulate.hpp"
#include "settings.hpp"
#include "two_ways.hpp"

namespace quadrille::fluid_ports_test {
namespace {

/// By 1 GB on every link that rank 0 has; links of the network pass 1 or 2 GB/s, the machine's would pass 10.
Seconds scattered(const char* network, Ports ports, Duplex duplex = Duplex::full) {
  Machine machine = testing::test_machine(ports, duplex, Switching::wormhole);
  machine.alpha = machine.per_hop = 0, machine.beta = 1e-10;
  machine.overhead_send = machine.overhead_receive = 1e-15;  // start-ups do not keep the port
  Spec spec = testing::request(Collective::scatter, "crossbar:3", 1'000'000'000);
  spec.topology = testing::network_of(network);
  const Built built = build(spec, machine, parse_choice("scatter_direct"));
  const Timeline timeline =
      simulate(spec, machine, *built.schedule, {.order = Order::eager, .network = Network::fluid});
  EXPECT_GE(timeline.makespan, lower_bound(spec, machine).time * (1 - 1e-9));
  return timeline.makespan;
}

TEST(FluidPorts, PassAsMuchAsTheFastestLink) {
  constexpr const char *alike = "host a b c\nlink a b 1GB/s\nlink a c 1GB/s\n",
                       *unlike = "host a b c\nlink a b 2GB/s\nlink a c 1GB/s\n";
  EXPECT_NEAR(scattered(alike, Ports::all), 1, 1e-9);
  EXPECT_NEAR(scattered(alike, Ports::one), 2, 1e-9);
  EXPECT_NEAR(scattered(alike, Ports::one, Duplex::half), 2, 1e-9);
  // Both flow at 1 GB/s, and together fill the port.
  EXPECT_NEAR(scattered(unlike, Ports::one), 1, 1e-9);
}

}  // namespace
}  // namespace quadrille::fluid_ports_test
