// The request in words.
#include <fmt/format.h>

#include "base/text.hpp"
#include "collective/spec_json.hpp"
#include "collective/traits.hpp"
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
  const auto row = [&](std::string_view key, std::string_view meaning, Json value, std::string_view unit) {
    Json json{{"key", key}, {"meaning", meaning}, {"value", std::move(value)}, {"unit", unit}};
    json["source"] = "", json["honesty"] = "";
    for (const Machine::Origin& o : m.origins)
      if (o.key == key) json["source"] = o.source, json["honesty"] = to_string(o.honesty);
    return json;
  };
  Json constants = Json::array(
      {row("alpha", "start-up of one message", m.alpha, "s"),
       row("overhead_send", "processor time of a rank for each message that it sends", m.overhead_send, "s"),
       row("overhead_receive", "processor time of a rank for each message that it receives", m.overhead_receive, "s"),
       row("eager_limit", "with overheads: shorter messages are done at their sender at once, where they are simulated",
           m.eager_limit, "B"),
       row("per_hop", "set-up of a circuit, for each link it crosses", m.per_hop, "s"),
       row("beta", "one byte on a wire", m.beta, "s/B"), row("gamma", "reducing one byte in a rank", m.gamma, "s/B"),
       row("rho", "copying one byte within a rank", m.rho, "s/B"),
       row("barrier", "barrier of all ranks", m.barrier, "s"),
       row("barrier_log2", "... and for each doubling of the ranks", m.barrier_log2, "s"),
       row("burst", "wire time an idle link lets through at once, where messages are simulated", m.burst, "s"),
       row("ports", "messages a rank sends and receives at once", to_string(m.ports), ""),
       row("duplex", "whether both directions of a wire work at once", to_string(m.duplex), ""),
       row("switching", "how messages pass nodes on their way", to_string(m.switching), ""),
       row("circuit", "how hops are charged", to_string(m.circuit), ""),
       row("multicast", "the same data to several neighbours at once", m.multicast, ""),
       row("shared", "accesses a bus or shared memory serves at once", m.shared, "")});
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
