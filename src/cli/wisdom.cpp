// quadrille wisdom: what a file of answers and trials knows, whether it holds, files brought together, lines dropped.
#include "quadrille/wisdom.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "collective/reduction.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "quadrille/placement.hpp"

namespace quadrille::cli {

namespace {

struct WisdomFlags {
  std::string action, file, budget, collective, topology;
  std::vector<std::string> others;
};

const std::vector<std::string> actions{"show", "check", "merge", "forget"};

Json entry_json(const Wisdom::Entry& e) {
  const auto& [q, a] = e;
  Json json{{"spec", json_of(q.spec)}, {"machine", json_of(q.machine)}, {"fingerprint", fingerprint(q.machine)}};
  json.update(json_of(*a.choice.algorithm, a.choice.params));
  json[q.effort == Effort::measure ? "measured_s" : "simulated_s"] = a.time;
  json["effort"] = to_string(q.effort);
  json["order"] = to_string(q.order);
  json["network"] = q.effort == Effort::measure ? Json(nullptr) : Json(to_string(q.network));
  json["measured_on"] = q.effort == Effort::measure ? Json(q.place) : Json(nullptr);
  return json;
}

Json trial_json(const TrialResult& r) {
  const bool any = r.trial.to == Trial::any_size;
  return {{"collective", r.trial.operation},
          {"topology", r.trial.topology},
          {"from_bytes", any ? Json(nullptr) : Json(r.trial.from)},
          {"to_bytes", any ? Json(nullptr) : Json(r.trial.to)},
          {"mpi", r.trial.mpi},
          {"segment_bytes", r.trial.segment},
          {"choice", r.choice},
          {"native_s", r.native},
          {"chosen_s", r.chosen}};
}

/// How many lines of each kind.
struct LineCounts {
  std::size_t answers = 0, trials = 0;
  std::size_t all() const { return answers + trials; }
  LineCounts without(const LineCounts& others) const { return {answers - others.answers, trials - others.trials}; }
};

LineCounts lines_of(const Wisdom& wisdom) { return {wisdom.size(), wisdom.trials().size()}; }

/// "2 answers", "1 trial", "2 answers and 1 trial".
std::string text_of(const LineCounts& lines) {
  const std::string answers = console::some(static_cast<std::int64_t>(lines.answers), "answer");
  if (lines.trials == 0) return answers;
  const std::string trials = console::some(static_cast<std::int64_t>(lines.trials), "trial");
  return lines.answers == 0 ? trials : answers + " and " + trials;
}

/// "alltoall, root 3".
std::string asked(const Spec& s) {
  std::string text(to_string(s.collective));
  if (has_root(s.collective)) text += fmt::format(", root {}", s.root);
  if (s.sources) text += fmt::format(", {} sources", s.sources->count());
  if (s.demands) text += fmt::format(", {} pairs", s.demands->pairs.size());
  if (combines(s)) text += collective::reduction_words(s);
  return text;
}

void show_trials(const Wisdom& wisdom, console::Context& context) {
  if (wisdom.trials().empty()) return;
  if (wisdom.size() > 0) context.print("\n");
  console::Table table({{"trial of"},
                        {"on"},
                        {"bytes", console::Table::right},
                        {"MPI"},
                        {"pieces", console::Table::right},
                        {"MPI's own", console::Table::right},
                        {"chosen", console::Table::right},
                        {"use"}});
  for (const auto& [key, r] : wisdom.trials())
    table.add({r.trial.operation, r.trial.topology,
               r.trial.to == Trial::any_size ? "any" : fmt::format("{} - {}", r.trial.from, r.trial.to), r.trial.mpi,
               r.trial.segment == 0 ? "whole" : base::format_bytes(r.trial.segment), base::format_seconds(r.native),
               base::format_seconds(r.chosen), r.choice});
  table.print(context);
}

void show_answers(const Wisdom& wisdom, console::Context& context) {
  if (wisdom.size() == 0) return;
  console::Table table({{"for"},
                        {"on"},
                        {"bytes", console::Table::right},
                        {"machine"},
                        {"network"},
                        {"order"},
                        {"time", console::Table::right},
                        {"use"}});
  for (const auto& [key, e] : wisdom.entries())
    table.add({asked(e.question.spec), e.question.spec.topology->text(), base::format_bytes(e.question.spec.bytes),
               e.question.machine.name,
               e.question.effort == Effort::measure ? "measured: " + e.question.place
                                                    : std::string(to_string(e.question.network)),
               std::string(to_string(e.question.order)), console::time_text(e.answer.time, e.question.machine),
               to_text(*e.answer.choice.algorithm, e.answer.choice.params)});
  table.print(context);
}

void show(const Wisdom& wisdom, console::Context& context) {
  if (context.json) {
    Json json{{"answers", Json::array()}, {"trials", Json::array()}};
    for (const auto& [key, entry] : wisdom.entries()) json["answers"].push_back(entry_json(entry));
    for (const auto& [key, result] : wisdom.trials()) json["trials"].push_back(trial_json(result));
    return context.print_json(json);
  }
  context.print("{}\n", text_of(lines_of(wisdom)));
  show_answers(wisdom, context);
  show_trials(wisdom, context);
}

void check(const Wisdom& wisdom, const WisdomFlags& options, console::Context& context) {
  VerifyBudget budget;
  if (!options.budget.empty())
    budget.visits = base::parse_integer(options.budget, 1, std::int64_t{1} << 40, "--budget");
  Json wrong = Json::array();
  const auto complain = [&](const std::string& key, const std::string& reason, bool undecided) {
    wrong.push_back({{"question", key}, {"reason", reason}});
    if (context.status != console::Status::no)
      context.status = undecided ? console::Status::undecided : console::Status::no;
  };
  for (const auto& [key, e] : wisdom.entries()) {
    context.progress(fmt::format("proving {}", key));
    const Recalled found = wisdom.recall(e.question, budget);
    if (!found.answer) complain(key, found.why_not, found.undecided);
  }
  for (const auto& [key, result] : wisdom.trials()) {
    context.progress(fmt::format("proving {}", key));
    const TrialProof found = prove(result, budget);
    if (!found.holds) complain(key, fmt::format("{}: {}", result.choice, found.why_not), found.undecided);
  }
  const LineCounts lines = lines_of(wisdom);
  if (context.json)
    return context.print_json(
        {{"answers", lines.answers}, {"trials", lines.trials}, {"holds", wrong.empty()}, {"unusable", wrong}});
  context.print("{}, {}\n", text_of(lines),
                wrong.empty() ? context.good("all proven again")
                              : context.bad_news(fmt::format("{} cannot be used", wrong.size())));
  for (const Json& w : wrong)
    context.print("{}\n  {}\n", w["question"].get<std::string>(), console::wrapped(w["reason"].get<std::string>(), 2));
}

void report(std::string_view what, const LineCounts& changed, const LineCounts& left, console::Context& context) {
  if (context.json)
    return context.print_json({{std::string(what), changed.all()}, {"answers", left.answers}, {"trials", left.trials}});
  context.print("{} {}; the file has {} now\n", text_of(changed), what, text_of(left));
}

void merge(const WisdomFlags& options, console::Context& context) {
  if (options.others.empty())
    throw Error(Error::Kind::argument, "wisdom merge: expected the file to add to, then one or more to take from");
  std::vector<Wisdom> taken;
  for (const std::string& other : options.others) taken.push_back(load_wisdom(other));
  LineCounts before, after;
  update_wisdom(options.file, [&](Wisdom& wisdom) {
    before = lines_of(wisdom);
    for (const Wisdom& other : taken) wisdom.merge(other);
    after = lines_of(wisdom);
  });
  report("added", after.without(before), after, context);
}

/// What --collective may name: collectives of answers, and operations of trials.
void check_collective(const std::string& name) {
  std::vector<std::string> known = trial_operations();
  for (const Collective c : collectives()) known.emplace_back(to_string(c));
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  if (!std::binary_search(known.begin(), known.end(), name)) base::unknown_name("collective", name, "name", known);
}

void forget(const WisdomFlags& options, console::Context& context) {
  const std::string &collective = options.collective, &network = options.topology;
  if (collective.empty() && network.empty())
    throw Error(Error::Kind::argument,
                "wisdom forget: expected --collective, --topology or both; to forget all, remove the file");
  if (!collective.empty()) check_collective(collective);
  const std::string topology = network.empty() ? "" : parse_topology(network)->text();
  const auto unwanted = [&](std::string_view of, const TopologyPtr& on) {
    return (collective.empty() || of == collective) && (topology.empty() || on->text() == topology);
  };
  load_wisdom(options.file);  // there is nothing to forget where there is no file
  LineCounts before, left;
  update_wisdom(options.file, [&](Wisdom& wisdom) {
    before = lines_of(wisdom);
    wisdom.forget([&](const Wisdom::Entry& e) {
      return unwanted(to_string(e.question.spec.collective), e.question.spec.topology);
    });
    wisdom.forget_trials(
        [&](const TrialResult& r) { return unwanted(r.trial.operation, parse_placement(r.trial.topology).topology); });
    left = lines_of(wisdom);
  });
  report("forgotten", before.without(left), left, context);
}

void run_wisdom(const WisdomFlags& options, console::Context& context) {
  if (std::find(actions.begin(), actions.end(), options.action) == actions.end())
    base::unknown_name("wisdom", options.action, "action", actions);
  if (options.action != "merge" && !options.others.empty())
    throw Error(Error::Kind::argument, fmt::format("wisdom {}: one file at a time; {} is one too many", options.action,
                                                   base::quoted(options.others.front())));
  if (options.action != "forget" && !(options.collective.empty() && options.topology.empty()))
    throw Error(Error::Kind::argument, "--collective and --topology are for wisdom forget");
  if (options.action != "check" && !options.budget.empty())
    throw Error(Error::Kind::argument, "--budget is for wisdom check");
  if (options.action == "merge") return merge(options, context);
  if (options.action == "forget") return forget(options, context);
  const Wisdom wisdom = load_wisdom(options.file);
  options.action == "show" ? show(wisdom, context) : check(wisdom, options, context);
}

}  // namespace

void add_wisdom(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<WisdomFlags>();
  CLI::App& command = console::add_command(
      app, context, "wisdom", "What 'plan --wisdom FILE' and trials have kept: show, prove, merge, drop",
      {"quadrille plan bcast ring:8 --wisdom all.wisdom", "quadrille wisdom show all.wisdom"});
  command
      .add_option("ACTION", options->action,
                  "show; check: prove every answer and what trials chose; merge: add the lines of other files to FILE, "
                  "of two the faster; forget: drop some")
      ->required()
      ->type_name("");
  command.add_option("FILE", options->file, "A wisdom file")->required()->type_name("");
  command.add_option("FROM", options->others, "Of merge: the files to take from")->type_name("");
  command.add_option("--collective", options->collective, "Of forget: answers and trials of this collective")
      ->type_name("NAME");
  command.add_option("--topology", options->topology, "Of forget: answers and trials on this network")
      ->type_name("NETWORK");
  command.add_option("--budget", options->budget, "Of check: visits that each proof may take")->type_name("VISITS");
  command.callback([options, &context] { run_wisdom(*options, context); });
}

}  // namespace quadrille::cli
