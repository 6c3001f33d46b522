// What an algorithm is called and costs, as JSON: the same in a report and in the answers of commands.
#include <fmt/format.h>

#include "base/json_members.hpp"
#include "machine/links.hpp"
#include "report/json.hpp"

namespace quadrille::report {

Json cost_json(const Cost& c, const Machine& machine, const Topology& topology) {
  const CostParts p = parts(c, machine, topology);
  Json json{{"price_s", p.total()},
            {"parts",
             {{"startup_s", p.startup},
              {"overhead_s", p.overhead},
              {"circuit_s", p.circuit},
              {"wire_s", p.wire},
              {"permute_s", p.permute},
              {"combine_s", p.combine},
              {"barrier_s", p.barrier}}},
            {"counts",
             {{"startups", c.startups},
              {"further", c.further},
              {"hops", c.hops},
              {"bytes", c.bytes},
              {"permuted_bytes", c.permuted},
              {"combined_bytes", c.combined},
              {"packed_bytes", c.packed},
              {"barriers", c.barriers}}}};
  if (c.delay != 0) json["counts"]["delay_ps"] = c.delay;
  return json;
}

Json links_json(const Machine& machine) {
  Json list = Json::array();
  const auto given = [](double value) { return value < 0 ? Json(nullptr) : Json(value); };
  for (const LinkCost& c : machine.links)
    list.push_back(
        {{"kind", c.kind}, {"alpha_s", given(c.alpha)}, {"beta_s_per_byte", given(c.beta)}, {"latency_s", c.latency}});
  return list;
}

void read_links(const Json& json, Machine& machine) {
  if (!json.is_array()) throw Error(Error::Kind::format, "links: expected an array");
  for (const Json& link : json) {
    const std::string name = "link." + base::text_member(link, "kind");
    for (const auto& [member, key] :
         {std::pair{".alpha", "alpha_s"}, {".beta", "beta_s_per_byte"}, {".latency", "latency_s"}})
      if (const Json& value = base::member(link, key); value.is_number())
        machine::set_link(machine, name + member, fmt::format("{}", value.get<double>()));
  }
}

Json params_json(const Params& params) {
  Json json = Json::object();
  for (const auto& [name, values] : params.values()) json[name] = values;
  for (const auto& [name, text] : params.choices()) json[name] = text;
  return json;
}

Json choice_json(const Algorithm& a, const Params& params) {
  return {{"algorithm", a.name}, {"params", params_json(params)}, {"choice", to_text(a, params)}};
}

}  // namespace quadrille::report
