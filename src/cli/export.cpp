// quadrille export: a schedule in the form of another tool.
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options/clock.hpp"
#include "cli/options/request.hpp"
#include "console/words.hpp"
#include "files/file.hpp"
#include "formats/table.hpp"

namespace quadrille::cli {

namespace {

struct ExportFlags {
  std::string format;
  Request request;
  ClockOptions clock;
  std::string out, send;
};

/// The algorithm asked for, or the planner's.
Choice choose(const ExportFlags& options, const Task& task) {
  if (!options.request.algorithm.empty()) {
    if (!options.clock.order.empty())
      throw Error(
          Error::Kind::argument,
          "--order: with --algorithm no candidates are simulated; expected --send data or --send rounds for the "
          "order of what is written");
    return parse_choice(options.request.algorithm);
  }
  const Plan best = plan(task.spec, task.machine, read(options.clock, Effort::estimate, PlanOptions{}.messages));
  if (!best.possible())
    throw Error(Error::Kind::illegal,
                fmt::format("no algorithm can run here; '{}' says why", why_not_line(options.request)));
  return {best.best().algorithm, best.best().params};
}

/// One file, or where the form has one for each rank NAME.0.et, NAME.1.et and so on. Returns the messages.
std::int64_t write_files(const formats::Format& format, const formats::ScheduleJob& job, const std::string& path) {
  if (const auto* writer = std::get_if<formats::ScheduleWriter>(&format.writer)) {
    files::FileWriter file(path);
    const std::int64_t messages = (*writer)(job, [&](std::string_view text) { file.write(text); });
    file.commit();
    return messages;
  }
  const auto writer = std::get<formats::RankScheduleWriter>(format.writer);
  std::int64_t messages = 0;
  for (Rank r = 0; r < job.spec.ranks(); ++r) {
    files::FileWriter file(fmt::format("{}.{}{}", path, r, format.ending));
    messages += writer(job, r, [&](std::string_view text) { file.write(text); });
    file.commit();
  }
  return messages;
}

/// Refuses at once what cannot be written.
void check_path(const formats::Format& format, const std::string& path, console::Context& context) {
  if (!std::holds_alternative<formats::RankScheduleWriter>(format.writer)) return context.will_write(path);
  if (files::is_standard_output(path))
    throw Error(Error::Kind::argument,
                fmt::format("--out: {} has a file for each rank; expected a name such as out, for out.0{}", format.name,
                            format.ending));
  context.will_write(fmt::format("{}.0{}", path, format.ending));
}

void run_export(const ExportFlags& options, console::Context& context) {
  const formats::Format format = formats::by_name(formats::Content::schedule, options.format);
  const Task task = read(options.request);
  const std::string path = options.out.empty() ? "-" : options.out;
  check_path(format, path, context);
  const Built built = build(task.spec, task.machine, choose(options, task));
  const Sending sending = read_send(options.send, task.spec, task.machine, built.choice, options.clock.network);
  const std::int64_t messages = write_files(
      format, {task.spec, *built.schedule, sending.order, to_text(*built.choice.algorithm, built.choice.params)}, path);
  if (context.json) {
    Json json = json_of(task);
    json.update(json_of(*built.choice.algorithm, built.choice.params));
    json["format"] = options.format;
    json["file"] = path;
    json["messages"] = messages;
    json["order"] = to_string(sending.order);
    return context.print_json(json);
  }
  if (path == "-") return;
  const bool several = std::holds_alternative<formats::RankScheduleWriter>(format.writer);
  const std::string name =
      several ? fmt::format("{0}.0{1} to {0}.{2}{1}", path, format.ending, task.spec.ranks() - 1) : path;
  context.print("{}\n\nwrote   {}: {}, {}\n", heading(task), name,
                to_text(*built.choice.algorithm, built.choice.params), console::some(messages, "message"));
  console::print_line(context, "sent", send_text(sending));
  if (!format.use.empty()) console::print_line(context, "play", format.use);
}

}  // namespace

void add_export(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<ExportFlags>();
  CLI::App& command = console::add_command(
      app, context, "export", "A schedule in the form of another tool",
      {"quadrille export smpi alltoall torus:4x4 --bytes 1KiB -o alltoall.ti",
       "quadrille export json allgather torus:4x4 --bytes 1KiB -o allgather.json",
       "quadrille export mscclpp allreduce dgx-h100:1 --bytes 16MiB -o allreduce.mscclpp.json",
       "quadrille export chakra allreduce ring:8 --bytes 1MiB -o allreduce",
       "quadrille export smpi bcast ring:8 --bytes 64KiB --algorithm bcast_chain:packets=8 -o bcast.ti"});
  command.add_option("FORMAT", options->format, formats::names_text(formats::Content::schedule))
      ->required()
      ->type_name("NAME");
  add_request(command, options->request, Needs::maybe_algorithm);
  add_clock(command, options->clock, PlanOptions{}.messages, "in all");
  add_send(command, options->send);
  command
      .add_option("-o,--out", options->out,
                  "The file to write; - is standard output, the default. chakra: how the "
                  "names of its files begin")
      ->type_name("FILE");
  command.callback([options, &context] { run_export(*options, context); });
}

}  // namespace quadrille::cli
