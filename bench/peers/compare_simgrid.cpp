// The fluid network beside SimGrid: the same platform and traffic, times and speed.
//
//   compare_simgrid [lazy]     makespans of every scenario; ends with 1 when one differs by more than 2 %
//   compare_simgrid speed [N [TOPOLOGY TRAFFIC]]
//                              CPU seconds for the same traffic, N times in turns (5), ratio of medians
//
// What is the same: links, ports, routes and messages; alpha, then fair shares of 1/beta on everything the route needs;
// a rank goes on when its own messages of a round are through. What is left out because SimGrid means something else by
// it: per_hop, because CM02 gives flows shares in inverse proportion to their latencies (with alpha alone these are
// equal); local copies and barriers. SimGrid runs with its option network/optim:Full; `compare_simgrid lazy` is the
// same with its default, Lazy.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "patterns.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/sources.hpp"
#include "simgrid_run.hpp"

namespace quadrille::peers {
namespace {

struct Scenario {
  const char *topology, *collective, *algorithm;  ///< algorithm: or a pattern of patterns.hpp, with collective ""
  Bytes bytes;
  const char* sources = "";
  Ports ports = Ports::all;
  Duplex duplex = Duplex::full;
};

const std::vector<Scenario> scenarios{
    {"ring:16", "allgather", "allgather_daisy", 1024},
    {"ring:16", "allgather", "allgather_daisy", 1 << 20},
    {"ring:16", "alltoall", "alltoall_pairwise", 1 << 16},
    {"ring:16", "", "dissemination", 1 << 16},
    {"ring:16", "", "exchange", 1 << 16},
    {"ring:16", "", "scattered:3x4", 1024},
    {"ring:15", "", "scattered:3x2", 1024, "", Ports::all, Duplex::half},
    {"torus:4x4", "bcast", "bcast_pipelined", 1 << 20},
    {"torus:8x8", "bcast", "bcast_two_trees", 1 << 16},
    {"torus:8x8", "scatter", "scatter_axes", 4096},
    {"torus:8x8", "transpose", "transpose_direct", 1 << 14},
    {"torus:8x8", "", "dissemination", 1 << 20},
    {"torus:8x8", "", "exchange", 1 << 12},
    {"torus:8x8", "", "scattered:3x4", 256},
    {"torus:8x8", "", "scattered:3x4", 1 << 14},
    {"torus:8x8", "", "scattered:2x4", 1024, "", Ports::one},
    {"torus:8x8", "", "scattered:2x4", 1024, "", Ports::one, Duplex::half},
    {"torus:4x4x4", "", "doubling", 1 << 16},
    {"torus:4x4x4", "", "scattered:3x6", 1024},
    {"mesh:8x8", "", "scattered:3x4", 1024},
    {"mesh:6x6", "multibcast", "multibcast_lin", 8192, "E(8)"},
    {"mesh:6x6", "multibcast", "multibcast_xy_source", 8192, "Cr(11)"},
    {"mesh:6x6", "multibcast", "multibcast_twostep", 8192, "E(8)"},
    {"hypercube:5", "allgather", "allgather_adea", 1 << 14},
    {"hypercube:5", "alltoall", "alltoall_direct", 1 << 14},
    {"hypercube:5", "bcast", "bcast_esbt", 1 << 18},
    {"hypercube:6", "", "scattered:3x4", 1024},
    {"crossbar:12", "alltoall", "alltoall_pairwise", 1 << 14, "", Ports::one},
    {"crossbar:32", "", "scattered:3x4", 1024, "", Ports::one},
    {"crossbar:32", "", "scattered:3x4", 1024, "", Ports::one, Duplex::half},
};

const std::vector<Scenario> usual_races{
    {"hypercube:11", "", "doubling", 1024},   {"torus:32x32", "", "dissemination", 1024},
    {"torus:8x16", "", "exchange", 1024},     {"ring:256", "", "ring", 1024},
    {"torus:8x8", "", "scattered:4x4", 1024},
};

struct Setting {
  Spec spec;
  Machine machine;
  SchedulePtr schedule;
};

Setting setting(const Scenario& s) {
  Machine m;
  m.switching = Switching::circuit, m.circuit = CircuitCost::exact;
  m.alpha = 1e-6, m.beta = 1e-9, m.ports = s.ports, m.duplex = s.duplex;
  const TopologyPtr topology = parse_topology(s.topology);
  const std::string_view collective = *s.collective == 0 ? "alltoall" : s.collective;  // of a pattern, any
  Spec spec = {.collective = find_collective(collective).value(), .topology = topology, .bytes = s.bytes};
  if (*s.sources != 0) spec.sources = parse_sources(s.sources, *topology, s.bytes);
  spec = checked(spec);
  SchedulePtr schedule = bench::pattern(s.algorithm, topology->ranks(), s.bytes);
  if (!schedule) schedule = build(spec, m, parse_choice(s.algorithm)).schedule;
  return {spec, m, schedule};
}

std::string name(const Scenario& s) {
  return fmt::format("{:<12} {:<21} {:>8} B{}{}", s.topology, s.algorithm, s.bytes,
                     s.ports == Ports::one ? ", one port" : "", s.duplex == Duplex::half ? ", half duplex" : "");
}

int compare(Update update) {
  int off = 0;
  fmt::print("{:<70} {:>14} {:>14} {:>11}\n", "scenario", "quadrille, us", "simgrid, us", "difference");
  for (const Scenario& s : scenarios) {
    const Setting all = setting(s);
    const double ours = simulate(all.spec, all.machine, *all.schedule, {.network = Network::fluid}).makespan;
    const double theirs = play_simgrid(all.spec, all.machine, *all.schedule, update).makespan;
    const double difference = ours / theirs - 1;
    if (!(std::abs(difference) <= 0.02)) ++off;
    fmt::print("{:<70} {:>14.3f} {:>14.3f} {:>+10.4f}%\n", name(s), ours * 1e6, theirs * 1e6, 100 * difference);
  }
  fmt::print("{} scenarios, {} of them more than 2 % apart\n", scenarios.size(), off);
  return off == 0 ? 0 : 1;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void race(int times, const std::vector<Scenario>& races) {
  fmt::print(
      "CPU seconds; in brackets how many times faster than the faster SimGrid\n{:<29} {:>9} {:>13} {:>18} {:>18} "
      "{:>18}\n",
      "traffic", "messages", "SimGrid, Full", "SimGrid, Lazy", "cut-through", "fluid");
  for (const Scenario& s : races) {
    const Setting all = setting(s);
    std::vector<double> full, lazy, cut_through, fluid;
    std::int64_t messages = 0;
    const auto ours = [&](Network network, std::vector<double>& cpu) {
      const std::clock_t begin = std::clock();
      messages = simulate(all.spec, all.machine, *all.schedule, {.network = network}).messages;
      cpu.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    };
    long megabytes = 0;
    for (int i = 0; i < times; ++i) {
      ours(Network::cut_through, cut_through);
      ours(Network::fluid, fluid);
      const Played played = play_simgrid(all.spec, all.machine, *all.schedule, Update::lazy);
      lazy.push_back(played.cpu);
      megabytes = played.megabytes;
      full.push_back(play_simgrid(all.spec, all.machine, *all.schedule, Update::full).cpu);
    }
    const auto beside = [&](const std::vector<double>& cpu) {
      return fmt::format("{:.4f} ({:.0f} x)", median(cpu), std::min(median(full), median(lazy)) / median(cpu));
    };
    fmt::print("{:<29} {:>9} {:>13.3f} {:>18} {:>18} {:>18}\n", fmt::format("{} {}", s.topology, s.algorithm), messages,
               median(full), fmt::format("{:.3f} ({} MB)", median(lazy), megabytes), beside(cut_through),
               beside(fluid));
  }
}

}  // namespace
}  // namespace quadrille::peers

int main(int argc, char** argv) {
  try {
    using quadrille::peers::Update;
    if (argc < 2) return quadrille::peers::compare(Update::full);
    if (std::string(argv[1]) == "lazy") return quadrille::peers::compare(Update::lazy);
    if (std::string(argv[1]) != "speed") {
      fmt::print(stderr, "usage: compare_simgrid [lazy | speed [TIMES [TOPOLOGY TRAFFIC]]]\n");
      return 2;
    }
    const int times = argc > 2 ? std::max(1, std::stoi(argv[2])) : 5;
    if (argc == 5)
      quadrille::peers::race(times, {{argv[3], "", argv[4], 1024}});
    else
      quadrille::peers::race(times, quadrille::peers::usual_races);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "compare_simgrid: {}\n", error.what());
    return 2;
  }
}
