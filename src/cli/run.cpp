// quadrille run: the schedule on real data, every byte checked, the time beside what the machine's constants predict.
// Ranks are threads, or processes that an MPI has started, of which rank 0 answers.
#include "quadrille/run.hpp"

#include "algorithm/from_file.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options/clock.hpp"
#include "cli/options/transport.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"

namespace quadrille::cli {

namespace {

struct RunFlags {
  Request request;
  std::string repeat = "5", seed = "1", transport = "threads", segment, send;
  bool trace = false;
};

/// Proofs before a run may take a moment, not a minute.
constexpr std::int64_t quick_slots = std::int64_t{1} << 24, quick_visits = std::int64_t{1} << 26;

struct RunOutcome {
  Task task;
  Built built;
  Proof proof;
  Sending sending;
  std::string unproven;  ///< why no proof was tried to the end
  RunResult result;
  std::string mpi;  ///< the library that moved the data; empty: threads did
  Seconds prediction = 0;
  double ratio() const { return prediction > 0 ? result.median / prediction : 0; }
};

void prove(RunOutcome& o, console::Context& context) {
  const VerifyBudget budget{.slots = quick_slots, .visits = quick_visits, .progress = context.progress_of("proving")};
  try {
    o.proof = verify(o.task.spec, o.task.machine, *o.built.schedule, o.built.claims, budget);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    o.unproven = error.what();
  }
}

/// By the count of the schedule's messages, where that is quick: closed forms say of some things only how much they are
/// at most.
Seconds predicted(const RunOutcome& o) {
  const auto time = [&](const Cost& cost) { return seconds(cost, o.task.machine, *o.task.spec.topology); };
  try {
    return time(count(o.task.spec, o.task.machine, *o.built.schedule, nullptr, {.visits = quick_visits}).cost);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    return time(o.built.formula);
  }
}

Json result_json(const RunOutcome& o) {
  const RunResult& r = o.result;
  Json json{{"transport", o.mpi.empty() ? "threads" : "mpi"},
            {"mpi", o.mpi.empty() ? Json(nullptr) : Json(o.mpi)},
            {"cores", r.cores},
            {"order", to_string(o.sending.order)},
            {"measured_s", r.median},
            {"least_s", r.least},
            {"most_s", r.most},
            {"messages", r.messages},
            {"moved_bytes", r.moved},
            {"permuted_bytes", r.permuted},
            {"combined_bytes", r.combined},
            {"checked_bytes", r.checked},
            {"price_s", o.prediction},
            {"measured_over_price", o.ratio()}};
  json["trace"] = Json::array();
  for (const RunResult::RoundTime& t : r.trace)
    json["trace"].push_back({{"round", t.round}, {"begin_s", t.begin}, {"end_s", t.end}});
  return json;
}

void print_json(const RunOutcome& o, int repetitions, console::Context& context) {
  Json json = json_of(o.task);
  json.update(json_of(*o.built.choice.algorithm, o.built.choice.params));
  json["proven"] = o.proof.holds;
  json["unproven"] = o.unproven.empty() ? Json(nullptr) : Json(o.unproven);
  json["repetitions"] = repetitions;
  json.update(result_json(o));
  context.print_json(json);
}

void print_trace(const RunResult& r, console::Context& context) {
  context.print("\nround by round, since the run's start\n");
  console::Table table({{"round", console::Table::right},
                        {"first in", console::Table::right},
                        {"last out", console::Table::right},
                        {"took", console::Table::right}});
  for (const RunResult::RoundTime& t : r.trace)
    table.add({std::to_string(t.round), base::format_seconds(t.begin), base::format_seconds(t.end),
               base::format_seconds(t.end - t.begin)});
  table.print(context);
}

void print_text(const RunOutcome& o, int repetitions, console::Context& context) {
  const RunResult& r = o.result;
  const auto row = [&](std::string_view name, const std::string& text) {
    context.print("{:<10} {}\n", name, console::wrapped(text, 11));
  };
  context.print("{}\n\n", heading(o.task));
  row("algorithm", context.bold(to_text(*o.built.choice.algorithm, o.built.choice.params)));
  row("proven", o.proof.holds ? std::string(o.proof.by_symmetry ? "yes, by symmetry" : "yes, rank by rank")
                              : "not before the run: " + o.unproven);
  row("ran", o.mpi.empty() ? fmt::format("{} on {}", console::some(r.ranks, "thread"), console::some(r.cores, "core"))
                           : fmt::format("{} processes, {}", base::format_count(o.task.spec.topology->nodes()), o.mpi));
  if (o.sending.order == Order::dataflow) row("sent", send_text(o.sending));
  row("checked",
      fmt::format("{}: all of the {} compared are right", context.good("yes"), base::format_bytes(r.checked)));
  row("moved", fmt::format("{} in {} from rank to rank, {} within ranks", base::format_bytes(r.moved),
                           console::some(r.messages, "message"), base::format_bytes(r.permuted)));
  if (combines(o.task.spec)) row("combined", base::format_bytes(r.combined) + " of results, over all ranks");
  row("time",
      fmt::format("{}, the median of {} ({} to {})", context.bold(base::format_seconds(r.median)),
                  console::some(repetitions, "run"), base::format_seconds(r.least), base::format_seconds(r.most)));
  row("predicted",
      fmt::format("{} by the constants of {}{}", base::format_seconds(o.prediction), o.task.machine.name,
                  o.prediction > 0 ? fmt::format("; measured / predicted = {}", base::format_ratio(o.ratio())) : ""));
  if (o.mpi.empty() && r.ranks > r.cores)
    row("note", fmt::format("{} share {}, while the prediction gives every rank a core of its own",
                            console::some(r.ranks, "thread"), console::some(r.cores, "core")));
  if (!r.trace.empty()) print_trace(r, context);
}

/// What every rank needs; the proof and the prediction are rank 0's, which says so to the others by an error or none.
void prepare(RunOutcome& o, const RunFlags& options, bool first, console::Context& context) {
  const UsedOn use = o.task.use;
  o.task = read(options.request);
  o.task.use = use;
  o.built = build(o.task.spec, o.task.machine, parse_choice(options.request.algorithm));
  o.sending = read_send(options.send, o.task.spec, o.task.machine, o.built.choice);
  if (!first) return;
  if (const std::string why = algorithm::unprovable(o.built.choice); !why.empty())
    throw Error(Error::Kind::illegal, why);
  prove(o, context);
  // A file's slots may lie outside of a rank's own buffers, which a proof finds.
  if (algorithm::is_from_file(*o.built.choice.algorithm) && !o.unproven.empty())
    throw Error(Error::Kind::budget,
                fmt::format("{} is not run unproven: {}", to_text(*o.built.choice.algorithm, o.built.choice.params),
                            o.unproven));
  if (const auto& wrong = o.proof.counterexample)
    throw Error(Error::Kind::transport,
                fmt::format("{} is not run, because it is wrong: {}", o.built.choice.algorithm->name, wrong->text));
  o.prediction = predicted(o);
}

void run_processes(RunOutcome& o, const RunFlags& options, RunOptions how, mpi::MpiLibrary& library,
                   console::Context& context) {
  Bytes segment = 0;
  context.quiet = library.rank() != 0;
  context.colour = false;  // Open MPI gives its processes a terminal, whoever reads them in the end
  o.task.use = used_on(library);
  library.agree([&] {
    segment = parse_segment(options.segment);
    check_started(*parse_topology(options.request.topology), library);
    prepare(o, options, library.rank() == 0, context);
    return fmt::format("{} by {}", heading(o.task), to_text(*o.built.choice.algorithm, o.built.choice.params));
  });
  o.mpi = library.name();
  how.order = o.sending.order;
  o.result = library.run(o.task.spec, *o.built.schedule, how, segment);
}

void run_run(const RunFlags& options, console::Context& context) {
  const bool together = options.transport != "threads";
  context.quiet = together && context.echo;  // what is wrong with the words is wrong everywhere
  check_transport(options.transport);
  const int repetitions = static_cast<int>(base::parse_integer(options.repeat, 1, 1'000'000, "--repeat"));
  const auto seed = static_cast<std::uint64_t>(base::parse_integer(options.seed, 0, std::int64_t{1} << 62, "--seed"));
  RunOptions how{.repetitions = repetitions, .trace = options.trace, .seed = seed};
  context.quiet = false;
  mpi::MpiLibrary* const library = open_transport(options.transport, context);
  RunOutcome outcome;
  if (library) {
    run_processes(outcome, options, how, *library, context);
  } else {
    outcome.task.use.transport = "threads";
    prepare(outcome, options, true, context);
    context.progress("running");
    how.order = outcome.sending.order;
    outcome.result = run_threads(outcome.task.spec, *outcome.built.schedule, how);
  }
  if (context.json) return print_json(outcome, repetitions, context);
  print_text(outcome, repetitions, context);
}

}  // namespace

void add_run(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<RunFlags>();
  CLI::App& command =
      console::add_command(app, context, "run", "Move real data between threads or over MPI, check every byte, time it",
                           {"quadrille run alltoall hypercube:3 --bytes 4KiB --algorithm alltoall_mce:phases=1,2",
                            "mpirun -n 8 quadrille run alltoall hypercube:3 --transport mpi --algorithm alltoall_mce"});
  add_request(command, options->request, Needs::algorithm);
  command.add_option("--repeat", options->repeat, "Timed runs after the checked one; default 5; the median counts")
      ->type_name("N");
  command
      .add_option(
          "--transport", options->transport,
          "threads: one per rank, of this process, the default; mpi: the processes that mpirun has started, one "
          "per rank, whichever of Open MPI and MPICH it was; openmpi, mpich: that one")
      ->type_name("NAME");
  command
      .add_option("--segment", options->segment,
                  "Over MPI, longer messages travel in pieces of this; 0: whole; default whole within a host, else 14 "
                  "KiB, below the handshakes of MPIs")
      ->type_name("SIZE");
  add_send(command, options->send);
  command.add_option("--seed", options->seed, "Of the data; default 1")->type_name("N");
  command.add_flag("--trace", options->trace, "When each round began and ended");
  command.callback([options, &context] {
    if (options->request.machine.by_default) options->request.machine.name = default_machine;  // whatever the network
    run_run(*options, context);
  });
}

}  // namespace quadrille::cli
