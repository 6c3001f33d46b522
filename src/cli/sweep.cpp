// quadrille sweep: every algorithm over many sizes and shapes; who wins where, and what one choice for all costs.
#include "quadrille/sweep.hpp"

#include <algorithm>
#include <csignal>
#include <thread>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options/clock.hpp"
#include "cli/options/request.hpp"
#include "cli/options/shapes.hpp"
#include "cli/parts/machine_notes.hpp"
#include "cli/parts/sweep_picture.hpp"
#include "cli/parts/sweep_table.hpp"
#include "collective/traits.hpp"
#include "console/picture.hpp"
#include "console/words.hpp"
#include "files/file.hpp"
#include "formats/table.hpp"
#include "sweeps/row.hpp"

namespace quadrille::cli {

namespace {

struct SweepFlags {
  Request request;
  std::vector<std::string> topologies;
  std::string ranks, algorithms = "all", threads, out;
  ClockOptions clock;
  bool force = false, picture = false, ascii = false;
};

std::atomic<bool> asked_to_stop = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // it is set in a signal handler

/// While it lives the first SIGINT or SIGTERM asks the sweep to stop; the second ends the program.
class StopOnSignal {
 public:
  StopOnSignal() {
    asked_to_stop = false;
    struct sigaction action {};
    action.sa_handler = [](int) { asked_to_stop = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigaction(SIGINT, &action, &old_[0]);
    sigaction(SIGTERM, &action, &old_[1]);
  }
  ~StopOnSignal() {
    sigaction(SIGINT, &old_[0], nullptr);
    sigaction(SIGTERM, &old_[1], nullptr);
  }
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

 private:
  struct sigaction old_[2];
};

bool is_open(const std::string& text) {
  return std::count(text.begin(), text.end(), '(') > std::count(text.begin(), text.end(), ')');
}

/// "all", or names and choices divided by commas; a comma before a digit, or in parentheses, divides values of a
/// parameter.
std::vector<Choice> read_choices(const std::string& text, Collective collective) {
  std::vector<Choice> choices;
  if (text == "all") {
    for (const Algorithm& a : algorithms())
      if (a.collective == collective) choices.push_back({&a, {}});
    return choices;
  }
  std::vector<std::string> items;
  for (const std::string_view part : base::split(text, ','))
    if (!items.empty() && !part.empty() && ((part.front() >= '0' && part.front() <= '9') || is_open(items.back())))
      items.back() += fmt::format(",{}", part);
    else
      items.emplace_back(part);
  for (const std::string& item : items) {
    choices.push_back(parse_choice(item));
    const Algorithm& a = *choices.back().algorithm;
    if (a.collective != collective)
      throw Error(Error::Kind::argument, fmt::format("--algorithms: {} performs {}, not {}", a.name,
                                                     to_string(a.collective), to_string(collective)));
    for (std::size_t i = 0; i + 1 < choices.size(); ++i)
      if (to_text(*choices[i].algorithm, choices[i].params) == to_text(a, choices.back().params))
        throw Error(Error::Kind::argument, fmt::format("--algorithms: {} is named twice", base::quoted(item)));
  }
  return choices;
}

SweepQuestion read_question(const SweepFlags& options) {
  constexpr std::size_t most_points = 1000000;
  SweepQuestion question;
  const std::string element = options.request.element.empty() ? "1" : options.request.element;
  const bool has_sizes = !collective::traits(read_collective(options.request.collective)).facts().token;
  const std::string all = has_sizes ? element + "..1MiB" : "1", &asked = options.request.bytes;
  const std::vector<Bytes> sizes = parse_range(asked.empty() ? all : asked, "--bytes",
                                               [](std::string_view t) { return base::parse_bytes(t, "--bytes"); });
  const std::vector<std::string> networks = shapes(options.topologies, options.ranks);
  if (networks.size() * sizes.size() > most_points)
    throw Error(Error::Kind::argument, fmt::format("{} networks and {} sizes: more than {} points", networks.size(),
                                                   sizes.size(), most_points));
  for (const std::string& network : networks) {
    Request request = options.request;
    request.topology = network;
    for (const Bytes bytes : sizes) {
      request.bytes = fmt::format("{}", bytes);
      Task task = read(request);
      question.points.push_back(std::move(task.spec));
      question.machine = std::move(task.machine);
    }
  }
  question.choices = read_choices(options.algorithms, question.points.front().collective);
  const PlanOptions clock = read(options.clock, Effort::estimate, question.messages);
  question.effort = clock.effort, question.order = clock.order, question.network = clock.network;
  question.messages = clock.messages;
  return question;
}

/// Says how far the sweep is and when it will be done.
class Progress {
 public:
  Progress(console::Context& context, std::size_t first, std::size_t all)
      : context_(context), first_(first), all_(all) {
    tell(first);
  }
  void tell(std::size_t done) const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun_;
    std::string left;
    if (done > first_)
      left = fmt::format(", {} left", base::format_seconds(spent.count() / static_cast<double>(done - first_) *
                                                           static_cast<double>(all_ - done)));
    context_.progress(fmt::format("{} of {} points{}", done, all_, left));
  }

 private:
  console::Context& context_;
  std::size_t first_, all_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

void print_json(const SweepQuestion& question, const std::vector<SweepRow>& rows, bool complete,
                console::Context& context) {
  Json json{{"question", Json::parse(to_text(question))}, {"complete", complete}, {"rows", Json::array()}};
  for (const SweepRow& row : rows) json["rows"].push_back(Json::parse(sweeps::json_row(row)));
  const SweepProofs proofs = proofs_of(rows);
  json["proofs"] = {{"visits", question.proof},
                    {"proven", proofs.proven},
                    {"undecided", proofs.undecided},
                    {"mistakes", proofs.mistakes}};
  json["winners"] = json["fixed"] = Json::array();
  for (const SweepWinner& w : winners(rows))
    json["winners"].push_back({{"topology", w.topology},
                               {"from_bytes", w.from},
                               {"to_bytes", w.to},
                               {"algorithm", w.algorithm},
                               {"params", sweeps::params_json(w.algorithm, w.params)},
                               {"choice", sweeps::choice_text(w.algorithm, w.params)},
                               {"runner_up", w.runner_up.empty() ? Json(nullptr) : Json(w.runner_up)},
                               {"least_lead", w.least_lead},
                               {"most_lead", w.most_lead}});
  for (const SweepFixed& f : best_fixed(rows))
    json["fixed"].push_back({{"topology", f.topology.empty() ? Json(nullptr) : Json(f.topology)},
                             {"algorithm", f.algorithm},
                             {"params", f.same_params ? sweeps::params_json(f.algorithm, f.params) : Json(nullptr)},
                             {"mean_ratio", f.mean},
                             {"worst_ratio", f.worst},
                             {"worst_bytes", f.worst_bytes},
                             {"worst_topology", f.worst_topology}});
  context.print_json(json);
}

void run_sweep(const SweepFlags& options, console::Context& context) {
  const SweepQuestion question = read_question(options);
  if (options.force && options.out.empty()) throw Error(Error::Kind::argument, "--force is for the file of -o");
  const auto cores = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 64U));
  const int threads =
      options.threads.empty() ? cores : static_cast<int>(base::parse_integer(options.threads, 1, 1024, "--threads"));
  std::optional<SweepFile> file;
  std::optional<files::FileWriter> stream;  // to standard output, which cannot be continued
  const sweeps::SweepText csv{SweepForm::csv};
  if (files::is_standard_output(options.out)) {
    context.will_write(options.out);
    stream.emplace(options.out).write(csv.head(to_text(question)));
  } else if (!options.out.empty()) {
    file.emplace(options.out, question, options.force);
  }
  std::vector<SweepRow> rows;
  if (file) rows = file->kept();
  const std::size_t all = question.points.size(), kept = rows.size() / question.choices.size();
  std::size_t done = kept;
  {
    const StopOnSignal stop;
    const Progress progress(context, kept, all);
    sweep(
        question, kept, threads,
        [&](std::vector<SweepRow> point) {
          if (file) file->append(point);
          for (const SweepRow& row : point)
            if (stream) stream->write(csv.row(row, false));
          rows.insert(rows.end(), std::make_move_iterator(point.begin()), std::make_move_iterator(point.end()));
          progress.tell(++done);
        },
        &asked_to_stop);
  }
  if (done < all) context.status = console::Status::interrupted;
  if (context.json) return print_json(question, rows, done == all, context);
  const Spec& first = question.points.front();
  context.print("{} from {} to {} on {}, machine {}, {}\n", to_string(first.collective),
                base::format_bytes(first.bytes), base::format_bytes(question.points.back().bytes),
                console::some(static_cast<std::int64_t>(shapes(options.topologies, options.ranks).size()), "network"),
                name_of(question.machine, options.request.machine.by_default),
                question.effort == Effort::estimate
                    ? "by price"
                    : clock_text(question.order.value_or(usual_order(question.machine)),
                                 question.network.value_or(usual_network(question.machine, *first.topology))));
  UsedOn use;
  for (const Spec& point : question.points) use.ranks = std::max(use.ranks, point.ranks());
  const MachineOptions& machine = options.request.machine;
  for (const std::string& note : notes(read_file(machine), use, machine.by_default))
    console::print_line(context, "note", note);
  context.print("{} of {}{}\n\n", console::some(static_cast<std::int64_t>(rows.size()), "row"),
                console::some(static_cast<std::int64_t>(all), "point"),
                kept > 0 ? fmt::format("; {} had {} of them", options.out, kept) : "");
  print_winners(rows, context);
  print_proofs(rows, question.proof, context);
  if (options.picture) print_sweep_map(rows, console::unicode_pictures(options.ascii), context);
  if (done < all)
    context.print("\ninterrupted after {} of {} points{}\n", done, all,
                  file ? "; the same command goes on from there" : "");
}

}  // namespace

void add_sweep(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<SweepFlags>();
  CLI::App& command =
      console::add_command(app, context, "sweep", "Every algorithm over many sizes and shapes: who wins where",
                           {"quadrille sweep alltoall hypercube --ranks 8..64 --bytes 1..4KiB*4 -o out.csv",
                            "quadrille sweep bcast torus:4x4 ring:16 --bytes 1,100,10kB --effort simulate --picture"});
  std::vector<std::string> names;
  for (const Collective c : collectives()) names.emplace_back(to_string(c));
  command.add_option("COLLECTIVE", options->request.collective, base::join(names, ", "))->required()->type_name("");
  command.add_option("TOPOLOGY", options->topologies, "Networks such as hypercube:6 ring:12, or families for --ranks")
      ->required()
      ->type_name("");
  options->request.bytes.clear();
  command
      .add_option("--bytes", options->request.bytes,
                  "Blocks: a range by powers of two 1B..1MiB (the default, from one element on), with a factor "
                  "1B..1MiB*4 or a step "
                  "100..500+100, values 1,32,4KiB, or several of these with commas")
      ->type_name("RANGE");
  command
      .add_option("--ranks", options->ranks,
                  "Rank counts for families without a size, such as hypercube or mesh: a range as for --bytes")
      ->type_name("RANGE");
  command.add_option("--root", options->request.root, "As for plan")->type_name("RANK");
  command.add_option("--target", options->request.target, "As for plan")->type_name("RANK");
  command.add_option("--sources", options->request.sources, "As for plan")->type_name("LIST|PATTERN");
  command.add_option("--demands", options->request.demands, "As for plan, with messages of the sizes of --bytes")
      ->type_name("LIST|PATTERN|FILE");
  command.add_option("--element", options->request.element, "As for plan; sizes are multiples of it")
      ->type_name("BYTES");
  command.add_option("--operands", options->request.operands, "As for plan")->type_name("KIND");
  command.add_option("--bits", options->request.bits, "As for plan")->type_name("WHICH");
  add_machine_options(command, options->request.machine);
  add_clock(command, options->clock, SweepQuestion{}.messages, "for one row");
  command
      .add_option("--algorithms", options->algorithms,
                  "all (the default), or names with commas; with parameters such as alltoall_mce:phases=3,3, else each "
                  "takes its cheapest at every point")
      ->type_name("all|NAME,...");
  command
      .add_option(
          "-o,--out", options->out,
          fmt::format("A file for the rows, {}; a sweep that was interrupted goes on where it stopped; - for {} to "
                      "standard output",
                      formats::endings_text(formats::Content::rows, " or "),
                      formats::default_name(formats::Content::rows)))
      ->type_name("FILE");
  command.add_flag("--force", options->force, "Start the file anew, whatever it holds");
  command.add_option("--threads", options->threads, "Default: one per core")->type_name("COUNT");
  command.add_flag("--picture", options->picture, "A map of who is the fastest where, and by how much");
  console::add_ascii(command, options->ascii);
  command.callback([options, &context] {
    choose_machine(options->request.machine, options->topologies.front());
    run_sweep(*options, context);
  });
}

}  // namespace quadrille::cli
