// The request in words.
#include <fmt/format.h>

#include "base/text.hpp"
#include "collective/spec_json.hpp"
#include "collective/traits.hpp"
#include "machine/keys.hpp"
#include "report/json.hpp"

namespace quadrille::report {

namespace {

std::string size_words(const Spec& s) {
  const auto [least, most] = collective::lengths(s);
  return least == most ? base::format_bytes(most)
                       : fmt::format("{} to {}", base::format_bytes(least), base::format_bytes(most));
}

std::string need(const Spec& s) { return collective::traits(s).need(s, size_words(s), base::format_count(s.ranks())); }

}  // namespace

std::string question(const Spec& s, const Machine& machine) {
  return fmt::format("What is the fastest way for {}, on {} with the costs of machine {}?", need(s),
                     s.topology->describe(), machine.name);
}

Json request_json(const Spec& s) {
  Json json{{"collective", to_string(s.collective)},
            {"describes", describe(s.collective)},
            {"topology", s.topology->text()},
            {"ranks", s.ranks()},
            {"bytes", s.bytes},
            {"size_text", size_words(s)}};
  json.update(collective::to_json(s));
  json.erase("source_bytes");  // the page shows size_text
  return json;
}

Json machine_json(const Machine& m) {
  Json constants = Json::array();
  for (const machine::MachineKey* key : machine::keys_as_shown()) {
    Json& json = constants.emplace_back(Json{{"key", key->name}, {"meaning", key->meaning}});
    json["value"] = std::visit([](auto value) { return Json(value); }, machine::value_of(m, *key));
    json["unit"] = machine::unit_of(*key);
    json["source"] = "", json["honesty"] = "";
    for (const Machine::Origin& o : m.origins)
      if (o.key == key->name) json["source"] = o.source, json["honesty"] = to_string(o.honesty);
  }
  for (const LinkCost& c : m.links) {
    const auto add = [&](const char* what, double value, const char* unit, const std::string& meaning) {
      if (value >= 0)
        constants.push_back({{"key", "link." + c.kind + "." + what},
                             {"meaning", meaning + c.kind},
                             {"value", value},
                             {"unit", unit},
                             {"source", ""},
                             {"honesty", ""}});
    };
    add("alpha", c.alpha, "s", "start-up of a message only on links of kind ");
    add("beta", c.beta, "s/B", "one byte on links of kind ");
    add("latency", c.latency > 0 ? c.latency : -1, "s", "latency of links of kind ");
  }
  return {{"name", m.name},
          {"description", m.description},
          {"counts", m.alpha == 1 && m.beta == 1},
          {"constants", constants}};
}

}  // namespace quadrille::report
