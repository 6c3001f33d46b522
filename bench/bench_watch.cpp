// What it costs to watch a simulation: CPU seconds with an auditor over those without one.
//
//   bench_watch                                            the cases below
//   bench_watch TOPOLOGY TRAFFIC [NETWORK [ORDER [PORTS]]] one case; TRAFFIC as of bench_simulate, PORTS: one or all
// Every run is in a process of its own, quick and watched in turns; seconds are medians of three.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cpu_time.hpp"
#include "patterns.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/audit.hpp"
#include "quadrille/simulate.hpp"

namespace quadrille {
namespace {

struct Case {
  std::string topology, traffic, network = "cut-through", order = "dataflow", ports = "all";
};

const std::vector<Case> cases{
    {"hypercube:18", "doubling"},
    {"hypercube:18", "doubling", "free"},
    {"hypercube:16", "doubling", "store-and-forward"},
    {"hypercube:16", "doubling", "circuit"},
    {"hypercube:15", "doubling", "wormhole"},
    {"hypercube:15", "doubling", "fluid"},
    {"hypercube:18", "doubling", "cut-through", "lockstep"},
    {"hypercube:18", "doubling", "free", "lockstep"},
    {"hypercube:18", "doubling", "cut-through", "dataflow", "one"},
    {"hypercube:18", "doubling", "free", "dataflow", "one"},
    {"torus:32x32", "allgather/allgather_axes", "cut-through", "eager"},
    {"hypercube:18", "dissemination", "free"},
    {"torus:256x256", "dissemination"},
    {"torus:32x32", "exchange"},
    {"torus:32x32", "exchange", "free"},
    {"torus:16x16", "exchange", "fluid"},
    {"ring:2048", "ring"},
    {"ring:2048", "ring", "free"},
    {"ring:2048", "ring", "cut-through", "lockstep"},
    {"ring:1024", "ring", "fluid"},
    {"crossbar:2048", "exchange"},
    {"crossbar:2048", "exchange", "cut-through", "dataflow", "one"},
    {"crossbar:2048", "exchange", "free", "lockstep"},
    {"torus:512x512", "bcast/bcast_pipelined:packets=16"},
};

Machine machine(const std::string& ports) {
  Machine m;
  m.switching = Switching::circuit, m.circuit = CircuitCost::exact;
  m.alpha = 1e-6, m.beta = 1e-9, m.per_hop = 5e-8;
  m.ports = ports == "one" ? Ports::one : Ports::all;
  return m;
}

template <class Value>
Value named(const std::vector<Value>& all, const std::string& name) {
  for (const Value v : all)
    if (to_string(v) == name) return v;
  throw Error(Error::Kind::argument, fmt::format("{}: no such network or order", name));
}

struct Run {
  double seconds = 0;
  std::int64_t messages = 0;
  Seconds makespan = 0;
};

Run play(const Case& c, bool watched) {
  const Machine m = machine(c.ports);
  const auto slash = c.traffic.find('/');
  const std::string collective = slash == std::string::npos ? "alltoall" : c.traffic.substr(0, slash);
  const Spec spec = checked(
      {.collective = find_collective(collective).value(), .topology = parse_topology(c.topology), .bytes = 1024});
  SchedulePtr schedule = bench::pattern(c.traffic, spec.ranks(), spec.bytes);
  if (!schedule) schedule = build(spec, m, parse_choice(c.traffic.substr(slash + 1))).schedule;
  SimulateOptions options;
  options.order = named(simulated_orders(), c.order);
  options.network = named<Network>({Network::free, Network::store_and_forward, Network::cut_through, Network::circuit,
                                    Network::wormhole, Network::fluid},
                                   c.network);
  const double begin = bench::cpu_seconds();
  std::optional<Auditor> auditor;
  if (watched) options.observer = &auditor.emplace(spec, m, *schedule);
  const Timeline t = simulate(spec, m, *schedule, options);
  return {bench::cpu_seconds() - begin, t.messages, t.makespan};
}

/// In a child, so that no run finds the memory that another one has touched.
Run play_apart(const Case& c, bool watched) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw Error(Error::Kind::internal, "no pipe to a child");
  const pid_t child = fork();
  if (child == 0) {
    try {
      const Run run = play(c, watched);
      _exit(write(ends[1], &run, sizeof run) == sizeof run ? 0 : 1);
    } catch (const std::exception& error) {
      fmt::print(stderr, "bench_watch: {} {}: {}\n", c.topology, c.traffic, error.what());
      _exit(1);
    }
  }
  close(ends[1]);
  Run run;
  const bool told = read(ends[0], &run, sizeof run) == sizeof run;
  close(ends[0]);
  int status = 1;
  waitpid(child, &status, 0);
  if (!told || status != 0) throw Error(Error::Kind::internal, fmt::format("{} {}: failed", c.topology, c.traffic));
  return run;
}

void compare(const Case& c) {
  std::array<std::vector<double>, 2> times;
  Run last;
  for (int i = 0; i < 3; ++i)
    for (const bool watched : {false, true}) {
      const Run run = play_apart(c, watched);
      if (last.messages > 0 && run.makespan != last.makespan)
        throw Error(Error::Kind::internal, fmt::format("{} {}: watched, it takes another time", c.topology, c.traffic));
      last = run;
      times[watched ? 1 : 0].push_back(run.seconds);
    }
  for (std::vector<double>& t : times) std::sort(t.begin(), t.end());
  const double quick = times[0][1], watched = times[1][1];
  fmt::print("{:<14} {:<32} {:<17} {:<8} {:<5} {:>9} {:>8.3f} {:>8.3f} {:>6.2f}\n", c.topology, c.traffic, c.network,
             c.order, c.ports, last.messages, quick, watched, watched / std::max(quick, 1e-6));
  std::fflush(stdout);
}

}  // namespace
}  // namespace quadrille

int main(int argc, char** argv) {
  using namespace quadrille;
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    fmt::print("{:<14} {:<32} {:<17} {:<8} {:<5} {:>9} {:>8} {:>8} {:>6}\n", "topology", "traffic", "network", "order",
               "ports", "messages", "quick s", "watch s", "ratio");
    if (words.size() < 2) {
      for (const Case& c : cases) compare(c);
      return 0;
    }
    Case c{words[0], words[1]};
    if (words.size() > 2) c.network = words[2];
    if (words.size() > 3) c.order = words[3];
    if (words.size() > 4) c.ports = words[4];
    compare(c);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_watch: {}\n", error.what());
    return 2;
  }
}
