// How many messages and links crossed a second the simulator plays, on one thread, and in how much memory.
//
//   bench_simulate                      the table kept in docs/measurements: every case in a process of its own
//   bench_simulate queue                pushes and pops of the event queue alone, beside a binary heap
//   bench_simulate TOPOLOGY TRAFFIC [NETWORK [ORDER [BYTES [TOLERANCE]]]]
//                                       one case; TRAFFIC: dissemination, doubling, exchange, ring,
//                                       scattered:ROUNDSxFAN or COLLECTIVE/ALGORITHM
// CPU seconds are the median of three runs when they are short; memory is the peak of the process.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <queue>
#include <string>
#include <vector>

#include "cpu_time.hpp"
#include "patterns.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/simulate.hpp"
#include "simulator/event_queue.hpp"

namespace quadrille {
namespace {

struct Case {
  std::string topology, traffic;
  Network network = Network::cut_through;
  Order order = Order::dataflow;
  Bytes bytes = 1024;
  double tolerance = 0;
};

const std::vector<Case> cases{
    // Messages and links, dataflow.
    {"hypercube:10", "dissemination"},
    {"hypercube:16", "dissemination"},
    {"hypercube:20", "dissemination"},
    {"torus:32x32", "dissemination"},
    {"torus:256x256", "dissemination"},
    {"torus:512x512", "dissemination"},
    {"hypercube:10", "doubling"},
    {"hypercube:12", "doubling"},
    {"hypercube:14", "doubling"},
    {"hypercube:16", "doubling"},
    {"hypercube:18", "doubling"},
    {"hypercube:20", "doubling"},
    {"torus:32x32", "doubling"},
    {"torus:256x256", "doubling"},
    {"hypercube:10", "exchange"},
    {"hypercube:12", "exchange"},
    {"torus:32x32", "exchange"},
    {"ring:1024", "ring"},
    {"ring:4096", "ring"},
    {"hypercube:12", "alltoall/alltoall_direct"},
    {"torus:1024x1024", "bcast/bcast_pipelined:packets=16", Network::cut_through, Order::dataflow, 1 << 14},
    // Other networks and lockstep.
    {"hypercube:20", "doubling", Network::free},
    {"hypercube:20", "dissemination", Network::free},
    {"hypercube:12", "exchange", Network::free},
    {"ring:4096", "ring", Network::free},
    {"hypercube:20", "doubling", Network::cut_through, Order::lockstep},
    {"hypercube:16", "doubling", Network::store_and_forward},
    {"hypercube:16", "doubling", Network::circuit},
    {"hypercube:16", "doubling", Network::wormhole},
    {"hypercube:16", "doubling", Network::fluid},
    {"torus:16x16", "exchange", Network::fluid},
    {"ring:4096", "ring", Network::fluid},
    // Fluid: 24 flows a rank at once, all different.
    {"torus:16x16", "scattered:1x24", Network::fluid},
    {"torus:32x32", "scattered:1x24", Network::fluid},
    {"torus:64x64", "scattered:1x24", Network::fluid, Order::dataflow, 1024, 1e-2},
};

Machine machine() {
  Machine m;
  m.switching = Switching::circuit, m.circuit = CircuitCost::exact;
  m.alpha = 1e-6, m.beta = 1e-9, m.per_hop = 5e-8;
  return m;
}

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::pair<Spec, SchedulePtr> traffic(const Case& c, const Machine& m) {
  const auto slash = c.traffic.find('/');
  const std::string collective = slash == std::string::npos ? "alltoall" : c.traffic.substr(0, slash);
  const Spec spec = checked(
      {.collective = find_collective(collective).value(), .topology = parse_topology(c.topology), .bytes = c.bytes});
  SchedulePtr schedule = bench::pattern(c.traffic, spec.ranks(), c.bytes);
  if (!schedule) schedule = build(spec, m, parse_choice(c.traffic.substr(slash + 1))).schedule;
  return {spec, schedule};
}

void play(const Case& c) {
  const Machine m = machine();
  const auto [spec, schedule] = traffic(c, m);
  std::vector<double> times;
  Timeline t;
  do {
    const double begin = bench::cpu_seconds();
    t = simulate(spec, m, *schedule, {.order = c.order, .network = c.network, .tolerance = c.tolerance});
    times.push_back(bench::cpu_seconds() - begin);
  } while (times.size() < 3 && times.back() < 3);
  std::sort(times.begin(), times.end());
  const double s = std::max(times[times.size() / 2], 1e-6);
  const auto rate = [s](std::int64_t n) { return static_cast<double>(n) / s / 1e6; };
  const std::string tolerance = c.tolerance > 0 ? fmt::format(" {:g}", c.tolerance) : "";
  fmt::print("{:<16} {:<24} {:<18} {:<8} {:>9} {:>10} {:>10} {:>8.3f} {:>7.2f} {:>7.2f} {:>7.2f} {:>6}\n", c.topology,
             c.traffic, std::string(to_string(c.network)) + tolerance, to_string(c.order), t.messages, t.hops, t.events,
             s, rate(t.messages), rate(t.hops), rate(t.events), peak_megabytes());
  std::fflush(stdout);
}

void heading() {
  fmt::print("{:<16} {:<24} {:<18} {:<8} {:>9} {:>10} {:>10} {:>8} {:>7} {:>7} {:>7} {:>6}\n", "topology", "traffic",
             "network", "order", "messages", "hops", "events", "CPU s", "M msg/s", "M hop/s", "M ev/s", "MB");
  std::fflush(stdout);
}

/// In a child, so that the peak of memory is the case's own.
bool play_apart(const Case& c) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      play(c);
      _exit(0);
    } catch (const std::exception& error) {
      fmt::print(stderr, "bench_simulate: {} {}: {}\n", c.topology, c.traffic, error.what());
      _exit(1);
    }
  }
  int status = 1;
  waitpid(child, &status, 0);
  return child > 0 && status == 0;
}

/// What any simulation of events pays: a million events pending, each taken makes one that comes a random while later.
template <class Push, class Pop>
void hold(const char* name, Push push, Pop pop) {
  constexpr std::uint32_t pending = 1 << 20;
  std::uint64_t random = 1;
  const auto later = [&] {
    random = random * 6364136223846793005U + 1442695040888963407U;
    return 1e-6 * (1 + static_cast<double>(random >> 40) * 0x1p-24);
  };
  for (std::uint32_t i = 0; i < pending; ++i) push(later(), i);
  constexpr int times = 10 * pending;
  const double begin = bench::cpu_seconds();
  for (int i = 0; i < times; ++i) {
    const auto [time, who] = pop();
    push(time + later(), who);
  }
  fmt::print("{:<24} {:6.2f} M pairs of pop and push a second, 2^20 pending\n", name,
             times / (bench::cpu_seconds() - begin) / 1e6);
}

void queues() {
  simulator::EventQueue radix;
  hold(
      "radix heap (the queue)",
      [&](Seconds t, std::uint32_t who) {
        radix.push(t, {who, 0});
      },
      [&] {
        const simulator::Event e = radix.pop();
        return std::pair(radix.time(), e.who);
      });
  using Entry = std::pair<Seconds, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> binary;
  hold(
      "binary heap", [&](Seconds t, std::uint32_t who) { binary.emplace(t, who); },
      [&] {
        const Entry e = binary.top();
        binary.pop();
        return e;
      });
}

Case parse(const std::vector<std::string>& words) {
  Case c{words.at(0), words.at(1)};
  for (const Network n : {Network::free, Network::store_and_forward, Network::cut_through, Network::circuit,
                          Network::wormhole, Network::fluid})
    if (words.size() > 2 && words[2] == to_string(n)) c.network = n;
  if (words.size() > 3 && words[3] == "lockstep") c.order = Order::lockstep;
  if (words.size() > 4) c.bytes = std::stol(words[4]);
  if (words.size() > 5) c.tolerance = std::stod(words[5]);
  return c;
}

}  // namespace
}  // namespace quadrille

int main(int argc, char** argv) {
  using namespace quadrille;
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 1 && words[0] == "queue") {
      queues();
      return 0;
    }
    heading();
    bool well = true;
    if (words.size() > 1)
      play(parse(words));
    else
      for (const Case& c : cases) well = play_apart(c) && well;
    return well ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_simulate: {}\n", error.what());
    return 2;
  }
}
