// What bounds and proofs say, as JSON.
#include "report/json.hpp"

namespace quadrille::report {

Json bound_json(const Bound& bound, const Spec& spec, const Machine& machine) {
  Json list = Json::array();
  for (const Bound::Part& p : bound.parts) {
    Json& part = list.emplace_back(
        Json{{"name", p.name}, {"why", p.why}, {"time_s", p.time}, {"startups", p.rounds}, {"bytes", p.bytes}});
    const CountedLinks counted = counted_links(spec, machine, p.name);
    if (!counted.links.empty()) {
      Json& links = part["links"] = Json::array();
      for (const CountedLinks::Counted& link : counted.links) links.push_back({link.from, link.to, link.times});
    }
    if (!counted.ports.empty()) part["ports"] = counted.ports;
  }
  return {{"time_s", bound.time}, {"binding", bound.binding}, {"parts", list}};
}

Json counterexample_json(const std::optional<Counterexample>& counterexample) {
  if (!counterexample) return nullptr;
  const Counterexample& x = *counterexample;
  Json json{{"kind", to_string(x.kind)}, {"round", x.round},  {"rank", x.rank}, {"text", x.text},
            {"message", nullptr},        {"content", nullptr}};
  if (x.message) json["message"] = {x.message->first, x.message->second};
  if (const auto& c = x.content)
    json["content"] = {{"rank", c->rank}, {"buffer", to_string(c->buffer)},
                       {"slot", c->slot}, {"has", c->has},
                       {"must", c->must}, {"block", c->block}};
  return json;
}

}  // namespace quadrille::report
