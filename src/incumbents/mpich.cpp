// The JSON file by which MPICH selects algorithms: tests on a call, tried in the order written.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "collective/traits.hpp"
#include "incumbents/incumbents.hpp"
#include "incumbents/mpich_frame.hpp"

namespace quadrille::incumbents {

namespace {

using Json = nlohmann::ordered_json;

Json leaf(std::string_view collective, std::string_view name) {
  std::string word(collective);
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return {{fmt::format("algorithm=MPIR_{}_intra_{}", word, name), Json::object()}};
}

/// What a collective's sizes are compared with: a block of the rules times this, under this name.
struct SizeKey {
  std::string_view key;
  Rank times;
};
SizeKey size_key(const Rules& rules) {
  const bool of_all = rules.collective == Collective::allgather || rules.collective == Collective::reduce_scatter;
  if (of_all || rules.collective == Collective::gather || rules.collective == Collective::scatter)
    return {"total_msg_size", rules.ranks};
  return {"avg_msg_size", 1};
}

/// A numeric test without its "any" sibling aborts, so there is always one.
Json by_size(const Rules& rules, std::string_view collective) {
  const SizeKey size = size_key(rules);
  Json tests = Json::object();
  for (std::size_t i = 0; i < rules.rules.size(); ++i) {
    const bool last = i + 1 == rules.rules.size();
    const std::string key =
        last ? fmt::format("{}=any", size.key) : fmt::format("{}<{}", size.key, rules.rules[i + 1].from * size.times);
    tests[key] = leaf(collective, rules.rules[i].use.own->name);
  }
  return tests;
}

/// Halving moves parts of vectors, which needs operands that may change places and as many elements as ranks.
Json reducing(const Rules& rules, std::string_view collective) {
  const bool to_root = rules.collective == Collective::reduce;
  const Json other = leaf(collective, to_root ? "binomial" : "recursive_doubling");
  Json chosen = by_size(rules, collective);
  if (to_root || rules.collective == Collective::allreduce)
    chosen = {{"is_op_built_in=yes", {{"count<pow2", other}, {"count=any", chosen}}}, {"is_op_built_in=no", other}};
  return {{"is_commutative=yes", chosen}, {"is_commutative=no", other}};
}

}  // namespace

std::string mpich_text(const std::vector<Rules>& all) {
  Json frame = Json::parse(mpich_frame_text);
  for (const Rules& rules : all) {
    const std::string_view name = collective::traits(rules.collective).facts().name;
    for (const std::string& collective : {std::string(name), std::string(name) + "_block"}) {
      const std::string key = "collective=" + collective;
      if (!frame.contains(key)) continue;
      Json& intra = frame[key]["comm_type=intra"];
      const bool reduces = collective::traits(rules.collective).facts().combines;
      // In place the frame's own choice stays: others would need data that is not in place.
      (rules.collective == Collective::alltoall ? intra["is_sendbuf_inplace=no"] : intra) =
          reduces ? reducing(rules, collective) : by_size(rules, collective);
    }
  }
  return frame.dump(1) + "\n";
}

std::string mpich_settings(const std::vector<Rules>& all) {
  std::string text;
  for (const Rules& rules : all) {
    const std::string_view name = collective::traits(rules.collective).facts().name;
    std::string word(name);
    for (char& c : word)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    for (const std::string_view kind : {"", "_BLOCK"})
      if (kind.empty() || rules.collective == Collective::reduce_scatter)
        text +=
            fmt::format("export MPIR_CVAR_{}{}_INTRA_ALGORITHM={}\n", word, kind, rules.rules.front().use.own->name);
  }
  return text;
}

}  // namespace quadrille::incumbents
