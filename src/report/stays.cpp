#include "report/stays.hpp"

#include <algorithm>
#include <cmath>

namespace quadrille::report {

namespace {

constexpr std::int64_t most_stays = 16'000;  // that are shown; other ranks are left out
constexpr double ticks = 1e6;                // in the makespan

}  // namespace

Stays::Stays(Rank ranks, Round rounds)
    : ranks_(ranks), every_(std::max<Rank>(1, (ranks * rounds + most_stays - 1) / most_stays)) {}

void Stays::stayed(const Stay& s) {
  if (s.rank % every_ != 0 || s.end <= s.begin) return;
  stays_.push_back(s);
  if (s.message != nullptr) stays_.back().last = s.message->from;  // the message itself is gone when the run is over
}

Json Stays::json(const SimulateOptions& how, Seconds makespan) {
  if (!(makespan > 0)) return nullptr;
  Json json{{"order", to_string(how.order)},
            {"network", to_string(how.network)},
            {"simulated_s", makespan},
            {"tick_s", makespan / ticks},
            {"why_names", {"sent", "arrived", "copied", "barrier", "round", "skew", "combined"}},
            {"ranks", Json::array()}};
  for (Rank r = 0; r < ranks_; r += every_) json["ranks"].push_back(r);
  for (const char* column : {"rank", "round", "begin", "sent", "end", "why", "because"}) json[column] = Json::array();
  const auto tick = [&](Seconds t) { return std::llround(t / makespan * ticks); };
  std::stable_sort(stays_.begin(), stays_.end(), [](const Stay& a, const Stay& b) { return a.rank < b.rank; });
  for (const Stay& s : stays_) {
    if (s.rank >= ranks_) continue;  // a shared memory
    json["rank"].push_back(s.rank);
    json["round"].push_back(s.round);
    json["begin"].push_back(tick(s.begin));
    json["sent"].push_back(tick(std::clamp(s.sent, s.begin, s.end)));
    json["end"].push_back(tick(s.end));
    json["why"].push_back(static_cast<int>(s.why));
    json["because"].push_back(s.last);
  }
  return json;
}

}  // namespace quadrille::report
