// quadrille replay: a whole application's trace on a network.
#include "simulator/replay.hpp"

#include <algorithm>
#include <numeric>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options/clock.hpp"
#include "cli/parts/replay_collectives.hpp"
#include "cli/parts/replay_files.hpp"
#include "console/words.hpp"
#include "interchange/application.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::cli {

namespace {

struct ReplayFlags {
  std::string file, topology, network, flops = "1e9", tolerance = "0";
  std::vector<std::string> algorithms;
  MachineOptions machine;
};

Network network_of(const ReplayFlags& options, const Machine& machine, const Topology& topology) {
  const Network network = options.network.empty() ? usual_network(machine, topology) : read_network(options.network);
  if (network != Network::wormhole) return network;
  if (options.network.empty()) return Network::fluid;
  throw Error(Error::Kind::argument,
              "--network wormhole: it needs rounds, and an application has none; expected another");
}

Json collectives_json(const ReplayCollectives& collectives) {
  Json all = Json::array();
  for (const auto& [text, one] : collectives.performed())
    all.push_back({{"collective", to_string(one.spec.collective)},
                   {"bytes", one.spec.bytes},
                   {"times", one.times},
                   {"algorithm", one.choice()},
                   {"planned", one.planned}});
  return all;
}

void print_replay(const ReplayFlags& options, const interchange::Application& application, const Machine& machine,
                  const simulator::Replayed& played, const ReplayCollectives& collectives, Network network,
                  console::Context& context) {
  const Rank ranks = application.ranks;
  const auto latest = std::max_element(played.ends.begin(), played.ends.end());
  const Seconds worked = std::accumulate(played.worked.begin(), played.worked.end(), Seconds{0});
  const Seconds share = played.line.makespan > 0 ? worked / (static_cast<double>(ranks) * played.line.makespan) : 0;
  if (context.json) {
    Json json{{"file", options.file},
              {"topology", options.topology},
              {"ranks", ranks},
              {"machine", json_of(machine)},
              {"network", to_string(network)},
              {"operations", application.ops.size()},
              {"messages", played.line.messages},
              {"simulated_s", played.line.makespan},
              {"worked_s", worked},
              {"queued_s", played.line.queued},
              {"hops", played.line.hops},
              {"events", played.line.events},
              {"last_rank", latest - played.ends.begin()},
              {"collectives", collectives_json(collectives)}};
    return context.print_json(json);
  }
  context.print("{} on {}, machine {}\n\n", options.file, options.topology,
                name_of(machine, options.machine.by_default));
  console::print_line(
      context, "of",
      fmt::format("{}, {}, {}", console::some(ranks, "rank"), console::some(std::ssize(application.ops), "operation"),
                  console::some(played.line.messages, "message")));
  console::print_line(context, "by", fmt::format("{}: {}", to_string(network), console::some(played.line.hops, "hop")));
  context.print("time    {}\n", context.bold(console::time_text(played.line.makespan, machine)));
  console::print_line(context, "end", fmt::format("rank {} is the last one", latest - played.ends.begin()));
  for (const auto& [text, one] : collectives.performed())
    console::print_line(
        context, "calls",
        fmt::format("{} of {}, {}: {}{}", to_string(one.spec.collective), base::format_bytes(one.spec.bytes),
                    console::some(one.times, "time"), one.choice(), one.planned ? "" : ", as asked"));
  console::print_line(context, "work", fmt::format("ranks compute for {:.3g} % of the time on average", 100 * share));
}

void run_replay(const ReplayFlags& options, console::Context& context) {
  const TopologyPtr topology = parse_topology(options.topology);
  const Machine machine = read(options.machine);
  const double flops = base::parse_number(options.flops, "--flops");
  if (!(flops >= 1 && flops <= 1e18)) throw Error(Error::Kind::argument, "--flops: expected 1 to 1e18 a second");
  const Network network = network_of(options, machine, *topology);
  context.progress("reading the trace");
  ReplayCollectives collectives(topology, machine, options.algorithms);
  const TraceText trace = read_trace(options.file);
  const interchange::Application application = interchange::read_application(
      trace.text(), trace.name, {.per_flop = 1 / flops, .schedule_of = [&](const interchange::CalledCollective& call) {
                                   return collectives.schedule_of(call);
                                 }});
  collectives.check_all_used();
  SimulateOptions how{.network = network, .tolerance = base::parse_number(options.tolerance, "--tolerance")};
  how.progress = [&](Seconds now, std::int64_t messages) {
    context.progress(fmt::format("simulating: {}, {}", base::format_seconds(now), console::some(messages, "message")));
  };
  const simulator::Replayed played = simulator::replay(application, topology, machine, how);
  print_replay(options, application, machine, played, collectives, network, context);
}

}  // namespace

void add_replay(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<ReplayFlags>();
  CLI::App& command = console::add_command(
      app, context, "replay", "A whole application's trace on a network: how long it takes there",
      {"quadrille replay app.goal torus:8x8 --machine cluster",
       "quadrille replay app.ti fattree:8 --flops 10e9 --network fluid",
       "quadrille replay app.ti torus:4x4 --algorithm allreduce_swing:ways=1 --algorithm bcast_halving"});
  command
      .add_option("FILE", options->file,
                  "GOAL with computing times, or a time-independent trace of SMPI: a file, or a list of files as "
                  "smpirun records it")
      ->required()
      ->type_name("");
  command.add_option("TOPOLOGY", options->topology, "torus:4x4, fattree:8, ... (see 'quadrille topology')")
      ->required()
      ->type_name("");
  command
      .add_option("--network", options->network,
                  "free, store-and-forward, cut-through, circuit, fluid or fluid-latency; default as the machine "
                  "switches, fluid for "
                  "wormholes")
      ->option_text("MODEL");
  command.add_option("--flops", options->flops, "Operations a second, of which SMPI's traces count; default 1e9")
      ->type_name("NUMBER");
  command
      .add_option("--algorithm", options->algorithms,
                  "What performs a collective of SMPI's trace, once for each collective; default the planner's choice")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_option("--tolerance", options->tolerance, "Of fluid networks, 0 to 0.1: faster, and off by that share")
      ->type_name("SHARE");
  add_machine_options(command, options->machine);
  command.parse_complete_callback([options] { choose_machine(options->machine, options->topology); });
  command.callback([options, &context] { run_replay(*options, context); });
}

}  // namespace quadrille::cli
