#include <nlohmann/json.hpp>

#include "dropin/channel.hpp"
#include "dropin/report.hpp"

namespace quadrille::dropin {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

void add(std::vector<Tally>& tallies, const Channel& channel) {
  channel.each_row([&](Operation operation, int size_class, const Row& row) {
    Tally* t = nullptr;
    for (Tally& other : tallies)
      if (other.operation == operation && other.size_class == size_class && other.topology == channel.topology())
        t = &other;
    if (t == nullptr) {
      tallies.push_back({.operation = operation, .size_class = size_class, .ranks = channel.ranks()});
      t = &tallies.back();
      t->topology = channel.topology();
    }
    t->calls += row.calls;
    t->planned += row.planned;
    t->bytes += row.bytes;
    t->native_time += row.native_time;
    t->planned_time += row.planned_time;
    const Contest& contest = row.contest;
    if (!contest.begun() || contest.running()) return;
    t->winner = contest.ways()[contest.winner()].choice;
    t->tried.clear();
    for (const Way& way : contest.ways())
      if (way.per_byte > 0) t->tried.emplace_back(way.choice, way.per_byte);
  });
}

std::string to_text(const std::vector<Tally>& tallies) {
  Json all = Json::array();
  for (const Tally& t : tallies)
    all.push_back({{"operation", to_string(t.operation)},
                   {"size_class", t.size_class},
                   {"ranks", t.ranks},
                   {"topology", t.topology},
                   {"calls", t.calls},
                   {"planned", t.planned},
                   {"bytes", t.bytes},
                   {"native_s", t.native_time},
                   {"planned_s", t.planned_time},
                   {"winner", t.winner},
                   {"tried", t.tried}});
  return all.dump();
}

}  // namespace quadrille::dropin
