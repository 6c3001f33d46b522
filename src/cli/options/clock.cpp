#include "cli/options/clock.hpp"

#include "base/text.hpp"

namespace quadrille::cli {

namespace {

std::vector<Effort> efforts(bool measures) {
  std::vector<Effort> all{Effort::estimate, Effort::simulate};
  if (measures) all.push_back(Effort::measure);
  return all;
}

template <class Value>
std::vector<std::string> names(const std::vector<Value>& all) {
  std::vector<std::string> known;
  for (const Value value : all) known.emplace_back(to_string(value));
  return known;
}

template <class Value>
Value named(const std::string& text, const std::vector<Value>& all, std::string_view option) {
  for (const Value value : all)
    if (to_string(value) == text) return value;
  base::unknown_name(option, text, "name", names(all));
}

}  // namespace

void add_clock(CLI::App& command, ClockOptions& options, std::int64_t messages, const std::string& of, bool measures) {
  command
      .add_option("--effort", options.effort,
                  "How candidates are ranked: estimate, by closed forms; simulate, message by message "
                  "on the network" +
                      std::string(measures ? "; measure, by performing the best few of these in turns, on threads or, "
                                             "under mpirun, its processes"
                                           : ""))
      ->type_name(measures ? "estimate|simulate|measure" : "estimate|simulate");
  command
      .add_option(
          "--order", options.order,
          "Simulated ranks go on by themselves (dataflow), messages do (eager), or all go round by round (lockstep); "
          "default dataflow, on machines with overheads the faster one of the first two")
      ->type_name("dataflow|eager|lockstep");
  command
      .add_option("--network", options.network,
                  fmt::format("Simulated network: {}; default as the machine switches",
                              base::join(names(simulated_networks()), ", ")))
      ->type_name("NAME");
  command
      .add_option("--messages", options.messages,
                  fmt::format("Messages that may be simulated {}; default {}", of, messages))
      ->type_name("COUNT");
}

Order read_order(const std::string& text) { return named(text, simulated_orders(), "--order"); }

Network read_network(const std::string& text) { return named(text, simulated_networks(), "--network"); }

PlanOptions read(const ClockOptions& options, Effort otherwise, std::int64_t messages, bool measures) {
  PlanOptions read;
  read.effort = options.effort.empty() ? otherwise : named(options.effort, efforts(measures), "--effort");
  read.messages = messages;
  if (read.effort == Effort::estimate)
    for (const auto& [name, value] :
         {std::pair("--order", options.order), {"--network", options.network}, {"--messages", options.messages}})
      if (!value.empty())
        throw Error(Error::Kind::argument, fmt::format("{}: nothing is simulated without --effort simulate", name));
  if (!options.order.empty()) read.order = read_order(options.order);
  if (!options.network.empty()) read.network = read_network(options.network);
  if (!options.messages.empty())
    read.messages = base::parse_integer(options.messages, 1, std::int64_t{1} << 40, "--messages");
  return read;
}

void add_send(CLI::App& command, std::string& text) {
  command
      .add_option("--send", text,
                  "data: a rank sends what it has at once; rounds: it waits for its messages of earlier rounds, which "
                  "is faster where later ones would take links that others wait for; default by a simulation of both")
      ->type_name("data|rounds");
}

Sending read_send(const std::string& text, const Spec& spec, const Machine& machine, const Choice& choice,
                  const std::string& network) {
  if (text.empty())
    return order_to_perform(spec, machine, choice,
                            network.empty() ? std::nullopt : std::optional(read_network(network)));
  if (text != "data" && text != "rounds") base::unknown_name("--send", text, "order", {"data", "rounds"});
  return {.order = text == "data" ? Order::eager : Order::dataflow};
}

std::string send_text(const Sending& sending) {
  const bool rounds = sending.order == Order::dataflow;
  const std::string order = rounds ? "in the order of rounds" : "in the order of data";
  const Timing& chosen = rounds ? sending.dataflow : sending.eager;
  if (chosen.how != Timing::How::timed) return order;
  return fmt::format("{}, {} simulated on a {} network{}", order, base::format_seconds(chosen.time),
                     to_string(sending.network),
                     rounds && sending.eager.how == Timing::How::timed
                         ? fmt::format(", where that of data takes {}", base::format_seconds(sending.eager.time))
                         : "");
}

std::string clock_text(Order order, Network network) {
  return fmt::format("simulated message by message, {}, {}",
                     network == Network::free ? "links free for all" : fmt::format("{} network", to_string(network)),
                     order == Order::dataflow ? "ranks go on by themselves"
                     : order == Order::eager  ? "messages go as soon as they can"
                                              : "ranks go on round by round");
}

}  // namespace quadrille::cli
