// How many messages a second an application's GOAL file is read and played, on one thread.
//
//   bench_replay [MESSAGES [TOPOLOGY [NETWORK]]]   20 million messages on torus:32x32, cut-through
//   bench_replay generate MESSAGES RANKS           the file alone, to standard output
//   bench_replay --check                           a small one: does it end when it must?
// Every rank computes for 1 us and sends 1 KiB to a rank 2^i places on, i from 0 on and again, once the message of the
// step before has come. The file is in memory; CPU seconds are this process's.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "base/text.hpp"
#include "cpu_time.hpp"
#include "interchange/application.hpp"
#include "quadrille/machine.hpp"
#include "simulator/replay.hpp"

namespace quadrille {
namespace {

std::string goal_of(std::int64_t messages, Rank ranks) {
  const std::int64_t steps = std::max<std::int64_t>(1, messages / ranks);
  std::string text = fmt::format("num_ranks {}\n", ranks);
  for (Rank r = 0; r < ranks; ++r) {
    text += fmt::format("rank {} {{\n", r);
    Rank distance = 1;
    for (std::int64_t i = 0; i < steps; ++i, distance = 2 * distance < ranks ? 2 * distance : 1) {
      const std::int64_t label = 3 * i;
      fmt::format_to(std::back_inserter(text), "l{}: calc 1000\nl{}: send 1024b to {}\nl{}: recv 1024b from {}\n",
                     label + 1, label + 2, (r + distance) % ranks, label + 3, (r - distance + ranks) % ranks);
      fmt::format_to(std::back_inserter(text), "l{} requires l{}\n", label + 2, label + 1);
      if (i > 0) fmt::format_to(std::back_inserter(text), "l{} requires l{}\n", label + 1, label);
    }
    text += "}\n";
  }
  return text;
}

int measure(std::int64_t messages, const std::string& network, Network model, bool check) {
  const TopologyPtr topology = parse_topology(network);
  const std::string text = goal_of(messages, topology->ranks());
  const double start = bench::cpu_seconds();
  const interchange::Application application = interchange::read_application(text, "bench");
  const double read = bench::cpu_seconds();
  Machine machine = load_machine("cluster");
  const simulator::Replayed played = simulator::replay(application, topology, machine, {.network = model});
  const double end = bench::cpu_seconds();
  const auto count = static_cast<double>(played.line.messages);
  fmt::print(
      "{} messages, {} bytes on {}, {}: read in {:.2f} s, played in {:.2f} s of CPU; {:.2f} million messages a "
      "second\n",
      played.line.messages, text.size(), network, to_string(model), read - start, end - read,
      1e-6 * count / (end - start));
  const bool all = played.line.messages == messages / topology->ranks() * topology->ranks();
  const double least = 1e-6 * count / static_cast<double>(topology->ranks());
  return check && (!all || played.line.makespan < least) ? 1 : 0;
}

}  // namespace
}  // namespace quadrille

int main(int argc, char** argv) {
  using namespace quadrille;
  const std::string first = argc > 1 ? argv[1] : "20000000";
  constexpr std::int64_t most = std::int64_t{1} << 30;
  if (first == "--check") return measure(64000, "torus:8x8", Network::cut_through, true);
  if (first == "generate" && argc == 4) {
    const std::string text =
        goal_of(base::parse_integer(argv[2], 1, most, "MESSAGES"), base::parse_integer(argv[3], 2, 1 << 20, "RANKS"));
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
  }
  const std::string model = argc > 3 ? argv[3] : "cut-through";
  return measure(base::parse_integer(first, 1, most, "MESSAGES"), argc > 2 ? argv[2] : "torus:32x32",
                 model == "fluid"  ? Network::fluid
                 : model == "free" ? Network::free
                                   : Network::cut_through,
                 false);
}
