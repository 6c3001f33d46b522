// quadrille plot: one picture for a paper or a slide, as SVG or PNG.
#include <algorithm>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/parts/plot_charts.hpp"
#include "files/file.hpp"
#include "formats/table.hpp"

namespace quadrille::cli {

namespace {

struct PlotFlags {
  Source source;
  std::string what, out;
};

SweepAnswer sweep_of(const PlotFlags& options) {
  if (options.source.from.size() == 1)
    if (report::FinishedFile file = report::read_answers(options.source.from.front()); file.sweep)
      return *std::move(file.sweep);
  throw Error(Error::Kind::argument, "plot --what winners: expected --from with the file of one sweep");
}

/// By --what; without it a sweep of several networks shows who wins.
std::string picture_of(const PlotFlags& options) {
  if (options.what.empty()) {
    if (options.source.from.size() != 1 || !options.source.request.topology.empty()) return "sizes";
    const report::FinishedFile file = report::read_answers(options.source.from.front());
    const auto several = [](const SweepAnswer& sweep) {
      return sweep.points.front().topology->text() != sweep.points.back().topology->text();
    };
    return file.sweep && several(*file.sweep) ? "winners" : "sizes";
  }
  const std::vector<std::string> known{"rounds", "sizes", "winners"};
  if (std::find(known.begin(), known.end(), options.what) == known.end())
    base::unknown_name("--what", options.what, "picture", known);
  return options.what;
}

void run_plot(const PlotFlags& options, console::Context& context) {
  const formats::Format format = formats::by_ending(formats::Content::picture, options.out, "plot: -o");
  context.will_write(options.out);
  const std::string what = picture_of(options);
  const std::string picture = what == "winners"  ? formats::svg(winners_map(sweep_of(options)))
                              : what == "rounds" ? formats::svg(rounds_chart(read(options.source)))
                                                 : formats::svg(sizes_chart(read(options.source)));
  files::write_file(options.out, std::get<formats::PictureWriter>(format.writer)(picture));
  if (context.json) return context.print_json({{"file", options.out}, {"picture", what}});
  context.print("plot    {}\n", options.out);
}

}  // namespace

void add_plot(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<PlotFlags>();
  CLI::App& command = console::add_command(
      app, context, "plot",
      "One picture for a paper or a slide: time against size, what rounds carry, who wins a sweep",
      {"quadrille plot alltoall hypercube:6 --machine ipsc860 -o sizes.svg",
       "quadrille plot alltoall hypercube:4 --algorithm alltoall_mce:phases=2,2 --what rounds -o rounds.svg",
       "quadrille plot --from out.csv -o winners.svg"});
  add_source(command, options->source);
  command
      .add_option("--what", options->what,
                  "sizes: time of every algorithm against block size (default); rounds: bytes by round; winners: who "
                  "wins a sweep (default for one of several networks)")
      ->type_name("PICTURE");
  command
      .add_option("-o,--out", options->out,
                  fmt::format("The file, {}; - for {} to standard output",
                              formats::endings_text(formats::Content::picture, " or "),
                              formats::default_name(formats::Content::picture)))
      ->required()
      ->type_name("FILE");
  command.callback([options, &context] { run_plot(*options, context); });
}

}  // namespace quadrille::cli
