// quadrille plot: one picture for a paper or a slide, as SVG or PNG.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/text.hpp"
#include "cli/json.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "export/file.hpp"
#include "export/svg.hpp"
#include "quadrille/price.hpp"
#include "report/measured.hpp"
#include "report/sizes.hpp"

namespace quadrille::cli {

namespace {

struct Options {
  Request request;
  std::string what = "sizes", out, measured;
};

std::string heading_of(const Task& task) {
  return fmt::format("{} on {}, machine {}", to_string(task.spec.collective), task.spec.topology->text(),
                     task.machine.name);
}

/// Time against size for every algorithm, with the limit as a band and what was measured as a line of its own.
Chart sizes_chart(const Task& task, const Options& options) {
  const Plan plan = quadrille::plan(task.spec, task.machine);
  const SizeSeries sizes = size_series(plan);
  const std::string unit = counts_units(task.machine) ? "time, start-ups + bytes" : "time, s";
  Chart chart{.title = heading_of(task),
              .subtitle = "every algorithm at its best parameters; the pale band is the limit no schedule beats",
              .x = {.label = "block size, bytes", .scale = Chart::Scale::log2},
              .y = {.label = unit, .scale = Chart::Scale::log10},
              .series = {},
              .markers = {}};
  Chart::Series limit{.name = "limit", .points = {}, .band = true};
  for (std::size_t i = 0; i < sizes.bytes.size(); ++i)
    limit.points.emplace_back(static_cast<double>(sizes.bytes[i]), sizes.limit[i]);
  chart.series.push_back(std::move(limit));
  for (const SizeSeries::Line& line : sizes.lines) {
    Chart::Series series{.name = std::string(line.algorithm->name), .points = {}};
    for (std::size_t i = 0; i < sizes.bytes.size(); ++i)
      series.points.emplace_back(static_cast<double>(sizes.bytes[i]), line.time[i]);
    chart.series.push_back(std::move(series));
  }
  std::map<std::string, Chart::Series> measured;
  if (!options.measured.empty())
    for (const Measurement& m : read_measurements(options.measured)) {
      Chart::Series& series = measured[m.label.empty() ? "measured" : m.label];
      series.name = m.label.empty() ? "measured" : m.label;
      series.points.emplace_back(m.bytes, m.time);
    }
  for (auto& [name, series] : measured) {
    std::sort(series.points.begin(), series.points.end());
    chart.series.push_back(std::move(series));
  }
  for (const SizeSeries::Threshold& t : sizes.thresholds)
    chart.markers.push_back({static_cast<double>(t.from), fmt::format("{}: {}", format_bytes(t.from), t.above->name)});
  return chart;
}

/// Bytes and messages on the busiest link, round by round.
Chart rounds_chart(const Task& task, const Options& options) {
  Choice choice;
  if (options.request.algorithm.empty()) {
    const Plan plan = quadrille::plan(task.spec, task.machine);
    if (!plan.possible())
      throw Error(Error::Kind::illegal,
                  fmt::format("plot rounds: nothing can run here; '{}' says why", why_not_line(options.request)));
    choice = {plan.best().algorithm, plan.best().params};
  } else {
    choice = parse_choice(options.request.algorithm);
  }
  const Built built = build(task.spec, task.machine, choice);
  std::vector<RoundTraffic> rounds;
  count(task.spec, task.machine, *built.schedule, &rounds);
  Chart chart{.title = heading_of(task),
              .subtitle = to_text(*built.choice.algorithm, built.choice.params) +
                          ": what a round is charged for, and its largest message",
              .x = {.label = "round"},
              .y = {.label = "bytes", .low = 0},
              .series = {{.name = "busiest link or port", .points = {}}, {.name = "largest message", .points = {}}},
              .markers = {}};
  for (const RoundTraffic& r : rounds) {
    const auto at = static_cast<double>(r.round);
    for (const double x : {at + 0.5, at + 1.5}) {  // a step as wide as its round, which people count from 1
      chart.series[0].points.emplace_back(x, static_cast<double>(r.busiest));
      chart.series[1].points.emplace_back(x, static_cast<double>(r.largest));
    }
  }
  return chart;
}

/// By rsvg-convert, which Debian has in librsvg2-bin.
void write_png(const std::string& path, const std::string& picture) {
  const std::string svg_path = path + ".svg.tmp", png_path = path + ".tmp";
  write_file(svg_path, picture);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execlp("rsvg-convert", "rsvg-convert", "--zoom", "2", "--output", png_path.c_str(), svg_path.c_str(),
             static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = -1;
  const bool ran = child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status);
  std::filesystem::remove(svg_path);
  if (ran && WEXITSTATUS(status) == 0) return std::filesystem::rename(png_path, path);
  std::error_code ignored;
  std::filesystem::remove(png_path, ignored);
  throw Error(Error::Kind::argument,
              ran && WEXITSTATUS(status) == 127
                  ? fmt::format("plot '{}': PNG needs rsvg-convert, which is not there (Debian: librsvg2-bin); an .svg "
                                "needs nothing",
                                path)
                  : fmt::format("plot '{}': rsvg-convert failed", path));
}

void run(const Options& options, Context& context) {
  const bool png = options.out.ends_with(".png");
  if (!png && !options.out.ends_with(".svg"))
    throw Error(Error::Kind::argument,
                fmt::format("plot: -o '{}': expected a file that ends in .svg or .png", options.out));
  if (options.what != "sizes" && options.what != "rounds")
    unknown_name("--what", options.what, "picture", {"rounds", "sizes"});
  const Task task = read(options.request);
  const std::string picture = svg(options.what == "sizes" ? sizes_chart(task, options) : rounds_chart(task, options));
  if (png)
    write_png(options.out, picture);
  else
    write_file(options.out, picture);
  if (context.json) return context.print_json({{"file", options.out}, {"picture", options.what}});
  context.print("plot    {}\n", options.out);
}

}  // namespace

void add_plot(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App& command = add_command(
      app, context, "plot", "One picture for a paper or a slide: time against size, or what the rounds carry",
      {"quadrille plot alltoall hypercube:6 --machine ipsc860 -o sizes.svg",
       "quadrille plot alltoall hypercube:4 --algorithm alltoall_mce:phases=2,2 --what rounds -o rounds.png"});
  add_request(command, options->request, Needs::maybe_algorithm, "localhost", "threads of this computer");
  command
      .add_option("--what", options->what,
                  "sizes: time of every algorithm against block size (default); rounds: bytes by round")
      ->type_name("PICTURE");
  command.add_option("-o,--out", options->out, "The file, .svg or .png (by rsvg-convert)")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--measured", options->measured, "Times to draw beside: a CSV file of lines bytes,seconds[,label]")
      ->type_name("FILE.csv");
  command.callback([options, &context] { run(*options, context); });
}

}  // namespace quadrille::cli
