// quadrille wisdom: what a file of answers knows, whether it holds, files brought together, answers dropped.
#include "quadrille/wisdom.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options/clock.hpp"
#include "console/table.hpp"
#include "console/words.hpp"

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

/// "alltoall, root 3".
std::string asked(const Spec& s) {
  std::string text(to_string(s.collective));
  if (has_root(s.collective)) text += fmt::format(", root {}", s.root);
  if (s.sources) text += fmt::format(", {} sources", s.sources->count());
  return text;
}

void show(const Wisdom& wisdom, console::Context& context) {
  if (context.json) {
    Json json{{"answers", Json::array()}};
    for (const auto& [key, entry] : wisdom.entries()) json["answers"].push_back(entry_json(entry));
    return context.print_json(json);
  }
  context.print("{}\n", console::some(static_cast<std::int64_t>(wisdom.size()), "answer"));
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

void check(const Wisdom& wisdom, const WisdomFlags& options, console::Context& context) {
  VerifyBudget budget;
  if (!options.budget.empty())
    budget.visits = base::parse_integer(options.budget, 1, std::int64_t{1} << 40, "--budget");
  Json wrong = Json::array();
  for (const auto& [key, e] : wisdom.entries()) {
    context.progress(fmt::format("proving {}", key));
    const Recalled found = wisdom.recall(e.question, budget);
    if (found.answer) continue;
    wrong.push_back({{"question", key}, {"reason", found.why_not}});
    if (context.status != console::Status::no)
      context.status = found.undecided ? console::Status::undecided : console::Status::no;
  }
  if (context.json)
    return context.print_json({{"answers", wisdom.size()}, {"holds", wrong.empty()}, {"unusable", wrong}});
  context.print("{}, {}\n", console::some(static_cast<std::int64_t>(wisdom.size()), "answer"),
                wrong.empty() ? context.good("all proven again")
                              : context.bad_news(fmt::format("{} cannot be used", wrong.size())));
  for (const Json& w : wrong)
    context.print("{}\n  {}\n", w["question"].get<std::string>(), console::wrapped(w["reason"].get<std::string>(), 2));
}

void report(std::string_view what, std::size_t changed, std::size_t size, console::Context& context) {
  if (context.json) return context.print_json({{std::string(what), changed}, {"answers", size}});
  context.print("{} {}; the file has {} now\n", console::some(static_cast<std::int64_t>(changed), "answer"), what,
                size);
}

void merge(const WisdomFlags& options, console::Context& context) {
  if (options.others.empty())
    throw Error(Error::Kind::argument, "wisdom merge: expected the file to add to, then one or more to take from");
  std::vector<Wisdom> taken;
  for (const std::string& other : options.others) taken.push_back(load_wisdom(other));
  std::size_t before = 0, after = 0;
  update_wisdom(options.file, [&](Wisdom& wisdom) {
    before = wisdom.size();
    for (const Wisdom& other : taken) wisdom.merge(other);
    after = wisdom.size();
  });
  report("added", after - before, after, context);
}

void forget(const WisdomFlags& options, console::Context& context) {
  if (options.collective.empty() && options.topology.empty())
    throw Error(Error::Kind::argument,
                "wisdom forget: expected --collective, --topology or both; to forget all, remove the file");
  const std::string topology = options.topology.empty() ? "" : parse_topology(options.topology)->text();
  const auto collective = find_collective(options.collective);
  if (!options.collective.empty() && !collective) {
    std::vector<std::string> known;
    for (const Collective c : collectives()) known.emplace_back(to_string(c));
    base::unknown_name("collective", options.collective, "name", known);
  }
  load_wisdom(options.file);  // there is nothing to forget where there is no file
  std::size_t gone = 0, left = 0;
  update_wisdom(options.file, [&](Wisdom& wisdom) {
    gone = wisdom.forget([&](const Wisdom::Entry& e) {
      return (!collective || e.question.spec.collective == *collective) &&
             (topology.empty() || e.question.spec.topology->text() == topology);
    });
    left = wisdom.size();
  });
  report("forgotten", gone, left, context);
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
  CLI::App& command =
      console::add_command(app, context, "wisdom", "What 'plan --wisdom FILE' has kept: show, prove, merge, drop",
                           {"quadrille plan bcast ring:8 --wisdom all.wisdom", "quadrille wisdom show all.wisdom"});
  command
      .add_option("ACTION", options->action,
                  "show; check: prove every answer again; merge: add the answers of other files to FILE, of two the "
                  "faster; forget: drop answers")
      ->required()
      ->type_name("");
  command.add_option("FILE", options->file, "A wisdom file")->required()->type_name("");
  command.add_option("FROM", options->others, "Of merge: the files to take from")->type_name("");
  command.add_option("--collective", options->collective, "Of forget: answers to this collective")->type_name("NAME");
  command.add_option("--topology", options->topology, "Of forget: answers on this network")->type_name("NETWORK");
  command.add_option("--budget", options->budget, "Of check: visits that each proof may take")->type_name("VISITS");
  command.callback([options, &context] { run_wisdom(*options, context); });
}

}  // namespace quadrille::cli
