// How far proofs, prices and plans reach: every symmetric algorithm at 2^20 ranks, whole proofs without symmetry, and a
// plan for a million ranks. Each line runs in a process of its own, so that its peak memory is its own.
//
//   bench_scale            all lines, with the targets beside them
//   bench_scale NAME...    only the lines whose text contains a NAME
//
//   bench_scale --list NAME...    what these are, and measure nothing
//
// The exit status is 1 where a line failed, or no line has such a name.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "quadrille/demands.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/sources.hpp"
#include "quadrille/verify.hpp"

namespace quadrille {
namespace {

struct Line {
  std::string text;
  double seconds_target, megabytes_target;
  std::function<void()> work;
};

Machine circuit_machine(Ports ports) {
  Machine m = load_machine("ipsc860");
  m.ports = ports;
  return m;
}

Spec request(Collective c, const std::string& topology) {
  Spec spec{.collective = c, .topology = parse_topology(topology), .bytes = 1024};
  if (c == Collective::multibcast) spec.sources = parse_sources("0,1,3", *spec.topology, spec.bytes);
  if (c == Collective::alltoallv) spec.demands = parse_demands("shift(1)", *spec.topology, spec.bytes);
  return checked(std::move(spec));
}

void prove_and_count(const Spec& spec, const Machine& machine, const Choice& choice, bool use_symmetry) {
  const Built built = build(spec, machine, choice);
  const Proof proof = verify(spec, machine, *built.schedule, built.claims, {.use_symmetry = use_symmetry});
  if (!proof.holds) throw Error(Error::Kind::internal, proof.counterexample->text);
  const Traffic traffic = count(spec, machine, *built.schedule);
  if (built.claims.exact && traffic.cost != built.formula) throw Error(Error::Kind::internal, "counted price differs");
}

std::vector<Line> lines() {
  std::vector<Line> all;
  for (const Algorithm& a : algorithms()) {
    const Spec small = request(a.collective, "hypercube:4");  // whose ranks form a square, as a transpose needs
    Machine machine = circuit_machine(Ports::all);
    if (!a.illegal(small, machine, {}).empty()) machine.duplex = Duplex::half;
    if (!a.illegal(small, machine, {}).empty()) continue;
    const Choice first{&a, {}};
    if (build(small, machine, first).schedule->symmetry().group == Group::none) continue;
    all.push_back({fmt::format("prove and price {} hypercube:20", a.name), 2, 200, [&a, machine] {
                     prove_and_count(request(a.collective, "hypercube:20"), machine, {&a, {}}, true);
                   }});
  }
  for (const Algorithm& a : algorithms()) {
    if (a.collective != Collective::allgather && a.collective != Collective::alltoall) continue;
    const bool gather = a.collective == Collective::allgather;
    const std::string topology = gather ? "hypercube:10" : "hypercube:8";
    const Spec spec = request(a.collective, topology);
    Machine machine = circuit_machine(Ports::all);
    if (!a.illegal(spec, machine, {}).empty()) machine.duplex = Duplex::half;
    if (!a.illegal(spec, machine, {}).empty()) continue;
    all.push_back({fmt::format("prove all ranks {} {}", a.name, topology), 5, 0, [spec, machine, &a] {
                     prove_and_count(spec, machine, {&a, {}}, false);
                   }});
  }
  all.push_back({"plan alltoall hypercube:20", 0.05, 0,
                 [] { plan(request(Collective::alltoall, "hypercube:20"), circuit_machine(Ports::one)); }});
  return all;
}

/// Runs the work in a child and prints its wall time and peak memory; false where the work failed.
bool measure(const Line& line) {
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    try {
      line.work();
    } catch (const std::exception& e) {
      fmt::print("  {}\n", e.what());
      std::fflush(stdout);
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double cpu = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  const double megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  const bool worked = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const bool reached = cpu <= line.seconds_target && (line.megabytes_target == 0 || megabytes <= line.megabytes_target);
  fmt::print("{:<58} {:>8.3f} s wall {:>8.3f} s CPU {:>6.0f} MB   target {:g} s{}   {}\n", line.text, seconds, cpu,
             megabytes, line.seconds_target,
             line.megabytes_target > 0 ? fmt::format(" {:g} MB", line.megabytes_target) : "",
             !worked   ? "FAILED"
             : reached ? "reached"
                       : "missed");
  std::fflush(stdout);
  return worked;
}

}  // namespace
}  // namespace quadrille

int main(int argc, char** argv) {
  const bool list = argc > 1 && std::string_view(argv[1]) == "--list";
  const int names = list ? 2 : 1;
  int measured = 0, failed = 0;
  try {
    for (const quadrille::Line& line : quadrille::lines()) {
      bool wanted = argc == names;
      for (int i = names; i < argc; ++i) wanted = wanted || line.text.find(argv[i]) != std::string::npos;
      if (!wanted) continue;
      ++measured;
      if (list)
        fmt::print("{}\n", line.text);
      else if (!quadrille::measure(line))
        ++failed;
    }
  } catch (const quadrille::Error& error) {
    fmt::print(stderr, "bench_scale: {}\n", error.what());
    return 1;
  }
  if (measured == 0) fmt::print(stderr, "bench_scale: no line has such a name; without names it prints all lines\n");
  return measured == 0 || failed > 0 ? 1 : 0;
}
