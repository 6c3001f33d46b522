// quadrille report: a plan as one HTML file that opens anywhere, with its schedule in motion.
#include "quadrille/report.hpp"

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/options/from.hpp"
#include "cli/parts/machine_notes.hpp"
#include "cli/parts/plan_facts.hpp"
#include "cli/parts/plan_table.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "files/file.hpp"

namespace quadrille::cli {

namespace {

struct ReportFlags {
  Source source;
  std::string out;
};

/// The line that makes the report again.
std::string command_of(const ReportFlags& options) {
  return "quadrille report" + words(options.source) + " -o " +
         (options.out.empty() ? "report.html" : shell_quoted(options.out));
}

/// What is asked for by name, proven; no algorithm when nothing is.
Candidate candidate_of(const Plan& plan, const Choice& choice) {
  if (choice.algorithm == nullptr) return {};
  const Built built = build(plan.spec, plan.machine, choice);
  Candidate c{built.choice.algorithm, built.choice.params, built.formula,
              seconds(built.formula, plan.machine, *plan.spec.topology), built.claims.exact};
  c.assurance = assure(plan.spec, plan.machine, built.choice, console::proof_visits);
  return c;
}

void run_report(const ReportFlags& options, console::Context& context) {
  if (options.out.empty() && !context.json)
    throw Error(Error::Kind::argument, "report: where to? expected -o FILE.html (or --json for its data)");
  context.will_write(options.out);
  Subject subject = read(options.source);
  Task& task = subject.task;
  const Plan plan = quadrille::plan(task.spec, task.machine, {.proof = console::proof_visits});
  task.plan = &plan;
  ReportOptions report;
  report.command = command_of(options);
  report.choice = subject.choice;
  report.measured = subject.times;
  report.notes = notes(task);
  if (const std::string on = words_of(task.file.measured); !on.empty())
    report.notes.push_back(fmt::format("the constants of {} were measured {}", task.machine.name, on));
  if (plan.possible())
    for (std::string& fact : facts(plan, false)) report.notes.push_back(std::move(fact));
  report.notes.insert(report.notes.end(), subject.notes.begin(), subject.notes.end());
  if (!plan.possible()) context.status = plan.undecided() ? console::Status::undecided : console::Status::no;
  const Candidate shown = candidate_of(plan, subject.choice);
  if (shown.assurance.fails()) context.status = console::Status::no;
  context.progress("writing the report");
  const std::string document = report_document(plan, report);
  if (!options.out.empty()) {
    const std::string page = report_page(document);
    files::write_file(options.out, page);
    if (!context.json) {
      context.print("{}\n", heading(task));
      print_mistakes(plan, context);
      if (plan.possible()) {
        context.print("use     {}: {}\n", context.bold(name_of(plan.best())),
                      console::time_text(plan.best().time, task.machine));
        print_assurance(plan.best().assurance, context);
      }
      if (shown.algorithm != nullptr) {
        context.print("shown   {}: {}\n", name_of(shown), console::time_text(shown.time, task.machine));
        print_assurance(shown.assurance, context);
      }
      context.print("report  {} ({}, opens in any browser)\n", options.out,
                    base::format_bytes(static_cast<Bytes>(page.size())));
    }
  }
  if (context.json) context.out += document + "\n";
}

}  // namespace

void add_report(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<ReportFlags>();
  CLI::App& command = console::add_command(
      app, context, "report", "A plan as one HTML file: the answer, its schedule in motion, and why not the others",
      {"quadrille report alltoall hypercube:6 --machine ipsc860 --bytes 32 -o exchange.html",
       "quadrille report allgather torus:8x8 --bytes 4KiB -o allgather.html",
       "quadrille report alltoall hypercube:4 --from out.csv -o sweep.html"});
  add_source(command, options->source);
  command
      .add_option("-o,--out", options->out, "The file to write, - for standard output; --json prints the data in it")
      ->type_name("FILE.html");
  command.callback([options, &context] { run_report(*options, context); });
}

}  // namespace quadrille::cli
