// quadrille simulate: a schedule played message by message, how long it takes, and where the time goes.
#include "quadrille/simulate.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options/clock.hpp"
#include "cli/options/page_link.hpp"
#include "cli/parts/plan_table.hpp"
#include "cli/parts/simulate_audit.hpp"
#include "cli/parts/simulate_faults.hpp"
#include "cli/parts/simulate_picture.hpp"
#include "console/picture.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "files/file.hpp"
#include "formats/table.hpp"
#include "quadrille/plan.hpp"
#include "report/stays.hpp"

namespace quadrille::cli {

namespace {

struct SimulateFlags {
  Request request;
  FaultOptions faults;
  std::string order, network, runs = "1", trace, tolerance = "0";
  bool heat = false, ascii = false, quick = false, timeline = false, url = false;
};

struct SimulateOutcome {
  Task task;
  Built built;
  SimulateOptions how;
  Bound bound;
  Timeline line;
  std::optional<Audit> audit;    ///< not with --quick
  std::vector<Seconds> several;  ///< makespans with one seed after the other, sorted; more than one
  Assurance assurance = {};      ///< where it is cheap
  Json stays = {};               ///< with --timeline

  Seconds priced() const { return seconds(built.formula, task.machine, *task.spec.topology); }
};

/// The algorithm asked for, or the planner's.
Choice choose(const SimulateFlags& options, const Task& task) {
  if (!options.request.algorithm.empty()) return parse_choice(options.request.algorithm);
  PlanOptions chosen;  // what does not stop where it is simulated
  if (!options.order.empty()) chosen.order = read_order(options.order);
  if (!options.network.empty()) chosen.network = read_network(options.network);
  const Plan plan = quadrille::plan(task.spec, task.machine, chosen);
  if (!plan.possible())
    throw Error(Error::Kind::illegal,
                fmt::format("no algorithm can run here; '{}' says why", why_not_line(options.request)));
  return {plan.best().algorithm, plan.best().params};
}

/// As asked; else the faster one there on machines of today, and on those of the papers what their programs did.
Order order_of(const SimulateFlags& options, const Task& task, const Choice& choice, Network network) {
  if (!options.order.empty()) return read_order(options.order);
  if (task.machine.has_overhead()) return order_to_perform(task.spec, task.machine, choice, network).order;
  return usual_order(task.machine);
}

/// The file that a run is traced to, if any.
class Trace {
 public:
  Trace(const std::string& path, const SimulateOutcome& o) {
    if (path.empty()) return;
    const formats::Format format = formats::by_ending(formats::Content::trace, path, "--trace");
    file_.emplace(path);
    const Topology& topology = *o.task.spec.topology;
    writer_ = std::get<formats::TraceWriter>(format.writer)(
        {.topology = topology,
         .links_overlap = is_fluid(o.how.network) || topology.shared_medium(),
         .sink = [this](std::string_view text) { file_->write(text); }});
  }
  Observer* writer() { return writer_.get(); }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  std::optional<files::FileWriter> file_;
  std::unique_ptr<Observer> writer_;
};

/// A simulation asks only who sends how much to whom: it takes a schedule that moves the wrong data as well.
Assurance prove(const SimulateOutcome& o) {
  constexpr std::int64_t visits = std::int64_t{1} << 22;
  Machine machine = o.task.machine;  // on another network than the machine's own its circuits are no matter
  if (o.how.network != Network::circuit && machine.switching == Switching::circuit)
    machine.switching = Switching::wormhole;
  return assure(o.task.spec, machine, o.built.choice, visits, o.how.order, Network::free);
}

void play(SimulateOutcome& o, const SimulateFlags& options, console::Context& context) {
  Trace trace(options.trace, o);
  std::optional<Auditor> auditor;
  Observers observers;
  if (!options.quick) observers.add(auditor.emplace(o.task.spec, o.task.machine, *o.built.schedule));
  if (trace.writer() != nullptr) observers.add(*trace.writer());
  std::optional<report::Stays> stays;
  if (options.timeline) observers.add(stays.emplace(o.task.spec.ranks(), o.built.schedule->shape().rounds));
  SimulateOptions how = o.how;
  if (trace.writer() != nullptr || stays)
    how.observer = &observers;
  else if (auditor)
    how.observer = &*auditor;  // by itself: faster
  how.progress = [&](Seconds now, std::int64_t messages) {
    context.progress(fmt::format("simulating: {} of about {}, {}", base::format_seconds(now),
                                 base::format_seconds(o.priced()), console::some(messages, "message")));
  };
  o.line = simulate(o.task.spec, o.task.machine, *o.built.schedule, how);
  trace.commit();
  if (auditor) o.audit = auditor->take();
  if (stays) o.stays = stays->json(o.how, o.line.makespan);
}

/// Where nobody has asked for an order, and that of data does not fit in memory, it is that of rounds.
void play_in_an_order_that_fits(SimulateOutcome& o, const SimulateFlags& options, console::Context& context) {
  try {
    play(o, options, context);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget || o.how.order != Order::eager || !options.order.empty()) throw;
    o.how.order = Order::dataflow;
    play(o, options, context);
  }
}

void play_several(SimulateOutcome& o, std::int64_t runs, console::Context& context) {
  if (runs < 2) return;
  const auto progress = context.progress_of("simulating with other seeds");
  SimulateOptions how = o.how;
  o.several.push_back(o.line.makespan);
  while (std::ssize(o.several) < runs) {
    ++how.faults.seed;
    o.several.push_back(simulate(o.task.spec, o.task.machine, *o.built.schedule, how).makespan);
    progress(static_cast<double>(o.several.size()) / static_cast<double>(runs));
  }
  std::sort(o.several.begin(), o.several.end());
}

void print_json(const SimulateOutcome& o, const SimulateFlags& options, console::Context& context) {
  Json json = json_of(o.task);
  json.update(json_of(*o.built.choice.algorithm, o.built.choice.params));
  json["order"] = to_string(o.how.order);
  json["network"] = to_string(o.how.network);
  json["simulated_s"] = o.line.makespan;
  json["messages"] = o.line.messages;
  json["hops"] = o.line.hops;
  json["events"] = o.line.events;
  json["queued_s"] = o.line.queued;
  json["price_s"] = o.priced();
  json["bound"] = json_of(o.bound, o.task);
  json["proof"] = json_of(o.assurance);
  if (!o.several.empty())
    json["runs"] = {{"count", o.several.size()},
                    {"least_s", o.several.front()},
                    {"median_s", o.several[o.several.size() / 2]},
                    {"most_s", o.several.back()}};
  if (o.audit) json.update(json_of(*o.audit, o.task));
  if (options.timeline) json["timeline"] = o.stays;
  context.print_json(json);
}

void print_text(const SimulateOutcome& o, const SimulateFlags& options, console::Context& context) {
  const Machine& machine = o.task.machine;
  context.print("{}\n\n", heading(o.task));
  context.print("of      {}\n", context.bold(to_text(*o.built.choice.algorithm, o.built.choice.params)));
  console::print_line(context, "",
                      fmt::format("{}, {}: {}, {}", to_string(o.how.order), to_string(o.how.network),
                                  console::some(o.line.messages, "message"), console::some(o.line.hops, "hop")));
  const Seconds priced = o.priced();
  if (o.assurance.fails()) print_assurance(o.assurance, context);
  context.print("time    {}\n", context.bold(console::time_text(o.line.makespan, machine)));
  if (o.audit) print_audit(*o.audit, o.task, context);
  context.print("\n");
  console::print_line(
      context, "priced",
      fmt::format(
          "{}{}", console::time_text(priced, machine),
          priced > 0 ? fmt::format("; simulated / priced = {}", base::format_ratio(o.line.makespan / priced)) : ""));
  console::print_line(context, "limit",
                      o.bound.time > 0 ? fmt::format("{}: no schedule is faster in any order; it is set by {}",
                                                     console::time_text(o.bound.time, machine), o.bound.binding)
                                       : "none: there is nothing to move");
  if (o.bound.time > 0) console::print_line(context, "gap", console::gap_words(o.line.makespan / o.bound.time, false));
  if (!o.several.empty())
    console::print_line(context, "runs",
                        fmt::format("{} seeds: {} at least, {} in the median, {} at most", o.several.size(),
                                    console::time_text(o.several.front(), machine),
                                    console::time_text(o.several[o.several.size() / 2], machine),
                                    console::time_text(o.several.back(), machine)));
  if (!options.heat) return;
  const bool unicode = console::unicode_pictures(options.ascii);
  print_heat(*o.audit, *o.task.spec.topology, unicode, context);
  print_round_bars(*o.audit, unicode, context);
  print_rank_bars(*o.audit, unicode, context);
}

/// The question is checked as if it were answered; the answer is the page's.
void print_link(const SimulateFlags& options, console::Context& context) {
  if (context.json)
    throw Error(Error::Kind::argument, "--url prints an address and --json an object; give one of them");
  const Task task = read(options.request);
  read(options.faults, *task.spec.topology);
  if (!options.order.empty()) read_order(options.order);
  if (!options.network.empty()) read_network(options.network);
  const FaultOptions& f = options.faults;
  std::vector<std::pair<std::string_view, std::string>> more{{"ask", "simulate"},
                                                             {"algorithm", options.request.algorithm},
                                                             {"order", options.order},
                                                             {"network", options.network},
                                                             {"jitter", f.jitter},
                                                             {"skew", f.skew},
                                                             {"seed", f.seed == "1" ? "" : f.seed}};
  for (const std::string& slow : f.slow) more.emplace_back("slow", slow);
  for (const std::string& failed : f.failed) more.emplace_back("fail", failed);
  context.print("{}\n", page_link(options.request, more));
}

void run_simulate(const SimulateFlags& options, console::Context& context) {
  if (options.url) return print_link(options, context);
  if (options.timeline && !context.json)
    throw Error(Error::Kind::argument, "--timeline is for programs; add --json, or take --heat or --trace FILE");
  context.will_write(options.trace);
  const std::int64_t runs = base::parse_integer(options.runs, 1, 1'000'000, "--runs");
  const Task task = read(options.request);
  if (options.quick && options.heat)
    throw Error(Error::Kind::argument, "--heat shows what --quick leaves out; give one of them");
  const Network network =
      options.network.empty() ? usual_network(task.machine, *task.spec.topology) : read_network(options.network);
  const Choice choice = choose(options, task);
  const SimulateOptions how{.order = order_of(options, task, choice, network),
                            .network = network,
                            .tolerance = base::parse_number(options.tolerance, "--tolerance"),
                            .faults = read(options.faults, *task.spec.topology)};
  if (how.tolerance != 0 && !is_fluid(how.network))
    throw Error(Error::Kind::argument,
                fmt::format("--tolerance: network {} has none; add --network fluid", to_string(how.network)));
  if (runs > 1 && how.faults.jitter == 0 && how.faults.skew == 0)
    throw Error(Error::Kind::argument, "--runs: all runs are the same without --jitter or --skew; add one of them");
  SimulateOutcome outcome{
      task, build(task.spec, task.machine, choice), how, limit(task.spec, task.machine, how.network), {}, {}, {}};
  outcome.assurance = prove(outcome);
  if (outcome.assurance.fails()) context.status = console::Status::no;
  play_in_an_order_that_fits(outcome, options, context);
  play_several(outcome, runs, context);
  if (context.json) return print_json(outcome, options, context);
  print_text(outcome, options, context);
}

}  // namespace

void add_simulate(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<SimulateFlags>();
  CLI::App& command = console::add_command(
      app, context, "simulate", "A schedule message by message: how long it takes, and where the time goes",
      {"quadrille simulate alltoall torus:8x8 --machine ipsc860 --bytes 1KiB --heat",
       "quadrille simulate allgather hypercube:6 --network circuit --order lockstep --trace out.json",
       "quadrille simulate bcast mesh:8x8 --machine paragon-h95 --slow 0-1=3 --jitter 5% --skew 2us --runs 100"});
  add_request(command, options->request, Needs::maybe_algorithm);
  command
      .add_option(
          "--order", options->order,
          "lockstep: everybody waits for the end of a round; dataflow: a rank waits for its own messages of it; "
          "eager: each message goes as soon as its data and its link are there; default dataflow, with a burst eager, "
          "with overheads the faster; of more than 16384 messages eager, or dataflow where rounds are searched for")
      ->option_text("ORDER");
  command
      .add_option("--network", options->network,
                  "free, store-and-forward, cut-through, circuit, wormhole, fluid or fluid-latency; default as the "
                  "machine switches")
      ->option_text("MODEL");
  command.add_option("--tolerance", options->tolerance, "Of fluid networks, 0 to 0.1: faster, and off by that share")
      ->type_name("SHARE");
  add_fault_options(command, options->faults);
  command.add_option("--runs", options->runs, "With --jitter or --skew: so many seeds, from --seed on; default 1")
      ->type_name("N");
  command
      .add_option("--trace", options->trace,
                  fmt::format("Every message into a file: {}; - for {} to standard output",
                              formats::endings_text(formats::Content::trace, ", "),
                              formats::default_name(formats::Content::trace)))
      ->type_name("FILE");
  command.add_flag("--heat", options->heat,
                   "Pictures: how busy links were, from when to when rounds went, and what ranks waited");
  console::add_ascii(command, options->ascii);
  command.add_flag("--quick", options->quick, "Only how long it takes: no path, no loads, the least time and memory");
  command.add_flag("--timeline", options->timeline, "Of --json: what ranks do when, as reports show it");
  command.add_flag("--url", options->url, "Nothing is simulated; prints the address of the question in the page");
  command.callback([options, &context] { run_simulate(*options, context); });
}

}  // namespace quadrille::cli
