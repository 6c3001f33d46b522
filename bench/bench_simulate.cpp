// How many messages and hops a second the simulator plays, one thread, beside the lines that issue the same traffic.
//
//   bench_simulate                          a few schedules from 2^10 to 2^20 ranks
//   bench_simulate COLLECTIVE TOPOLOGY ALGORITHM [free|cut-through|store-and-forward|circuit|fluid|wormhole]
#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <ctime>
#include <string>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/simulate.hpp"

namespace quadrille {
namespace {

struct Line {
  std::string collective, topology, algorithm;
  Network network = Network::cut_through;
};

Machine machine() {
  Machine m;
  m.switching = Switching::circuit, m.circuit = CircuitCost::exact;
  m.alpha = 1e-6, m.beta = 1e-9, m.per_hop = 5e-8;
  return m;
}

void play(const Line& line) {
  const Machine m = machine();
  const Spec spec = checked({.collective = find_collective(line.collective).value_or(Collective::alltoall),
                             .topology = parse_topology(line.topology),
                             .bytes = 1024});
  const Built built = build(spec, m, parse_choice(line.algorithm));
  for (const Order order : {Order::lockstep, Order::dataflow}) {
    const std::clock_t begin = std::clock();
    const Timeline t = simulate(spec, m, *built.schedule, {order, line.network});
    const double s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto rate = [s](std::int64_t n) { return static_cast<double>(n) / s / 1e6; };
    fmt::print(
        "{:<16} {:<20} {:<17} {:<9} {:>11} messages {:>11} hops  {:6.2f} s  {:6.2f} M messages/s  {:6.2f} M hops/s  {} "
        "MB\n",
        line.topology, line.algorithm, to_string(line.network), to_string(order), t.messages, t.hops, s,
        rate(t.messages), rate(t.hops), usage.ru_maxrss / 1024);
  }
}

}  // namespace
}  // namespace quadrille

int main(int argc, char** argv) {
  using namespace quadrille;
  std::vector<Line> lines{
      {"allgather", "hypercube:10", "allgather_adea"}, {"allgather", "hypercube:20", "allgather_adea", Network::free},
      {"allgather", "hypercube:20", "allgather_adea"}, {"alltoall", "hypercube:10", "alltoall_direct"},
      {"alltoall", "hypercube:12", "alltoall_direct"}, {"allgather", "ring:4096", "allgather_daisy"},
      {"alltoall", "ring:256", "alltoall_pairwise"}};
  if (argc > 3) {
    lines = {{argv[1], argv[2], argv[3]}};
    for (const Network n :
         {Network::free, Network::store_and_forward, Network::circuit, Network::fluid, Network::wormhole})
      if (argc > 4 && argv[4] == to_string(n)) lines.front().network = n;
  }
  try {
    for (const Line& line : lines) play(line);
  } catch (const Error& error) {
    fmt::print(stderr, "bench_simulate: {}\n", error.what());
    return 2;
  }
}
