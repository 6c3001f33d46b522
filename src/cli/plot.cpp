// quadrille plot: one picture for a paper or a slide, as SVG or PNG.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/parts/plot_charts.hpp"
#include "files/file.hpp"

namespace quadrille::cli {

namespace {

struct PlotFlags {
  Source source;
  std::string what, out;
};

/// A file in memory: a program may read and write it in any order, and it leaves nothing behind.
class Scratch {
 public:
  Scratch() : file_(::memfd_create("quadrille-plot", MFD_CLOEXEC)) { check(file_ >= 0); }
  ~Scratch() { ::close(file_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  int file() const { return file_; }
  void put(const std::string& content) {
    check(::pwrite(file_, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()));
  }
  std::string content() const {
    std::string text(static_cast<std::size_t>(::lseek(file_, 0, SEEK_END)), '\0');
    check(::pread(file_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    return text;
  }

 private:
  static void check(bool fine) {
    if (!fine) throw Error(Error::Kind::budget, "plot: no memory for the picture");
  }
  int file_;
};

/// By rsvg-convert, which Debian has in librsvg2-bin.
std::string png_of(const std::string& picture) {
  Scratch in, out;
  in.put(picture);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::dup2(in.file(), STDIN_FILENO) >= 0 && ::dup2(out.file(), STDOUT_FILENO) >= 0)
      ::execlp("rsvg-convert", "rsvg-convert", "--zoom", "2", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = -1;
  const bool ran = child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status);
  if (ran && WEXITSTATUS(status) == 0) return out.content();
  throw Error(Error::Kind::argument,
              ran && WEXITSTATUS(status) == 127
                  ? "plot: PNG needs rsvg-convert, which is not there (Debian: librsvg2-bin); an .svg needs nothing"
                  : "plot: rsvg-convert failed");
}

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
  const bool png = options.out.ends_with(".png");
  if (!png && !options.out.ends_with(".svg") && !files::is_standard_output(options.out))
    throw Error(Error::Kind::argument,
                fmt::format("plot: -o '{}': expected a file that ends in .svg or .png, or - for SVG to standard output",
                            options.out));
  context.will_write(options.out);
  const std::string what = picture_of(options);
  const std::string picture = what == "winners"  ? formats::svg(winners_map(sweep_of(options)))
                              : what == "rounds" ? formats::svg(rounds_chart(read(options.source)))
                                                 : formats::svg(sizes_chart(read(options.source)));
  files::write_file(options.out, png ? png_of(picture) : picture);
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
      .add_option("-o,--out", options->out, "The file, .svg or .png (by rsvg-convert); - for SVG to standard output")
      ->required()
      ->type_name("FILE");
  command.callback([options, &context] { run_plot(*options, context); });
}

}  // namespace quadrille::cli
