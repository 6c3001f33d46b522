// quadrille plan: what to use, how long it takes and why, how far from the limit, and what was not chosen.
#include "quadrille/plan.hpp"

#include <chrono>
#include <filesystem>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options/clock.hpp"
#include "cli/options/page_link.hpp"
#include "cli/options/transport.hpp"
#include "cli/parts/before_failure.hpp"
#include "cli/parts/measure.hpp"
#include "cli/parts/plan_facts.hpp"
#include "cli/parts/plan_picture.hpp"
#include "cli/parts/plan_table.hpp"
#include "console/picture.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "files/file.hpp"
#include "quadrille/wisdom.hpp"

namespace quadrille::cli {

namespace {

struct PlanFlags {
  Request request;
  ClockOptions clock;
  std::string wisdom, transport, seconds = "10";
  bool all = false, picture = false, ascii = false, url = false, quick = false;
};

Json candidate_json(const Candidate& c, const Task& task) {
  Json json = json_of(*c.algorithm, c.params);
  json["exact"] = c.exact;
  json.update(json_of(c.cost, task));
  json["clock"] = to_string(c.timing.how);
  json["simulated_s"] = timed(c) ? Json(c.timing.time) : Json(nullptr);
  json["measured_s"] = measured(c) ? Json(c.measured.time) : Json(nullptr);
  const bool passed = c.timing.how == Timing::How::stopped || c.timing.how == Timing::How::hopeless;
  json["at_least_s"] = passed ? Json(c.timing.time) : Json(nullptr);
  json["why_not_timed"] = c.timing.why.empty() ? Json(nullptr) : Json(c.timing.why);
  json["proof"] = json_of(c.assurance);
  return json;
}

void print_json(const Plan& plan, const std::optional<Replanned>& before, const Task& task, bool quick,
                console::Context& context) {
  Json json = json_of(task);
  json["best"] = plan.possible() ? candidate_json(plan.best(), task) : Json(nullptr);
  json["effort"] = to_string(plan.effort);
  if (plan.effort != Effort::estimate) {
    json["order"] = to_string(plan.possible() && timed(plan.best()) ? plan.best().timing.order : plan.order);
    json["network"] = to_string(plan.network);
    json["measured_on"] = plan.place.empty() ? Json(nullptr) : Json(plan.place);
    json["recalled"] = plan.recalled;
    json["not_recalled"] = plan.not_recalled.empty() ? Json(nullptr) : Json(plan.not_recalled);
  }
  json["bound"] = json_of(plan.bound, task);
  json["gap"] = plan.possible() ? Json(plan.gap()) : Json(nullptr);
  json["second"] = plan.candidates.size() > 1 ? candidate_json(plan.candidates[1], task) : Json(nullptr);
  const Candidate* other = plan.possible() ? plan.runner_up() : nullptr;
  json["runner_up"] = other ? candidate_json(*other, task) : Json(nullptr);
  json["before_failure"] = before ? json_of(*before) : Json(nullptr);
  json["facts"] = plan.possible() ? Json(facts(plan, quick)) : Json::array();
  Json candidates = Json::array(), refused = Json::array();
  for (const Candidate& c : plan.candidates) candidates.push_back(candidate_json(c, task));
  for (const Refusal& r : plan.refused) refused.push_back({{"algorithm", r.algorithm->name}, {"reason", r.reason}});
  json["candidates"] = candidates;
  json["refused"] = refused;
  json["mistakes"] = Json::array();
  for (const Mistake& m : plan.mistakes)
    json["mistakes"].push_back({{"choice", to_text(*m.algorithm, m.params)}, {"why", m.why}});
  context.print_json(json);
}

void print_time(const Candidate& best, const Task& task, console::Context& context) {
  const CostParts p = parts(best.cost, task.machine, *task.spec.topology);
  struct Row {
    std::string_view name;
    Seconds time;
    std::string what;
  };
  const std::vector<Row> rows{
      {"start-up", p.startup, console::some(best.cost.startups, "round")},
      {"overhead", p.overhead,
       fmt::format("{} of the busiest rank", console::some(best.cost.startups + best.cost.further, "message"))},
      {"circuit", p.circuit,
       task.machine.circuit == CircuitCost::exact ? console::some(best.cost.hops, "hop")
                                                  : "half the diameter per message"},
      {"wire", p.wire, base::format_bytes(best.cost.bytes) + " on the busiest link or port"},
      {"permute", p.permute, base::format_bytes(best.cost.permuted + best.cost.packed) + " rearranged by a rank"},
      {"operator", p.combine, base::format_bytes(best.cost.combined) + " combined by a rank"},
      {"barrier", p.barrier, console::some(best.cost.barriers, "barrier")}};
  for (const Row& row : rows)
    if (row.time > 0)
      context.print("        {:<9} {:>10}  {:>7}  {}\n", row.name, console::time_text(row.time, task.machine),
                    console::share(row.time, p.total()), context.faint(row.what));
}

/// The next candidate, and the best one of another algorithm: "second" and "runner_up" of --json.
void print_second(const Plan& plan, console::Context& context) {
  const auto phrase = [&](const Candidate& c) {
    const bool passed = c.timing.how == Timing::How::stopped || c.timing.how == Timing::How::hopeless;
    if (passed && !measured(c))
      return fmt::format("{}: priced {}, and simulated it is no faster", name_of(c),
                         console::time_text(c.time, plan.machine));
    if (c.timing.how == Timing::How::impossible && !measured(c))
      return fmt::format("{}: never ends when simulated", name_of(c));
    return fmt::format("{}: {}, {}", name_of(c), console::time_text(c.known(), plan.machine),
                       console::slower(c.known(), plan.best().known()));
  };
  if (plan.candidates.size() < 2) return console::print_line(context, "second", "no other algorithm was priced");
  const Candidate& second = plan.candidates[1];
  const Candidate* const other = plan.runner_up();
  console::print_line(context, "second", phrase(second));
  if (other != nullptr && other->algorithm != second.algorithm)
    console::print_line(context, "", "the best other algorithm is " + phrase(*other));
}

/// Answers from the file and for it; a plan that wisdom or nobody has timed adds nothing.
Plan make_plan(const PlanFlags& options, PlanOptions choices, const Task& task, console::Context& context) {
  const bool keeps = !options.wisdom.empty();
  if (keeps && choices.effort == Effort::estimate)
    throw Error(Error::Kind::argument, "--wisdom: estimates are not kept; leave out --effort estimate");
  choices.begun = [&](const Candidate& c) { context.progress(fmt::format("timing {}", name_of(c))); };
  Wisdom wisdom;
  std::error_code ignored;
  if (keeps && std::filesystem::exists(options.wisdom, ignored))
    wisdom = load_wisdom(options.wisdom);
  else if (keeps)
    files::check_writable(options.wisdom);  // before work that would have nowhere to go
  if (keeps) choices.wisdom = &wisdom;
  Plan plan = quadrille::plan(task.spec, task.machine, choices);
  if (keeps && !plan.recalled && plan.possible() && (timed(plan.best()) || measured(plan.best())))
    update_wisdom(options.wisdom, [&](Wisdom& w) {
      w.put({plan.spec, plan.machine, plan.effort, plan.order, plan.network, plan.place},
            {{plan.best().algorithm, plan.best().params}, plan.best().known()});
    });
  return plan;
}

/// Where the time on top comes from.
void print_clock(const Plan& plan, console::Context& context) {
  const Candidate& best = plan.best();
  if (measured(best))
    return console::print_line(context, "",
                               fmt::format("{}measured on {}, a median; its price is {}, made of",
                                           plan.recalled ? "from wisdom, proven again; " : "", plan.place,
                                           console::time_text(best.time, plan.machine)));
  if (timed(best))
    console::print_line(
        context, "",
        fmt::format("{}{}; its price is {}, made of", plan.recalled ? "from wisdom, proven again; " : "",
                    clock_text(best.timing.order, plan.network), console::time_text(best.time, plan.machine)));
  if (best.timing.how == Timing::How::too_large)
    console::print_line(context, "", "its price: it was not simulated, as it sends " + best.timing.why);
}

void print_wisdom(const Plan& plan, const PlanFlags& options, console::Context& context) {
  if (options.wisdom.empty()) return;
  const bool kept = timed(plan.best()) || measured(plan.best());
  console::print_line(context, "wisdom",
                      plan.recalled
                          ? options.wisdom + " had the answer"
                          : fmt::format("{}: {}; {}", options.wisdom, plan.not_recalled,
                                        kept ? "now it has one" : "nothing to keep, for the best was not timed"));
}

void answer(const PlanFlags& options, const PlanOptions& choices, Task task, console::Context& context) {
  const auto begun = std::chrono::steady_clock::now();
  const Plan plan = make_plan(options, choices, task, context);
  const std::optional<Replanned> before = options.quick ? std::nullopt : replanned(plan, choices, begun);
  task.plan = &plan;
  if (options.quick) task.file.given.clear();  // nobody looks what else the machine would be charged for
  if (!plan.possible()) context.status = plan.undecided() ? console::Status::undecided : console::Status::no;
  if (context.json) return print_json(plan, before, task, options.quick, context);
  const std::string head = heading(task);  // a line, and notes that are laid out already
  const std::size_t first = std::min(head.find('\n'), head.size());
  context.print("{}{}\n\n", console::wrapped(head.substr(0, first), 0), head.substr(first));
  print_mistakes(plan, context);
  if (!plan.possible()) return print_refused(plan, true, context);
  const Candidate& best = plan.best();
  context.print("use     {}\n", context.bold(name_of(best)));
  console::print_line(context, "", fmt::format("{} ({})", best.algorithm->summary, best.algorithm->source));
  context.print("time    {}{}\n", context.bold(console::time_text(best.known(), task.machine)),
                best.exact || timed(best) || measured(best) ? "" : " (the closed form is an estimate)");
  print_clock(plan, context);
  print_time(best, task, context);
  console::print_limit(plan.bound, plan.gap(), task.machine, context, measured(plan.best()));
  print_second(plan, context);
  if (before) print_before_failure(*before, context);
  print_wisdom(plan, options, context);
  for (const std::string& fact : facts(plan, options.quick)) console::print_line(context, "note", fact);
  print_assurance(best.assurance, context);
  if (!best.assurance.result.empty()) console::print_line(context, "result", best.assurance.result);
  const std::string prove = command_line("verify", options.request, *best.algorithm, best.params);
  if (prove.find('\'') == std::string::npos)
    console::print_line(context, "prove", prove, " \\");
  else  // what is in quotes cannot be broken
    context.print("prove   {}\n", prove);
  if (options.picture) print_plan_bars(plan, console::unicode_pictures(options.ascii), context);
  print_candidates(plan, options.all, context);
  if (!plan.refused.empty()) context.print("\n");
  print_refused(plan, options.all, context);
}

/// What is measured is performed by all; one plans.
void measure(const PlanFlags& options, PlanOptions choices, console::Context& context) {
  const std::string transport = options.transport.empty() ? usual_transport() : options.transport;
  check_transport(transport);
  choices.seconds = base::parse_number(options.seconds, "--seconds");
  mpi::MpiLibrary* const library = open_transport(transport, context);
  if (!library) return answer(options, choices, read(options.request), context);
  Task task;
  context.quiet = library->rank() != 0;
  context.colour = false;  // as in quadrille run
  const UsedOn use = used_on(*library);
  library->agree([&] {
    check_started(*parse_topology(options.request.topology), *library);
    task = read(options.request);
    task.use = use;
    return heading(task);
  });
  if (library->rank() != 0) return follow(*library, task);
  Leader leader(*library, task.spec);
  choices.place = library->name().starts_with("Open MPI") ? "openmpi" : "mpich";
  choices.run = [&](const Built& built, const RunOptions& how) { return leader.run(built, how); };
  answer(options, choices, task, context);
}

/// The question is checked as if it were answered; the answer is the page's.
void print_link(const PlanFlags& options, console::Context& context) {
  if (context.json)
    throw Error(Error::Kind::argument, "--url prints an address and --json an object; give one of them");
  read(options.request);
  context.print("{}\n", page_link(options.request));
}

void run_plan(const PlanFlags& options, console::Context& context) {
  if (options.url) return print_link(options, context);
  const Effort usual = options.wisdom.empty() ? Effort::estimate : Effort::simulate;
  PlanOptions choices = read(options.clock, usual, PlanOptions{}.messages, true);
  choices.proof = options.quick ? 0 : console::proof_visits;
  choices.quick = options.quick;
  if (options.quick && choices.effort != Effort::estimate)
    throw Error(Error::Kind::argument, "--quick ranks by price alone; leave out --effort and --wisdom");
  if (choices.effort == Effort::measure) return measure(options, choices, context);
  if (!options.transport.empty())
    throw Error(Error::Kind::argument, "--transport: nothing is measured without --effort measure");
  answer(options, choices, read(options.request), context);
}

}  // namespace

void add_plan(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<PlanFlags>();
  CLI::App& command = console::add_command(
      app, context, "plan", "What to use, how long it takes, how far from the limit, and why",
      {"quadrille plan alltoall hypercube:6 --machine ipsc860 --bytes 32",
       "quadrille plan allgather torus:4x4 --bytes 4KiB --effort simulate",
       "mpirun -n 8 quadrille plan bcast ring:8 --bytes 64KiB --machine here.toml --effort measure"});
  add_request(command, options->request, Needs::no_algorithm);
  add_clock(command, options->clock, PlanOptions{}.messages, "in all", true);
  command
      .add_option(
          "--transport", options->transport,
          "Of --effort measure: mpi, the processes that mpirun has started, the default under it; openmpi, mpich; "
          "threads, the default otherwise")
      ->type_name("NAME");
  command.add_option("--seconds", options->seconds, "After which --effort measure begins no further turn; default 10")
      ->type_name("S");
  command
      .add_option("--wisdom", options->wisdom,
                  "Keep simulated or measured answers in this file, and take them from there once they are proven "
                  "again; implies "
                  "--effort simulate unless another is given")
      ->type_name("FILE");
  command.add_flag("--quick", options->quick,
                   "A first answer: proves nothing, searches for no schedules, and counts no prices for long; the best "
                   "of all may be among what is left out");
  command.add_flag("--all", options->all, "Every candidate and all that is known of it, and why the others cannot run");
  command.add_flag("--url", options->url,
                   "Nothing is planned; prints the address of the question in the page that plans in a browser");
  command.add_flag("--picture", options->picture, "Prices as bars, with what their time goes to");
  console::add_ascii(command, options->ascii);
  command.callback([options, &context] { run_plan(*options, context); });
}

}  // namespace quadrille::cli
