#include "cli/parts/price_contention.hpp"

#include <algorithm>
#include <tuple>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "console/table.hpp"
#include "console/words.hpp"

namespace quadrille::cli {

namespace {

constexpr std::size_t listed_links = 100;  // of a round
constexpr std::size_t shown_links = 20;

/// A link of some round.
struct ContendedPlace {
  const RoundContention* round;
  const LinkContention* link;
};

std::vector<ContendedPlace> worst_first(const ContentionReport& report) {
  std::vector<ContendedPlace> places;
  for (const RoundContention& round : report.found.rounds)
    for (const LinkContention& link : round.worst)
      if (link.count(report.counting.who) > 1) places.push_back({&round, &link});
  std::stable_sort(places.begin(), places.end(),
                   [who = report.counting.who](const ContendedPlace& a, const ContendedPlace& b) {
                     return std::tuple(a.link->count(who), a.link->volume(who)) >
                            std::tuple(b.link->count(who), b.link->volume(who));
                   });
  return places;
}

void print_rounds(const ContentionReport& report, const Machine& machine, console::Context& context) {
  console::Table table({{"round", console::Table::right},
                        {"messages", console::Table::right},
                        {"S", console::Table::right},
                        {"S by senders", console::Table::right},
                        {"links", console::Table::right},
                        {"shared", console::Table::right},
                        {"largest", console::Table::right},
                        {"on the worst", console::Table::right},
                        {"time", console::Table::right},
                        {"worst link"}});
  for (const RoundContention& r : report.found.rounds)
    table.add({std::to_string(r.round), base::format_count(r.messages), base::format_count(r.by_messages),
               base::format_count(r.by_senders), base::format_count(r.used), base::format_count(r.shared),
               base::format_bytes(r.largest),
               base::format_bytes(report.counting.who == Who::messages ? r.bytes : r.sender_bytes),
               console::time_text(r.time(machine, report.counting.who), machine),
               r.worst.empty() ? "-" : report.topology->name(r.worst.front().link)});
  table.print(context);
}

void print_links(const ContentionReport& report, console::Context& context) {
  const std::vector<ContendedPlace> places = worst_first(report);
  if (places.empty()) return context.print("\nno link carries two messages in one round\n");
  context.print("\nlinks that messages compete for, the worst first\n");
  console::Table table({{"round", console::Table::right},
                        {"link"},
                        {"messages", console::Table::right},
                        {"senders", console::Table::right},
                        {"bytes", console::Table::right}});
  for (std::size_t i = 0; i < std::min(shown_links, places.size()); ++i)
    table.add({std::to_string(places[i].round->round), report.topology->name(places[i].link->link),
               base::format_count(places[i].link->messages), base::format_count(places[i].link->senders),
               base::format_bytes(places[i].link->bytes)});
  table.print(context);
  std::int64_t all = 0;
  for (const RoundContention& r : report.found.rounds) all += r.shared;
  if (all > static_cast<std::int64_t>(shown_links))
    context.print("  of {} in all rounds; --json lists the {} worst of each round\n", base::format_count(all),
                  listed_links);
}

Json link_json(const LinkContention& link, const Topology& topology) {
  return {{"link", link.link},
          {"name", topology.name(link.link)},
          {"messages", link.messages},
          {"senders", link.senders},
          {"bytes", link.bytes}};
}

}  // namespace

void add_contention_options(CLI::App& command, ContentionOptions& options) {
  command.add_flag("--contention", options.wanted,
                   "Where messages compete for wires: S of every round and link [Foster 1995, section 3.7]");
  command.add_option("--who", options.who, "With --contention: count messages or senders; default messages")
      ->option_text("WHO");
  command.add_flag("--half-bus", options.half_bus,
                   "With --contention: on a bus count one partner of every exchange, as Foster does");
  command
      .add_option("--on", options.on, "With --contention: play the same schedule on another network of as many ranks")
      ->option_text("TOPOLOGY");
}

void check(const ContentionOptions& options) {
  if (options.who != "messages" && options.who != "senders")
    throw Error(Error::Kind::argument,
                fmt::format("--who {}: expected messages or senders", base::quoted(options.who)));
  if (!options.wanted && (options.half_bus || options.who != "messages" || !options.on.empty()))
    throw Error(Error::Kind::argument, "--who, --half-bus and --on say how to count competition; add --contention");
}

ContentionReport find_contention(const ContentionOptions& options, const Task& task, const Schedule& schedule) {
  ContentionReport report{options.on.empty() ? on_ways_of(task.spec, schedule).topology : parse_topology(options.on),
                          {options.who == "senders" ? Who::senders : Who::messages, options.half_bus},
                          {}};
  if (report.topology->ranks() != task.spec.ranks() || report.topology->nodes() != task.spec.topology->nodes())
    throw Error(Error::Kind::argument,
                fmt::format("--on {}: has {} ranks and {} nodes; expected {} and {} as {} has",
                            base::quoted(options.on), report.topology->ranks(), report.topology->nodes(),
                            task.spec.ranks(), task.spec.topology->nodes(), task.spec.topology->text()));
  report.found = contention(*report.topology, task.machine, schedule, report.counting, listed_links);
  return report;
}

Json json_of(const ContentionReport& report) {
  const Contention& found = report.found;
  Json rounds = Json::array();
  for (const RoundContention& r : found.rounds) {
    Json links = Json::array();
    for (const LinkContention& link : r.worst)
      if (link.count(report.counting.who) > 1) links.push_back(link_json(link, *report.topology));
    rounds.push_back({{"round", r.round},
                      {"messages", r.messages},
                      {"s", r.by_messages},
                      {"s_senders", r.by_senders},
                      {"links_used", r.used},
                      {"links_shared", r.shared},
                      {"largest_bytes", r.largest},
                      {"worst_link_bytes", r.bytes},
                      {"worst_link_sender_bytes", r.sender_bytes},
                      {"links", links}});
  }
  return {{"on", report.topology->text()},
          {"who", report.counting.who == Who::messages ? "messages" : "senders"},
          {"half_bus", report.counting.half_bus},
          {"s", found.s(Who::messages)},
          {"s_senders", found.s(Who::senders)},
          {"time_s", found.time},
          {"alone_time_s", found.alone},
          {"least_rank_time_s", found.least_rank},
          {"most_rank_time_s", found.most_rank},
          {"by_symmetry", found.by_symmetry},
          {"rounds", rounds}};
}

void print_contention(const ContentionReport& report, const Machine& machine, console::Context& context) {
  const Contention& found = report.found;
  context.print("\ncompetition on {}{}{}\n", report.topology->text(),
                report.counting.half_bus ? ", one partner of every exchange on a bus" : "",
                found.by_symmetry ? " (representatives stand for all links)" : "");
  print_rounds(report, machine, context);
  context.print("  S = {} by messages, {} by senders; {} in all, {} if no two messages met\n",
                base::format_count(found.s(Who::messages)), base::format_count(found.s(Who::senders)),
                console::time_text(found.time, machine), console::time_text(found.alone, machine));
  if (found.least_rank < found.most_rank)
    context.print("  a rank takes part for {} to {}\n", console::time_text(found.least_rank, machine),
                  console::time_text(found.most_rank, machine));
  print_links(report, context);
}

}  // namespace quadrille::cli
