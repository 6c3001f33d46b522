// Statistics of all communicators are added up here, and become the JSON that rank 0 gathers.
#include <nlohmann/json.hpp>

#include "dropin/channel.hpp"
#include "dropin/report.hpp"

namespace quadrille::dropin {

namespace {

using Json = nlohmann::ordered_json;

/// What a duel has found: that of the last communicator stands for all.
void add(Tally& t, const Straight& straight) {
  t.winner = straight.duel.plan_wins() && t.lost.empty() ? straight.choice : "native";
  t.tried.clear();
  if (straight.duel.native() == 0 || t.bytes == 0) return;
  const auto mean = static_cast<double>(t.mean());
  t.tried = {{"native", straight.duel.native() / mean}, {straight.choice, straight.duel.plan() / mean}};
}

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
    t->twice += row.twice;
    t->bytes += row.bytes;
    t->native_time += row.native_time + seconds_of(row.native.all(ticks()));
    t->untimed += row.native.calls() - row.native.timed();
    t->planned_time += row.planned_time;
    t->failed += row.failed;
    if (!row.lost.empty()) {
      t->lost = row.lost;
      t->lost_native = row.watch.native();
      t->lost_plan = row.watch.plan();
    }
    if (operation == Operation::alltoallv) {
      if (channel.straight() != nullptr) add(*t, *channel.straight());
      return;
    }
    const Contest& contest = row.contest;
    if (!contest.begun() || contest.running()) return;
    t->winner = contest.ways()[contest.winner()].choice;
    if (contest.ways().front().per_byte == 0) return;  // known from elsewhere
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
                   {"twice", t.twice},
                   {"untimed", t.untimed},
                   {"failed", t.failed},
                   {"lost", t.lost},
                   {"lost_native", t.lost_native},
                   {"lost_plan", t.lost_plan},
                   {"bytes", t.bytes},
                   {"native_s", t.native_time},
                   {"planned_s", t.planned_time},
                   {"winner", t.winner},
                   {"tried", t.tried}});
  return all.dump();
}

}  // namespace quadrille::dropin
