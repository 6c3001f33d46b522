// The schedule in the document: every message, or where that is too much the traffic between groups of ranks.
#include "report/json.hpp"
#include "report/trace.hpp"
#include "traffic/traffic.hpp"

namespace quadrille::report {

namespace {

Json lists_json(const Dictionary& dictionary) {
  Json json = Json::array();
  for (const Numbers* list : dictionary.lists()) json.push_back(*list);
  return json;
}

Json routes_json(const std::vector<std::pair<std::int64_t, Numbers>>& routes) {
  Json json = Json::array();
  for (const auto& [name, way] : routes)
    if (!way.empty()) json.push_back({name, way});
  return json;
}

Json divided_json(const std::vector<Trace::Divided>& divided) {
  Json json = Json::array();
  for (const Trace::Divided& d : divided) json.push_back({d.pair, d.widest, d.shares});
  return json;
}

Json trace_json(const Spec& spec, const Schedule& schedule, const Trace& trace) {
  const bool combined = combines(spec);
  Json json{{"detail", !trace.with_items ? "messages"
                       : combined        ? "contributions"
                                         : "blocks"},
            {"rounds", schedule.shape().rounds},
            {"pieces", schedule.shape().cut.pieces()},
            {"pieces_move", trace.pieces_move},
            {"naming", {{"kind", trace.naming.text()}, {"sides", trace.naming.sides()}}},
            {"blocks", {{"kind", to_string(trace.blocks.kind)}, {"count", trace.blocks.count}}},
            {"items", lists_json(trace.items)},
            {"actions", lists_json(trace.actions)},
            {"steps", trace.steps},
            {"initial", trace.initial},
            {"wanted", trace.wanted},
            {"routes", routes_json(trace.routes)},
            {"pair_routes", routes_json(trace.pair_routes)},
            {"routes_known", trace.routes_known}};
  if (!trace.divided.empty()) json["divided"] = divided_json(trace.divided);
  if (!trace.with_items || !combined) return json;
  json["sets"] = lists_json(trace.sets);
  json["made"] = trace.made;
  return json;
}

constexpr Rank most_ranks = 1024;  // whose messages are shown one by one
constexpr Rank most_groups = 64;

/// Adds what lockstep neighbours of one representative say of all ranks.
class Matrix {
 public:
  explicit Matrix(Rank ranks) : ranks_(ranks), groups_(std::min(ranks, most_groups)) {
    bytes_.assign(static_cast<std::size_t>(groups_ * groups_), 0.0);
  }
  void add(Rank from, Rank to, double bytes) {
    bytes_[static_cast<std::size_t>(group(from) * groups_ + group(to))] += bytes;
  }
  Json json() const { return {{"groups", groups_}, {"ranks", ranks_}, {"bytes", bytes_}}; }

 private:
  Rank group(Rank r) const { return r * groups_ / ranks_; }
  Rank ranks_, groups_;
  std::vector<double> bytes_;
};

}  // namespace

Json schedule_json(const Spec& spec, const Schedule& schedule) {
  if (spec.topology->nodes() <= most_ranks + 1)
    for (const bool with_items : {true, false})
      if (const std::optional<Trace> found = trace(spec, schedule, with_items))
        return trace_json(spec, schedule, *found);
  return {{"detail", "matrix"}, {"rounds", schedule.shape().rounds}, {"pieces", schedule.shape().cut.pieces()}};
}

Json matrix_json(const Spec& spec, const Schedule& schedule) {
  constexpr std::int64_t most_steps = std::int64_t{1} << 22;
  const Rank p = spec.ranks();
  const Round rounds = schedule.shape().rounds;
  if (rounds > 0 && p > most_steps / rounds) return nullptr;
  Matrix matrix(p);
  Summary summary;
  for (Round t = 0; t < rounds; ++t)
    for (Rank r = 0; r < p; ++r)
      for (const Summary::Message& m : summary.of(schedule, t, r))
        if (m.kind == Kind::send && m.peer != r && m.peer < p) matrix.add(r, m.peer, static_cast<double>(m.bytes));
  return matrix.json();
}

}  // namespace quadrille::report
