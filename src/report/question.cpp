// The request in words.
#include <fmt/format.h>

#include "base/text.hpp"
#include "collective/spec_json.hpp"
#include "collective/traits.hpp"
#include "machine/keys.hpp"
#include "report/json.hpp"
#include "topology/grid.hpp"

namespace quadrille::report {

namespace {

std::string size_words(const Spec& s) {
  if (!s.sources || s.sources->count() == 0) return base::format_bytes(s.bytes);
  Bytes least = s.bytes;
  for (Slot i = 0; i < s.sources->count(); ++i) least = std::min(least, s.sources->bytes(i));
  return least == s.bytes ? base::format_bytes(s.bytes)
                          : fmt::format("{} to {}", base::format_bytes(least), base::format_bytes(s.bytes));
}

std::string need(const Spec& s) { return collective::traits(s).need(s, size_words(s), base::format_count(s.ranks())); }

std::string network_words(const Topology& t) {
  const std::string_view f = t.family();
  std::string kind(f);
  if (f == "hypercube") kind = fmt::format("{}-dimensional hypercube", t.degree());
  if (const auto* grid = dynamic_cast<const topology::Grid*>(&t))
    kind = fmt::format("{} {}", base::join(grid->sides(), " x "), f);
  if (f == "memory") kind = "shared memory";
  if (f == "crossbar") kind = "non-blocking switch";
  if (f == "omega") kind = "Omega network";
  if (f == "fly" || f == "bifly") kind = "butterfly network";
  const bool vowel = kind.find_first_of("aeiouAEIO") == 0 || kind.starts_with("8") || kind.starts_with("11 ") ||
                     kind.starts_with("18 ") || kind.starts_with("11-") || kind.starts_with("18-");
  return (vowel ? "an " : "a ") + kind;
}

}  // namespace

std::string question(const Spec& s, const Machine& machine) {
  return fmt::format("What is the fastest way for {}, on {} with the costs of machine {}?", need(s),
                     network_words(*s.topology), machine.name);
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
  return {{"name", m.name},
          {"description", m.description},
          {"counts", m.alpha == 1 && m.beta == 1},
          {"constants", constants}};
}

Json network_json(const Topology& t) {
  Json json{{"family", t.family()},       {"text", t.text()},     {"ranks", t.ranks()},
            {"nodes", t.nodes()},         {"wires", t.wires()},   {"diameter", t.diameter()},
            {"bisection", t.bisection()}, {"direct", t.direct()}, {"shared_medium", t.shared_medium()}};
  if (const auto* grid = dynamic_cast<const topology::Grid*>(&t)) json["sides"] = grid->sides();
  if (t.family() == "fly" || t.family() == "bifly" || t.family() == "omega") {
    const std::string text = t.text();  // "fly:4^2", "omega:3"
    const std::string arguments = text.substr(text.find(':') + 1);
    const std::size_t power = arguments.find('^');
    json["arity"] = power == std::string::npos ? 2 : std::stoll(arguments.substr(0, power));
    json["stages"] = std::stoll(power == std::string::npos ? arguments : arguments.substr(power + 1));
  }
  return json;
}

}  // namespace quadrille::report
