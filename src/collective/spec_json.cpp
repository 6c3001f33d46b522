#include "collective/spec_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_members.hpp"
#include "base/text.hpp"
#include "collective/reduction.hpp"
#include "quadrille/demands.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::collective {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t most = std::int64_t{1} << 62;

SourcesPtr sources_of(const Json& json, const Spec& spec) {
  const Json& ranks = base::member(json, "sources");
  if (ranks.is_string()) return parse_sources(ranks.get<std::string>(), *spec.topology, spec.bytes);
  const Json& bytes = base::member(json, "source_bytes");
  if (!ranks.is_array() || !bytes.is_array() || ranks.size() != bytes.size())
    throw base::wrong_member("sources", "as many ranks as source_bytes has lengths");
  std::vector<std::pair<Rank, Bytes>> list;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Json pair{{"sources", ranks[i]}, {"source_bytes", bytes[i]}};
    list.emplace_back(base::whole_member(pair, "sources", 0, spec.ranks() - 1),
                      base::whole_member(pair, "source_bytes", 0, most));
  }
  return make_sources(std::move(list));
}

/// [[from, to, bytes], ..], or the text of one.
DemandsPtr demands_of(const Json& json, const Spec& spec) {
  const Json& pairs = base::member(json, "demands");
  if (pairs.is_string()) return parse_demands(pairs.get<std::string>(), *spec.topology, spec.bytes);
  if (!pairs.is_array()) throw base::wrong_member("demands", "a list of [from, to, bytes]");
  std::vector<Demand> list;
  for (const Json& pair : pairs) {
    if (!pair.is_array() || pair.size() != 3) throw base::wrong_member("demands", "a list of [from, to, bytes]");
    const Json named{{"from", pair[0]}, {"to", pair[1]}, {"bytes", pair[2]}};
    list.push_back({base::whole_member(named, "from", 0, spec.ranks() - 1),
                    base::whole_member(named, "to", 0, spec.ranks() - 1), base::whole_member(named, "bytes", 0, most)});
  }
  return make_demands(spec.ranks(), std::move(list));
}

/// What a reduction adds to a question; what is missing has its default.
void read_reduction(const Json& json, Spec& spec) {
  if (json.contains("element")) spec.element = base::whole_member(json, "element", 1, most);
  for (const char* key : {"operands", "bits"})
    if (json.contains(key)) read_reduction_word(key, base::text_member(json, key), spec);
  if (!json.contains("offsets")) return;
  auto offsets = std::make_shared<std::vector<Bytes>>();
  for (const Json& offset : base::member(json, "offsets"))
    offsets->push_back(base::whole_member(Json{{"offsets", offset}}, "offsets", 0, most));
  if (offsets->empty() || offsets->front() != 0)
    throw base::wrong_member("offsets", "the start of every block, from 0");
  spec.offsets = std::move(offsets);
}

}  // namespace

Json to_json(const Spec& s) {
  const Facts& f = facts(s);
  Json json{{"collective", f.name}, {"topology", s.topology->text()}, {"ranks", s.ranks()}, {"bytes", s.bytes}};
  if (f.root) json["root"] = s.root;
  if (f.target) json["target"] = s.target;
  if (f.sources) {
    json["sources"] = s.sources->ranks;
    json["source_bytes"] = Json::array();
    for (Slot i = 0; i < s.sources->count(); ++i) json["source_bytes"].push_back(s.sources->bytes(i));
  }
  if (f.demands) {
    json["demands"] = Json::array();
    for (const Demand& pair : s.demands->pairs) json["demands"].push_back({pair.from, pair.to, pair.bytes});
  }
  if (f.combines && !f.token) {
    json["element"] = s.element;
    json["operands"] = s.operands == Operands::ordered ? "ordered" : "commutative";
    json["bits"] = s.canonical ? "canonical" : s.identical || !f.same_result ? "same" : "any";
    if (s.offsets) json["offsets"] = *s.offsets;
  }
  return json;
}

Spec spec_from_json(const Json& json) {
  Spec spec;
  const std::string name = base::text_member(json, "collective");
  const auto collective = find_collective(name);
  if (!collective) throw Error(Error::Kind::format, collective::unknown(name));
  spec.collective = *collective;
  spec.topology = parse_topology(base::text_member(json, "topology"));
  const Rank last = spec.ranks() - 1;
  if (json.contains("ranks")) base::whole_member(json, "ranks", spec.ranks(), spec.ranks());
  spec.bytes = base::whole_member(json, "bytes", 0, most);
  const Facts& f = facts(spec);
  if (f.root) spec.root = base::whole_member(json, "root", 0, last);
  if (f.target) spec.target = base::whole_member(json, "target", 0, last);
  if (f.sources) spec.sources = sources_of(json, spec);
  if (f.demands) spec.demands = demands_of(json, spec);
  if (f.combines && !f.token) read_reduction(json, spec);
  return checked(std::move(spec));
}

}  // namespace quadrille::collective
