// set, fail, restore.
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "system.hpp"
#include "verbs.hpp"

namespace quadrille::lab {

namespace {

struct SetRequest {
  Choice choice;
  std::string a, b, rate;
};

void change(const SetRequest& request, console::Context& context) {
  const Rate rate = parse_rate(request.rate);
  require_root();
  notice_signals();
  Lab lab = open(request.choice.folder());
  const int a = parse_node(lab.blueprint, request.a), b = parse_node(lab.blueprint, request.b);
  set_rate(lab, a, b, rate);
  if (context.json)
    context.print_json({{"a", request.a}, {"b", request.b}, {"bits_per_second", rate}});
  else
    context.print("{} - {} has {} each way\n", node_label(lab.blueprint.wiring, a), node_label(lab.blueprint.wiring, b),
                  format_rate(rate));
}

struct FailRequest {
  Choice choice;
  std::vector<std::string> wires;
  bool keep_routes = false;
};

std::set<int> wires_of(const Blueprint& blueprint, const FailRequest& request) {
  std::set<int> wires;
  for (const std::string& text : request.wires) wires.merge(wires_named(blueprint, text));
  return wires;
}

/// The wires that are out of order now, and the network that plans are for.
void tell_failures(const Lab& lab, console::Context& context) {
  const Wiring& w = lab.blueprint.wiring;
  std::vector<std::string> failed;
  for (const int wire : lab.blueprint.changes.failed)
    failed.push_back(wire_name(w, w.wires[static_cast<std::size_t>(wire)]));
  const bool rerouted = lab.blueprint.changes.failed == lab.blueprint.changes.avoided;
  if (context.json) {
    context.print_json({{"failed", failed}, {"rerouted", rerouted}, {"topology", w.topology}});
    return;
  }
  if (failed.empty())
    context.print("no wire is out of order: the network is {}\n", w.topology);
  else
    context.print("out of order: {}; {} {}\n", base::join(failed, ", "),
                  rerouted ? "messages go around, as on" : "routes are still those of", w.topology);
}

void fail_wires(const FailRequest& request, console::Context& context) {
  require_root();
  notice_signals();
  Lab lab = open(request.choice.folder());
  fail(lab, wires_of(lab.blueprint, request), request.keep_routes);
  tell_failures(lab, context);
}

void restore_wires(const FailRequest& request, console::Context& context) {
  require_root();
  notice_signals();
  Lab lab = open(request.choice.folder());
  restore(lab, request.wires.empty() ? lab.blueprint.changes.failed : wires_of(lab.blueprint, request));
  tell_failures(lab, context);
}

void add_set(CLI::App& app, console::Context& context) {
  auto changing = std::make_shared<SetRequest>();
  CLI::App& command = console::add_command(app, context, "set", "Change the rate of one wire, both ways",
                                           {"quadrille-lab set 0 1 5mbit", "quadrille-lab set 3 s0 5mbit"});
  command.add_option("A", changing->a, "A host, or a switch: 3, s0")->required();
  command.add_option("B", changing->b, "The host or switch at the other end")->required();
  command.add_option("RATE", changing->rate, "Bits a second, each way")->required();
  add_choice(command, changing->choice);
  command.callback([changing, &context] { change(*changing, context); });
}

}  // namespace

void add_changing_verbs(CLI::App& app, console::Context& context) {
  add_set(app, context);
  auto failing = std::make_shared<FailRequest>();
  CLI::App& fail_command = console::add_command(
      app, context, "fail", "Let wires fail while programs run; routes then lead around them",
      {"quadrille-lab fail 0-1", "quadrille-lab fail s0-s2#2 s1-s3", "quadrille-lab fail 3-s0 --keep-routes"});
  fail_command
      .add_option("WIRE", failing->wires, "Two hosts or switches: 0-1, s0-s2; s0-s2#2 is the second wire between them")
      ->required();
  fail_command.add_flag("--keep-routes", failing->keep_routes,
                        "Routes stay as they are: what would cross the wire is lost");
  add_choice(fail_command, failing->choice);
  fail_command.callback([failing, &context] { fail_wires(*failing, context); });

  auto restoring = std::make_shared<FailRequest>();
  CLI::App& restore_command =
      console::add_command(app, context, "restore", "Let wires that failed carry messages again",
                           {"quadrille-lab restore 0-1", "quadrille-lab restore"});
  restore_command.add_option("WIRE", restoring->wires, "As for fail (default: all that failed)");
  add_choice(restore_command, restoring->choice);
  restore_command.callback([restoring, &context] { restore_wires(*restoring, context); });
}

}  // namespace quadrille::lab
