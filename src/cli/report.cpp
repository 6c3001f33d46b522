// quadrille report: a plan as one HTML file that opens anywhere, with its schedule in motion.
#include "quadrille/report.hpp"

#include "base/text.hpp"
#include "cli/plan_facts.hpp"
#include "cli/request.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "export/file.hpp"
#include "report/measured.hpp"

namespace quadrille::cli {

namespace {

struct Options {
  Request request;
  std::string out, measured;
};

/// The line that makes the report again.
std::string command_of(const Options& options) {
  const Request& r = options.request;
  std::string line = fmt::format("quadrille report {} {} --bytes {} --machine {}", shell_quoted(r.collective),
                                 shell_quoted(r.topology), shell_quoted(r.bytes), shell_quoted(r.machine.name));
  const auto add = [&](std::string_view option, const std::string& value) {
    if (!value.empty()) line += fmt::format(" {} {}", option, shell_quoted(value));
  };
  for (const std::string& assignment : r.machine.assignments) add("--set", assignment);
  add("--root", r.root);
  add("--target", r.target);
  add("--sources", r.sources);
  add("--algorithm", r.algorithm);
  add("--measured", options.measured);
  return line + " -o " + (options.out.empty() ? "report.html" : shell_quoted(options.out));
}

void run(const Options& options, Context& context) {
  if (options.out.empty() && !context.json)
    throw Error(Error::Kind::argument, "report: where to? expected -o FILE.html (or --json for its data)");
  const Task task = read(options.request);
  const Plan plan = quadrille::plan(task.spec, task.machine);
  ReportOptions report;
  report.command = command_of(options);
  if (!options.request.algorithm.empty()) report.choice = parse_choice(options.request.algorithm);
  if (!options.measured.empty()) report.measured = read_measurements(options.measured);
  if (plan.possible()) report.notes = facts(plan);
  if (!plan.possible()) context.status = Status::no;
  context.progress("writing the report");
  const std::string document = report_document(plan, report);
  if (!options.out.empty()) {
    const std::string page = report_page(document);
    write_file(options.out, page);
    if (!context.json) {
      context.print("{}\n", heading(task));
      if (plan.possible())
        context.print("use {}: {}\n", context.bold(to_text(*plan.best().algorithm, plan.best().params)),
                      time_text(plan.best().time, task.machine));
      context.print("report  {} ({}, opens in any browser)\n", options.out,
                    format_bytes(static_cast<Bytes>(page.size())));
    }
  }
  if (context.json) context.out += document + "\n";
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App& command = add_command(
      app, context, "report", "A plan as one HTML file: the answer, its schedule in motion, and why not the others",
      {"quadrille report alltoall hypercube:6 --machine ipsc860 --bytes 32 -o exchange.html",
       "quadrille report allgather torus:8x8 --bytes 4KiB -o allgather.html"});
  add_request(command, options->request, Needs::maybe_algorithm, "localhost", "threads of this computer");
  command.add_option("-o,--out", options->out, "The file to write; --json prints the data in it")
      ->type_name("FILE.html");
  command
      .add_option("--measured", options->measured,
                  "Times taken elsewhere, drawn beside the prices: a CSV file of lines bytes,seconds[,label]")
      ->type_name("FILE.csv");
  command.callback([options, &context] { run(*options, context); });
}

}  // namespace quadrille::cli
