#include "cli/json.hpp"

#include "cli/parts/machine_notes.hpp"
#include "collective/spec_json.hpp"
#include "machine/keys.hpp"
#include "report/json.hpp"

namespace quadrille::cli {

Json json_of(const Spec& s) { return collective::to_json(s); }

Json json_of(const Machine& m) {
  Json json{{"name", m.name}, {"description", m.description}};
  for (const machine::MachineKey* key : machine::keys_as_shown())
    json[machine::json_name(*key)] = std::visit([](auto value) { return Json(value); }, machine::value_of(m, *key));
  if (!m.links.empty()) json["links"] = report::links_json(m);
  return json;
}

Json json_of(const MeasuredOn& m) {
  if (!m.known()) return nullptr;
  const auto text = [](const std::string& value) { return value.empty() ? Json(nullptr) : Json(value); };
  const auto number = [](std::int64_t value) { return value == 0 ? Json(nullptr) : Json(value); };
  return {{"transport", m.transport}, {"library", text(m.library)}, {"topology", text(m.topology)},
          {"date", text(m.date)},     {"hosts", number(m.hosts)},   {"ranks", number(m.ranks)},
          {"cores", number(m.cores)}};
}

Json json_of(const Task& task) {
  Json machine = json_of(task.machine);
  machine["default"] = task.by_default;
  machine["measured"] = json_of(task.file.measured);
  return {{"spec", json_of(task.spec)}, {"machine", machine}, {"machine_notes", notes(task)}};
}

Json json_of(const Params& params) { return report::params_json(params); }

Json json_of(const Cost& c, const Task& task) { return report::cost_json(c, task.machine, *task.spec.topology); }

Json json_of(const Bound& bound, const Task& task) { return report::bound_json(bound, task.spec, task.machine); }

Json json_of(const Assurance& a) {
  if (a.how == Assurance::How::none) return nullptr;
  return {{"state", to_string(a.how)},
          {"visits", a.visits},
          {"counted", a.counted},
          {"why", a.why.empty() ? Json(nullptr) : Json(a.why)},
          {"result", a.result.empty() ? Json(nullptr) : Json(a.result)}};
}

Json json_of(const Algorithm& algorithm, const Params& params) { return report::choice_json(algorithm, params); }

}  // namespace quadrille::cli
