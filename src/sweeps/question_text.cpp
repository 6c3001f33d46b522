// What is asked of a sweep, as the text that its file begins with.
#include <nlohmann/json.hpp>

#include "collective/traits.hpp"
#include "planner/wisdom_line.hpp"
#include "quadrille/sources.hpp"
#include "quadrille/sweep.hpp"
#include "quadrille/version.hpp"

namespace quadrille {

std::string to_text(const SweepQuestion& q) {
  using Ordered = nlohmann::ordered_json;
  Ordered json{{"program", QUADRILLE_VERSION}};
  if (!q.points.empty()) {
    const Spec& first = q.points.front();
    json["collective"] = to_string(first.collective);
    if (has_root(first.collective)) json["root"] = first.root;
    if (first.element != 1) json["element"] = first.element;
    if (first.operands == Operands::ordered) json["operands"] = "ordered";
    if (!first.identical) json["bits"] = "any";
    Ordered points = Ordered::array();
    for (const Spec& s : q.points) {
      const std::string topology = s.topology->text();
      if (points.empty() || points.back()["topology"] != topology)
        points.push_back({{"topology", topology}, {"bytes", Ordered::array()}});
      points.back()["bytes"].push_back(s.bytes);
      if (collective::facts(s).target) points.back()["target"] = s.target;
      if (s.sources) points.back()["sources"] = to_text(*s.sources, s.bytes);
    }
    json["points"] = std::move(points);
  }
  json["machine"] = planner::machine_line(q.machine);
  json["algorithms"] = Ordered::array();
  for (const Choice& c : q.choices) json["algorithms"].push_back(to_text(*c.algorithm, c.params));
  json["effort"] = to_string(q.effort);
  if (q.effort != Effort::estimate) {
    json["order"] = to_string(q.order.value_or(usual_order(q.machine)));
    json["network"] = to_string(q.network.value_or(usual_network(q.machine, *q.points.front().topology)));
    json["messages"] = q.messages;
  }
  return json.dump();
}

}  // namespace quadrille
