#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>

#include "quadrille/algorithm.hpp"
#include "quadrille/simulate.hpp"

using namespace quadrille;
int main(int argc, char** argv) {
  const std::string c = argv[1], t = argv[2], a = argv[3];
  const Spec spec = checked({.collective = *find_collective(c), .topology = parse_topology(t), .bytes = argc > 6 ? atoi(argv[6]) : 1024});
  Machine m;
  m.switching = Switching::circuit; m.alpha = 1e-6; m.beta = 1e-9; m.per_hop = 5e-8; m.circuit = CircuitCost::exact;
  if (argc > 5 && std::string(argv[5]) == "one") m.ports = Ports::one;
  const Built b = build(spec, m, parse_choice(a));
  for (int i = 0; i < 2; ++i) {
    const clock_t begin = clock();
    const Timeline line = simulate(spec, m, *b.schedule, {.order = i ? Order::dataflow : Order::lockstep, .network = std::string(argv[4]) == "free" ? Network::free : Network::cut_through});
    const double s = static_cast<double>(clock() - begin) / CLOCKS_PER_SEC;
    rusage u; getrusage(RUSAGE_SELF, &u);
    fmt::print("{} {} {}: makespan {:.6g} messages {} hops {} events {} {:.2f}s {:.2f} M msg/s {:.2f} M hops/s {} MB formula {:.6g}\n", t, a, i ? "dataflow" : "lockstep", line.makespan, line.messages, line.hops, line.events, s, static_cast<double>(line.messages) / s / 1e6, static_cast<double>(line.hops) / s / 1e6, u.ru_maxrss / 1024, seconds(b.formula, m, *spec.topology));
  }
}
