// quadrille tune: the constants of the machine at hand, measured between the ranks that were started, as a machine
// file.
#include "quadrille/tune.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/machine.hpp"
#include "cli/options/request.hpp"
#include "cli/options/transport.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "executor/team.hpp"
#include "files/file.hpp"
#include "quadrille/placement.hpp"

namespace quadrille::cli {

namespace {

struct TuneFlags {
  std::string output, topology, transport, ranks, seconds = "20", segment;
};

/// The ranks that are there and what they are.
struct Ranks {
  mpi::MpiLibrary* library = nullptr;  ///< null: threads
  Rank count = 2;
  std::vector<std::string> hosts;  ///< of processes; empty: threads of one
  std::int64_t count_of_hosts() const {
    return hosts.empty() ? 1 : std::ssize(std::set<std::string>(hosts.begin(), hosts.end()));
  }
  std::string what;
  bool first() const { return !library || library->rank() == 0; }
};

Json sample_json(const Sample& s) {
  return {{"bytes", s.bytes}, {"time_s", s.time}, {"spread", s.spread}, {"repetitions", s.repetitions}};
}

Json samples_json(const Samples& s) {
  Json json;
  for (const auto& [name, list] : {std::pair("one_way", &s.one_way), {"all_ways", &s.all_ways}}) {
    json[name] = Json::array();
    for (const Sample& sample : *list) json[name].push_back(sample_json(sample));
  }
  json["two_way"] = sample_json(s.two_way);
  json["fan"] = sample_json(s.fan);
  json["fan_out"] = s.fan_out;
  json["far"] = sample_json(s.far);
  json["far_hops"] = s.far_hops;
  json["within"] = Json::array();
  for (const Sample& sample : s.within) json["within"].push_back(sample_json(sample));
  for (const auto& [name, sample, ranks] :
       {std::tuple("leaving", &s.leaving, s.leaving_ranks), {"incast", &s.incast, s.incast_senders}})
    json[name] = s.within.empty()
                     ? Json(nullptr)
                     : Json{{"ranks", ranks}, {"alone", sample_json(s.alone)}, {"at_once", sample_json(*sample)}};
  json["permute"] = sample_json(s.permute);
  json["reduce"] = sample_json(s.reduce);
  json["barrier"] = sample_json(s.barrier);
  for (const auto& [name, crowd] : {std::pair("sent", &s.sent), {"received", &s.received}})
    json[name] = {{"few", crowd->few},
                  {"of_few", sample_json(crowd->of_few)},
                  {"many", crowd->many},
                  {"of_many", sample_json(crowd->of_many)}};
  return json;
}

/// What a file says of where its constants are from.
MeasuredOn measured_on(const Ranks& ranks, const Tuned& tuned) {
  MeasuredOn m{
      .transport = ranks.library ? "mpi" : "threads", .library = {}, .topology = tuned.topology->text(), .date = {}};
  m.hosts = ranks.count_of_hosts(), m.ranks = ranks.count;
  if (ranks.library) m.library = ranks.library->name();
  if (m.hosts == 1) m.cores = executor::usable_cores();
  return m;
}

void print_json(const Tuned& tuned, const Ranks& ranks, const TuneFlags& options, console::Context& context) {
  Json json{{"transport", ranks.library ? "mpi" : "threads"},
            {"ranks", ranks.count},
            {"what", ranks.what},
            {"topology", tuned.topology->text()},
            {"nodes", tuned.nodes.empty() ? Json(nullptr) : Json(tuned.nodes)},
            {"revealed", tuned.network.topology},
            {"explained", tuned.network.explained},
            {"groups", tuned.network.groups},
            {"hurried", tuned.hurried},
            {"uncertain", uncertain(tuned.samples)},
            {"file", options.output.empty() ? Json(nullptr) : Json(options.output)},
            {"machine", json_with_origins(file_of(tuned.machine, measured_on(ranks, tuned)))},
            {"samples", samples_json(tuned.samples)}};
  json["pairs"] = Json::array();
  for (const PairSample& p : tuned.pairs)
    json["pairs"].push_back({{"a", p.a}, {"b", p.b}, {"small_s", p.small}, {"large_s", p.large}});
  json["patterns"] = Json::array();
  for (const PatternSample& p : tuned.patterns) json["patterns"].push_back({{"to", p.to}, {"time_s", p.time}});
  context.print_json(json);
}

/// What the machine has no constant for.
void print_nodes(const Tuned& tuned, console::Context& context) {
  const Samples& s = tuned.samples;
  console::print_line(context, "network",
                      tuned.nodes.empty() ? tuned.topology->text()
                                          : fmt::format("{}, ranks on its nodes {}", tuned.topology->text(),
                                                        base::join(tuned.nodes, ",")));
  console::print_line(context, "leaving",
                      fmt::format("{} of a node at once take {:.2f} times as long as one: {}",
                                  console::some(s.leaving_ranks, "rank"), s.leaving.time / s.alone.time,
                                  rails(s) > 1 ? fmt::format("{} rails", rails(s)) : "taken to share one link"));
  if (s.incast_senders > 1)
    console::print_line(context, "incast",
                        fmt::format("a rank of each of {} nodes to one rank takes {:.2f} times as long as one of them",
                                    s.incast_senders, s.incast.time / s.alone.time));
}

void print_text(const Tuned& tuned, const Ranks& ranks, const TuneFlags& options, console::Context& context) {
  context.print("{}, {}\n", console::some(ranks.count, "rank"), ranks.what);
  console::print_line(context, "pairs", fmt::format("{} measured: {}", tuned.pairs.size(), tuned.network.text));
  std::string groups;
  for (const std::vector<Rank>& group : tuned.network.groups)
    groups += fmt::format("{}{{{}}}", groups.empty() ? "" : " ", base::join(group, ","));
  if (!groups.empty()) console::print_line(context, "groups", groups);
  if (!tuned.samples.within.empty()) print_nodes(tuned, context);
  if (!options.topology.empty() && tuned.network.topology != tuned.topology->text())
    console::print_line(context, "note",
                        fmt::format("--topology {} was taken, not {}", tuned.topology->text(), tuned.network.topology));
  if (tuned.hurried)
    console::print_line(context, "note", "time was over before everything was repeated; --seconds gives more");
  if (const int busy = uncertain(tuned.samples); busy > 0)
    console::print_line(
        context, "note",
        fmt::format(
            "repetitions of {} differ by more than they take: the machine is busy, and the constants are rough; repeat "
            "it when it is idle",
            console::some(busy, "measurement")));
  context.print("\n");
  print_machine(file_of(tuned.machine, measured_on(ranks, tuned)), context);
  context.print("\n");
  if (tuned.samples.sent.many == 0)
    console::print_line(context, "note",
                        !tuned.samples.within.empty() ? "overheads were not measured: that takes three nodes"
                        : ranks.count < 3
                            ? "overheads were not measured: that takes three ranks, such as --ranks 3 or -n 3"
                            : "overheads were not measured: times tell no rank with two neighbours; --topology "
                              "crossbar:" +
                                  std::to_string(ranks.count) + " says that all are");
  if (options.output.empty())
    console::print_line(context, "next", "quadrille tune -o machine.toml keeps these constants");
  else
    console::print_line(
        context, "next",
        fmt::format("quadrille plan alltoall {} --machine {}", tuned.topology->text(), shell_quoted(options.output)));
}

Ranks open(const TuneFlags& options, const Placement& placement, console::Context& context) {
  Ranks ranks;
  ranks.library = open_transport(options.transport.empty() ? usual_transport() : options.transport, context);
  if (ranks.library) {
    if (!options.ranks.empty())
      throw Error(Error::Kind::argument, "--ranks is for threads; processes are as many as mpirun has started");
    ranks.count = ranks.library->ranks();
    ranks.what = fmt::format("processes of {}", ranks.library->name());
    ranks.hosts = ranks.library->hosts();
    return ranks;
  }
  constexpr int enough = 16;  // whatever the machine: pairs are many, and threads are alike
  ranks.count = !options.ranks.empty() ? base::parse_integer(options.ranks, 2, executor::most_threads, "--ranks")
                : placement.topology   ? placement.topology->ranks()
                                       : std::clamp(executor::usable_cores(), 2, enough);
  ranks.what = fmt::format("threads of one process on {}", console::some(executor::usable_cores(), "core"));
  return ranks;
}

/// Threads are all on one computer.
std::vector<std::string> hosts_of(const Ranks& ranks, const Placement& placement) {
  if (!ranks.library)
    throw Error(Error::Kind::argument,
                fmt::format("--topology: {} names hosts, and threads are all on one; start processes, or give nodes",
                            placement.topology->text()));
  return ranks.hosts;
}

TuneOptions how_to(const TuneFlags& options, Ranks& ranks, const Placement& placement, console::Context& context) {
  TuneOptions how;
  how.ranks = ranks.count;
  how.topology = placement.topology;
  how.nodes = placement.nodes;
  std::map<std::string, std::int64_t> numbers;
  for (const std::string& host : ranks.hosts)
    how.hosts.push_back(numbers.emplace(host, std::ssize(numbers)).first->second);
  how.seconds = base::parse_number(options.seconds, "--seconds");
  if (how.seconds <= 0 || how.seconds > 1e6)
    throw Error(Error::Kind::argument, fmt::format("--seconds {}: expected more than 0", options.seconds));
  const Bytes segment = parse_segment(options.segment);
  if (ranks.first())
    how.begun = [&context](std::string_view what) { context.progress(fmt::format("measuring {}", what)); };
  if (ranks.library) {
    mpi::MpiLibrary& library = *ranks.library;
    how.perform = [&library, segment](const Spec& spec, const Schedule& schedule, const RunOptions& run) {
      return library.run(spec, schedule, run, segment);
    };
    how.elapsed = [&library] { return library.elapsed(); };
    return how;
  }
  if (!options.segment.empty())
    throw Error(Error::Kind::argument, "--segment: threads copy messages whole; it is for MPI");
  how.perform = run_threads;
  how.elapsed = [begin = std::chrono::steady_clock::now()] {
    return std::chrono::duration<Seconds>(std::chrono::steady_clock::now() - begin).count();
  };
  return how;
}

void run_tune(const TuneFlags& options, console::Context& context) {
  context.quiet = context.echo;  // what is wrong with the words is wrong everywhere
  check_transport(options.transport.empty() ? usual_transport() : options.transport);
  Placement placement;
  if (!options.topology.empty()) placement = load_placement(options.topology);
  Ranks ranks = open(options, placement, context);
  const auto check_output = [&] {
    if (ranks.first()) context.will_write(options.output);
    return std::string();
  };
  ranks.library ? ranks.library->agree(check_output) : void(check_output());
  if (!placement.hosts.empty()) placement = resolved(std::move(placement), hosts_of(ranks, placement));
  if (ranks.library) context.colour = false;  // as in quadrille run
  const TuneOptions how = how_to(options, ranks, placement, context);
  const Tuned tuned = tune(how, ranks.what);
  const auto keep = [&] {
    if (ranks.first() && !options.output.empty())
      files::write_file(options.output, to_text(file_of(tuned.machine, measured_on(ranks, tuned))));
    return std::string();
  };
  if (ranks.library) {
    ranks.library->agree(keep);
  } else {
    keep();
  }
  if (context.json) return print_json(tuned, ranks, options, context);
  print_text(tuned, ranks, options, context);
}

}  // namespace

void add_tune(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<TuneFlags>();
  CLI::App& command = console::add_command(app, context, "tune", "Measure the machine at hand, as a file for --machine",
                                           {"quadrille tune --transport threads -o here.toml",
                                            "mpirun -n 8 quadrille tune -o machine.toml --topology ring:8"});
  command
      .add_option("-o,--output", options->output,
                  "Where the constants go, each with what it was measured by; - for standard output")
      ->type_name("FILE");
  command
      .add_option("--topology", options->topology,
                  "The network of the ranks, or a file that says which node each is on (docs/tuning.md); default what "
                  "the times "
                  "between pairs of them look like, else crossbar:P")
      ->type_name("TOPOLOGY|FILE");
  command
      .add_option("--transport", options->transport,
                  "mpi: the processes that mpirun has started, the default under it; openmpi, mpich: that one; "
                  "threads: of this process, the default otherwise")
      ->type_name("NAME");
  command.add_option("--ranks", options->ranks, "Threads; default as many as cores, from 2 to 16")->type_name("P");
  command.add_option("--seconds", options->seconds, "About how long it may take; default 20")->type_name("S");
  command
      .add_option("--segment", options->segment,
                  "Over MPI, longer messages travel in pieces of this, by default as with 'quadrille run'")
      ->type_name("SIZE");
  command.callback([options, &context] { run_tune(*options, context); });
}

}  // namespace quadrille::cli
