#include "dropin/report/call_stats.hpp"

#include <nlohmann/json.hpp>

namespace quadrille::dropin {

namespace {

using Json = nlohmann::ordered_json;

/// What the trial of exchanges has found: that of the last communicator stands for all.
void add_exchange(CallStats& s, const ExchangeResult& result) {
  const auto& [choice, trial] = result;
  if (choice.empty()) return;
  s.winner = trial.plan_wins() && s.lost.empty() ? choice : "native";
  s.tried.clear();
  if (trial.native() == 0 || s.bytes == 0) return;
  const auto mean = static_cast<double>(s.mean());
  s.tried = {{"native", trial.native() / mean}, {choice, trial.plan() / mean}};
}

void add_trial(CallStats& s, const ChoiceTrial& trial) {
  if (!trial.begun() || trial.running()) return;
  s.winner = trial.choices()[trial.winner()].name;
  if (trial.choices().front().per_byte == 0) return;  // known from elsewhere
  s.tried.clear();
  for (const TriedChoice& tried : trial.choices())
    if (tried.per_byte > 0) s.tried.emplace_back(tried.name, tried.per_byte);
}

/// Those like `wanted`, added where there are none.
CallStats& stats_of(std::vector<CallStats>& all, CallStats wanted) {
  for (CallStats& s : all)
    if (s.alike(wanted)) return s;
  all.push_back(std::move(wanted));
  return all.back();
}

void add_later(std::vector<CallStats>& all, const CommunicatorStats& communicator) {
  communicator.later.each([&](Ending ending, Operation operation, bool rounds, int size_class, const LaterRow& row) {
    CallStats& s = stats_of(all, {.operation = operation,
                                  .rounds = rounds,
                                  .ending = ending,
                                  .size_class = size_class,
                                  .ranks = communicator.ranks,
                                  .topology = communicator.topology});
    s.calls += row.planned;
    s.planned += row.planned;
    s.bytes += row.bytes;
    s.over += row.over;
    s.lasted += row.lasted;
    s.waited += row.waited;
    s.planned_time += row.inside + row.waited;
    if (!row.tried.empty()) s.tried = row.tried;
    if (!row.tried.empty() || s.tried.empty()) s.winner = row.choice.empty() ? "native" : row.choice;
  });
}

Json to_json(const CallStats& s) {
  return {{"operation", to_string(s.operation)},
          {"rounds", s.rounds},
          {"ending", static_cast<int>(s.ending)},
          {"over", s.over},
          {"lasted_s", s.lasted},
          {"waited_s", s.waited},
          {"size_class", s.size_class},
          {"ranks", s.ranks},
          {"topology", s.topology},
          {"calls", s.calls},
          {"planned", s.planned},
          {"twice", s.twice},
          {"untimed", s.untimed},
          {"failed", s.failed},
          {"lost", s.lost},
          {"lost_native", s.lost_native},
          {"lost_plan", s.lost_plan},
          {"bytes", s.bytes},
          {"native_s", s.native_time},
          {"planned_s", s.planned_time},
          {"winner", s.winner},
          {"tried", s.tried}};
}

CallStats from_json(const Json& j) {
  CallStats s{.operation = find_operation(j.at("operation").get<std::string>()).value(),
              .rounds = j.value("rounds", false),
              .size_class = j.at("size_class").get<int>(),
              .ranks = j.at("ranks").get<Rank>()};
  s.topology = j.at("topology").get<std::string>();
  s.calls = j.at("calls").get<std::int64_t>();
  s.planned = j.at("planned").get<std::int64_t>();
  s.twice = j.at("twice").get<std::int64_t>();
  s.untimed = j.at("untimed").get<std::int64_t>();
  s.failed = j.value("failed", std::int64_t{0});
  s.ending = static_cast<Ending>(j.value("ending", 0));
  s.over = j.value("over", std::int64_t{0});
  s.lasted = j.value("lasted_s", 0.0);
  s.waited = j.value("waited_s", 0.0);
  s.lost = j.value("lost", std::string());
  s.lost_native = j.value("lost_native", 0.0);
  s.lost_plan = j.value("lost_plan", 0.0);
  s.bytes = j.at("bytes").get<Bytes>();
  s.native_time = j.at("native_s").get<double>();
  s.planned_time = j.at("planned_s").get<double>();
  s.winner = j.at("winner").get<std::string>();
  s.tried = j.at("tried").get<std::vector<std::pair<std::string, double>>>();
  return s;
}

}  // namespace

void add(std::vector<CallStats>& all, const CommunicatorStats& communicator) {
  communicator.rows.each([&](Operation operation, bool rounds, int size_class, const Row& row) {
    CallStats& s = stats_of(all, {.operation = operation,
                                  .rounds = rounds,
                                  .size_class = size_class,
                                  .ranks = communicator.ranks,
                                  .topology = communicator.topology});
    s.calls += row.calls;
    s.planned += row.planned;
    s.twice += row.twice;
    s.bytes += row.bytes;
    s.native_time += row.native_time + seconds_of(row.native.all(ticks()));
    s.untimed += row.native.calls() - row.native.timed();
    s.planned_time += row.planned_time;
    s.failed += row.failed;
    const Decision& decision = row.decision;
    if (!decision.lost.empty()) {
      s.lost = decision.lost;
      s.lost_native = decision.watch.native();
      s.lost_plan = decision.watch.plan();
    }
    if (!differs_by_rank(operation))
      add_trial(s, decision.trial);
    else
      add_exchange(s, communicator.exchange(operation));
  });
  add_later(all, communicator);
}

std::string to_text(const std::vector<CallStats>& all) {
  Json list = Json::array();
  for (const CallStats& s : all) list.push_back(to_json(s));
  return list.dump();
}

std::vector<CallStats> parse_call_stats(std::string_view text) {
  std::vector<CallStats> all;
  for (const Json& j : Json::parse(text)) all.push_back(from_json(j));
  return all;
}

}  // namespace quadrille::dropin
