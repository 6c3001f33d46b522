// quadrille price: the closed form beside what is counted message by message, and the limit beside both.
#include "quadrille/price.hpp"

#include <optional>
#include <tuple>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/parts/price_contention.hpp"
#include "console/table.hpp"
#include "console/words.hpp"

namespace quadrille::cli {

namespace {

struct PriceFlags {
  Request request;
  bool rounds = false, formula = false;
  ContentionOptions contention;
};

struct Price {
  Task task;
  Built built;
  std::optional<Traffic> traffic;  ///< not with --formula
  std::vector<RoundTraffic> rounds;
  Bound bound;
  std::optional<ContentionReport> contention = {};

  Seconds formula_time() const { return seconds(built.formula, task.machine, *task.spec.topology); }
  Seconds time() const { return traffic ? seconds(traffic->cost, task.machine, *task.spec.topology) : formula_time(); }
  bool equal() const { return traffic && traffic->cost == built.formula; }
  double gap() const { return bound.time > 0 ? time() / bound.time : 1; }
};

Seconds round_time(const RoundTraffic& r, const Task& task) {
  const Cost cost{.startups = r.messages > 0 ? 1 : 0,
                  .hops = r.hops,
                  .bytes = r.busiest,
                  .permuted = r.permuted,
                  .packed = r.packed,
                  .combined = r.combined};
  return seconds(cost, task.machine, *task.spec.topology);
}

Json traffic_json(const Traffic& t) {
  return {{"messages", t.messages},
          {"critical_bytes", t.critical_bytes},
          {"busiest_link_bytes", t.busiest_link},
          {"busiest_wire_bytes", t.busiest_wire},
          {"busiest_out_port_bytes", t.busiest_out_port},
          {"busiest_in_port_bytes", t.busiest_in_port},
          {"byte_hops", t.byte_hops},
          {"message_hops", t.message_hops},
          {"contention", t.contention},
          {"by_symmetry", t.by_symmetry}};
}

void print_json(const Price& price, const PriceFlags& options, console::Context& context) {
  const Algorithm& a = *price.built.choice.algorithm;
  Json json = json_of(price.task);
  json.update(json_of(a, price.built.choice.params));
  json["claims"] = {{"once", price.built.claims.once},
                    {"contention_free", price.built.claims.contention_free},
                    {"exact", price.built.claims.exact}};
  json["formula"] = json_of(price.built.formula, price.task);
  json["formula"]["source"] = a.source;
  json["counted"] = price.traffic ? json_of(price.traffic->cost, price.task) : Json(nullptr);
  json["equal"] = price.traffic ? Json(price.equal()) : Json(nullptr);
  json["bound"] = json_of(price.bound, price.task);
  json["gap"] = price.gap();
  json["traffic"] = price.traffic ? traffic_json(*price.traffic) : Json(nullptr);
  if (options.rounds) {
    json["rounds"] = Json::array();
    for (const RoundTraffic& r : price.rounds)
      json["rounds"].push_back({{"round", r.round},
                                {"time_s", round_time(r, price.task)},
                                {"messages", r.messages},
                                {"largest_bytes", r.largest},
                                {"charged_bytes", r.busiest},
                                {"contention", r.contention},
                                {"busiest_link", r.busiest_link},
                                {"hops", r.hops},
                                {"permuted_bytes", r.permuted},
                                {"combined_bytes", r.combined},
                                {"packed_bytes", r.packed}});
  }
  if (price.contention) json["contention"] = json_of(*price.contention);
  context.print_json(json);
}

void print_counts(const Price& price, console::Context& context) {
  const bool both = price.traffic.has_value();
  std::vector<console::Table::Column> columns{{""}, {"formula", console::Table::right}};
  if (both) columns.insert(columns.end(), {{"counted", console::Table::right}, {"equal"}});
  columns.push_back({"costs", console::Table::right});
  columns.push_back({"what is counted"});
  console::Table table(columns);
  const Cost f = price.built.formula, c = both ? price.traffic->cost : f;
  const CostParts p = parts(c, price.task.machine, *price.task.spec.topology);
  const auto row = [&](std::string name, std::int64_t formula, std::int64_t counted, Seconds time, std::string what) {
    std::vector<std::string> cells{std::move(name), base::format_count(formula)};
    if (both) cells.insert(cells.end(), {base::format_count(counted), formula == counted ? "yes" : "NO"});
    cells.push_back(console::time_text(time, price.task.machine));
    cells.push_back(std::move(what));
    table.add(std::move(cells));
  };
  row("start-ups", f.startups, c.startups, p.startup, "rounds with a message, by turns at links");
  if (price.task.machine.has_overhead())
    row("messages", f.startups + f.further, c.startups + c.further, p.overhead,
        "of the busiest rank in each round, overheads of both ends");
  row("hops", f.hops, c.hops, p.circuit,
      price.task.machine.circuit == CircuitCost::exact ? "longest route of each round"
                                                       : "longest route of each round; half the diameter is paid");
  row("bytes", f.bytes, c.bytes, p.wire, "on the busiest link or port of each round");
  const double share = c.permuted + c.packed > 0 ? p.permute / static_cast<double>(c.permuted + c.packed) : 0;
  row("permuted", f.permuted, c.permuted, share * static_cast<double>(c.permuted), "bytes a rank rearranges");
  if (combines(price.task.spec))
    row("combined", f.combined, c.combined, p.combine, "bytes that a rank's operator makes");
  row("barriers", f.barriers, c.barriers, p.barrier, "of all ranks");
  row("packed", f.packed, c.packed, share * static_cast<double>(c.packed),
      "bytes of messages that are not one run of memory");
  table.print(context);
}

/// The counts that differ, also those that cost nothing on this machine.
std::string differing(const Price& price) {
  const Cost f = price.built.formula, c = price.traffic->cost;
  std::vector<std::string> all;
  for (const auto& [name, formula, counted] : {std::tuple("start-ups", f.startups, c.startups),
                                               {"hops", f.hops, c.hops},
                                               {"bytes", f.bytes, c.bytes},
                                               {"permuted bytes", f.permuted, c.permuted},
                                               {"barriers", f.barriers, c.barriers},
                                               {"packed bytes", f.packed, c.packed},
                                               {"combined bytes", f.combined, c.combined},
                                               {"further messages", f.further, c.further}})
    if (formula != counted)
      all.push_back(
          fmt::format("{}: formula {}, counted {}", name, base::format_count(formula), base::format_count(counted)));
  return base::join(all, "; ");
}

void print_verdict(const Price& price, console::Context& context) {
  if (!price.traffic) return context.print("\nnot counted: only the closed form was asked for\n");
  const bool exact = price.built.claims.exact;
  const Seconds formula = price.formula_time(), counted = price.time();
  if (price.equal())
    context.print("\n{}\n", context.good(exact ? "the closed form equals the count, as it claims"
                                               : "the closed form equals the count"));
  else if (exact)
    context.print("\n{}; {}\n", context.bad_news("internal error: the closed form claims to be exact and is not"),
                  console::wrapped(fmt::format("in {}. Please report this line", differing(price)), 0));
  else
    context.print("\nthe closed form is an estimate: formula {}, counted {}, ratio {}\n",
                  console::time_text(formula, price.task.machine), console::time_text(counted, price.task.machine),
                  counted > 0 ? base::format_ratio(formula / counted) : "-");
}

void print_traffic(const Traffic& t, console::Context& context) {
  context.print("\ntraffic{}\n", t.by_symmetry ? " (representatives stood for all ranks)" : "");
  const auto row = [&](std::string_view name, const std::string& value) {
    context.print("  {:<38} {:>16}\n", name, value);
  };
  row("messages", base::format_count(t.messages));
  row("links crossed by all messages", base::format_count(t.message_hops));
  row("bytes times links crossed", base::format_count(t.byte_hops));
  row("largest messages of all rounds", base::format_bytes(t.critical_bytes));
  row("busiest directed link", base::format_bytes(t.busiest_link));
  row("busiest wire, both directions", base::format_bytes(t.busiest_wire));
  row("busiest rank sends", base::format_bytes(t.busiest_out_port));
  row("busiest rank receives", base::format_bytes(t.busiest_in_port));
  if (t.combined > 0) row("bytes combined by all ranks", base::format_bytes(t.combined));
  row("most messages on a link in a round", base::format_count(t.contention));
}

void print_rounds(const Price& price, console::Context& context) {
  const Topology& topology = *price.task.spec.topology;
  context.print("\nround by round, without barriers\n");
  std::vector<console::Table::Column> columns{{"round", console::Table::right},
                                              {"time", console::Table::right},
                                              {"messages", console::Table::right},
                                              {"largest", console::Table::right},
                                              {"charged", console::Table::right},
                                              {"on a link", console::Table::right},
                                              {"busiest link"},
                                              {"hops", console::Table::right},
                                              {"permuted", console::Table::right},
                                              {"packed", console::Table::right}};
  const bool reduces = combines(price.task.spec);
  if (reduces) columns.push_back({"combined", console::Table::right});
  console::Table table(std::move(columns));
  for (const RoundTraffic& r : price.rounds) {
    const bool idle = r.busiest_link < 0;
    std::vector<std::string> row{
        std::to_string(r.round),
        console::time_text(round_time(r, price.task), price.task.machine),
        base::format_count(r.messages),
        base::format_bytes(r.largest),
        base::format_bytes(r.busiest),
        std::to_string(r.contention),
        idle ? "-" : fmt::format("{}->{}", topology.tail(r.busiest_link), topology.head(r.busiest_link)),
        std::to_string(r.hops),
        base::format_bytes(r.permuted),
        base::format_bytes(r.packed)};
    if (reduces) row.push_back(base::format_bytes(r.combined));
    table.add(std::move(row));
  }
  table.print(context);
}

/// A table of a million lines helps nobody, and takes memory.
void check_rounds(const Schedule& schedule) {
  constexpr Round most = 100'000;
  if (schedule.shape().rounds > most)
    throw Error(Error::Kind::argument,
                fmt::format("--rounds would list {} rounds; expected at most {}",
                            base::format_count(schedule.shape().rounds), base::format_count(most)));
}

void run_price(const PriceFlags& options, console::Context& context) {
  check(options.contention);
  const Task task = read(options.request);
  if (options.rounds && options.formula)
    throw Error(Error::Kind::argument, "--rounds counts and --formula does not; give one of them");
  Price price{task,
              build(task.spec, task.machine, parse_choice(options.request.algorithm)),
              {},
              {},
              lower_bound(task.spec, task.machine)};
  if (!options.formula) {
    if (options.rounds) check_rounds(*price.built.schedule);
    price.traffic = count(
        task.spec, task.machine, *price.built.schedule, options.rounds ? &price.rounds : nullptr,
        {.visits = read_budget(options.request, CountBudget{}.visits), .progress = context.progress_of("counting")});
    if (price.built.claims.exact && !price.equal()) context.status = console::Status::no;
  }
  if (options.contention.wanted) price.contention = find_contention(options.contention, task, *price.built.schedule);
  if (context.json) return print_json(price, options, context);
  const Algorithm& a = *price.built.choice.algorithm;
  context.print("{}\n\n", heading(task));
  context.print("{}  {}\n", context.bold(to_text(a, price.built.choice.params)),
                context.bold(console::time_text(price.time(), task.machine)));
  context.print("formula: {}\n\n", console::wrapped(a.source, 9));
  print_counts(price, context);
  print_verdict(price, context);
  context.print("\n");
  console::print_limit(price.bound, price.gap(), task.machine, context);
  if (price.traffic) print_traffic(*price.traffic, context);
  if (options.rounds) print_rounds(price, context);
  if (price.contention) print_contention(*price.contention, task.machine, context);
}

}  // namespace

void add_price(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<PriceFlags>();
  CLI::App& command = console::add_command(
      app, context, "price", "The closed form beside the counted price, the limit, the traffic",
      {"quadrille price alltoall hypercube:6 --machine ipsc860 --bytes 32 --algorithm alltoall_mce:phases=3,3",
       "quadrille price allgather hypercube:3 --algorithm allgather_adea --rounds",
       "quadrille price alltoall hypercube:4 --algorithm alltoall_standard --contention --on mesh:4x4"});
  add_request(command, options->request, Needs::algorithm);
  add_budget(command, options->request);
  command.add_flag("--rounds", options->rounds, "What every round does to the network");
  command.add_flag("--formula", options->formula, "The closed form alone: any size, at once");
  add_contention_options(command, options->contention);
  command.callback([options, &context] { run_price(*options, context); });
}

}  // namespace quadrille::cli
