// The network in the document: what is needed to draw it, and messages on their way through it.
#include "report/json.hpp"
#include "topology/graph/drawing.hpp"
#include "topology/graph/routed.hpp"
#include "topology/grid.hpp"

namespace quadrille::report {

namespace {

using topology::Drawing;

/// Wires of a network that has no structure to draw it by: pairs of ranks. So many ranks are looked at.
Json joined(const Topology& t) {
  constexpr Rank most = 512;
  Json pairs = Json::array();
  for (Rank a = 0; a < t.nodes() && t.nodes() <= most; ++a)
    for (Rank b = a + 1; b < t.nodes(); ++b)
      if (t.distance(a, b) == 1 || t.distance(b, a) == 1) pairs.push_back({a, b});
  return pairs;
}

/// Where each link leads, and what vertices are called where that is not their number.
void add_links(Json& json, const Topology& t) {
  constexpr Link most = 16384;
  if (t.links() > most || t.vertices() > Drawing::most_vertices) return;
  json["vertices"] = t.vertices();
  Json& ends = json["links"] = Json::array();
  for (Link link = 0; link < t.links(); ++link) ends.push_back(t.tail(link)), ends.push_back(t.head(link));
  const auto* const routed = dynamic_cast<const topology::Routed*>(&t);
  Json names = Json::array();
  bool numbers = true;
  for (Rank v = 0; v < t.vertices() && routed != nullptr; ++v) {
    names.push_back(routed->vertex_name(v));
    numbers = numbers && names.back() == std::to_string(v);
  }
  if (!numbers) json["names"] = std::move(names);
}

/// A number is a vertex, an object a part.
Json part_json(const Drawing& part) {
  if (part.vertex >= 0) return part.vertex;
  Json json{{"rows", Json::array()}};
  for (const std::vector<Drawing>& row : part.rows) {
    Json& list = json["rows"].emplace_back(Json::array());
    for (const Drawing& inner : row) list.push_back(part_json(inner));
  }
  if (part.ring) json["ring"] = true;
  if (!part.name.empty()) json["name"] = part.name;
  return json;
}

/// What is regular about it, or how people draw it.
Json shape_json(const Topology& t) {
  Json json{{"ranks", t.ranks()}, {"nodes", t.nodes()}, {"direct", t.direct()}, {"shared_medium", t.shared_medium()}};
  const Topology::Structure structure = t.structure();
  if (structure.grid != nullptr) {
    json["sides"] = structure.grid->sides();
    json["wraps"] = structure.grid->wraps();
  } else if (structure.cube > 0) {
    json["dimension"] = structure.cube;
  } else if (structure.ring) {
    json["ring"] = true;
  } else if (structure.stages) {
    json["arity"] = structure.stages->arity;
    json["stages"] = structure.stages->stages;
    json["shuffled"] = structure.stages->shuffled;
    json["two_sided"] = structure.stages->two_sided;
  } else if (const Drawing drawing = t.drawing(); drawing.like != nullptr) {
    json["drawn"]["like"] = shape_json(*drawing.like);
    if (!drawing.places.empty()) json["drawn"]["places"] = drawing.places;
    if (drawing.per_node > 0) json["drawn"]["per_node"] = drawing.per_node;
  } else if (!drawing.none()) {
    json["drawn"] = part_json(drawing);
  }
  return json;
}

}  // namespace

Json network_json(const Topology& t) {
  Json json{{"family", t.family()},
            {"text", t.text()},
            {"wires", t.wires()},
            {"diameter", t.diameter()},
            {"bisection", t.bisection()}};
  json.update(shape_json(t));
  const bool structured = json.contains("sides") || json.contains("dimension") || json.contains("ring");
  if (t.structure().routed && !t.direct())
    add_links(json, t);
  else if (!structured && t.contended() && t.direct() && !t.shared_medium())
    json["joined"] = joined(t);
  return json;
}

}  // namespace quadrille::report
