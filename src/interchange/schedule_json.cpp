// Schedules as JSON, the form for tools, written and read: docs/schema/schedule.json.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/json_members.hpp"
#include "base/text.hpp"
#include "interchange/json_parts.hpp"
#include "interchange/mscclpp.hpp"
#include "interchange/schedule_ways.hpp"

namespace quadrille::interchange {

namespace {

/// Different peers that the rank sends to in one round: its messages.
std::vector<Rank> peers_of(const std::vector<Transfer>& all, Rank r) {
  std::vector<Rank> peers;
  for (const Transfer& x : all)
    if (x.kind == Kind::send && x.peer != r) peers.push_back(x.peer);
  std::sort(peers.begin(), peers.end());
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  return peers;
}

void read_step(const Json& step, schedule::Table& table, std::int64_t& transfers) {
  const Rank rank = base::whole_member(step, "rank", 0, table.shape.ranks - 1);
  schedule::Entry entry{base::whole_member(step, "round", 0, std::max<Round>(0, table.shape.rounds - 1)), {}};
  const Json& list = base::member(step, "do");
  if (!list.is_array()) throw base::wrong_member("do", "a list of sends and receives");
  for (const Json& item : list) {
    try {
      entry.transfers.push_back(transfer_from_json(item));
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("rank {}, round {}, transfer {}: {}", rank, entry.round,
                                            entry.transfers.size(), error.what()));
    }
    if (++transfers > most_transfers)
      throw Error(Error::Kind::budget, fmt::format("more than {} transfers, the most there can be", most_transfers));
  }
  if (!entry.transfers.empty()) table.ranks[static_cast<std::size_t>(rank)].push_back(std::move(entry));
}

ScheduleFile file_from(const Json& json) {
  ScheduleFile file = head_from_json(json);
  file.table.ranks.resize(static_cast<std::size_t>(file.ranks));
  const Json& steps = base::member(json, "steps");
  if (!steps.is_array()) throw base::wrong_member("steps", "a list of what ranks do in rounds");
  std::int64_t transfers = 0;
  for (const Json& step : steps) read_step(step, file.table, transfers);
  file.table = schedule::checked(std::move(file.table));
  if (json.contains("ways")) file.ways = ways_from_json(json["ways"], file.ranks);
  return file;
}

}  // namespace

std::int64_t write_schedule_json(const Written& w, const TextSink& sink) {
  check_ranks_only(w.spec, "a schedule file");
  constexpr std::size_t flush = 1 << 16;
  const Shape& shape = w.schedule.shape();
  std::string text = "{\n";
  const Json head = head_json(w);
  for (const auto& [key, value] : head.items())
    fmt::format_to(std::back_inserter(text), "\"{}\": {},\n", key, value.dump());
  text += "\"steps\": [";
  Collected collected;
  std::int64_t messages = 0;
  const TopologyPtr network = w.schedule.network();
  std::set<std::pair<Rank, Rank>> pairs;
  const char* between = "\n";
  for (Rank r = 0; r < shape.ranks; ++r) {
    const Schedule::Rounds active = w.schedule.active(r);
    for (Round t = active.first; t < active.end; ++t) {
      const std::vector<Transfer>& all = collected.all(w.schedule, t, r);
      if (all.empty()) continue;
      const std::vector<Rank> peers = peers_of(all, r);
      messages += std::ssize(peers);
      if (network)
        for (const Rank peer : peers) pairs.emplace(r, peer);
      std::vector<std::string> items;
      for (const Transfer& x : all) items.push_back(transfer_text(x));
      fmt::format_to(std::back_inserter(text), R"({}{{"rank": {}, "round": {}, "do": [{}]}})", between, r, t,
                     base::join(items, ", "));
      between = ",\n";
      if (text.size() >= flush) sink(text), text.clear();
    }
  }
  text += "\n]";
  if (network) text += ",\n\"ways\": " + ways_text(*network, pairs);
  sink(text + "}\n");
  return messages;
}

ScheduleFile read_schedule_json(const std::string& text, const std::string& name) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    const std::string_view said = error.what();  // "[json.exception.parse_error.101] parse error at line 2 ..."
    const std::string_view end_of_code = "] ";
    const std::size_t at = said.find(end_of_code);
    const std::string_view why = at == said.npos ? said : said.substr(at + end_of_code.size());
    throw Error(Error::Kind::format, fmt::format("{}: no JSON: {}", base::quoted(name, 200), base::quoted(why, 200)));
  }
  try {
    return is_mscclpp(json) ? read_mscclpp(json, name) : file_from(json);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", base::quoted(name, 200), error.what()));
  }
}

}  // namespace quadrille::interchange
