// What an algorithm is called and costs, as JSON: the same in a report and in the answers of commands.
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

Json params_json(const Params& params) {
  Json json = Json::object();
  for (const auto& [name, values] : params.values()) json[name] = values;
  return json;
}

Json choice_json(const Algorithm& a, const Params& params) {
  return {{"algorithm", a.name}, {"params", params_json(params)}, {"choice", to_text(a, params)}};
}

}  // namespace quadrille::report
