// What ranks do when, as the simulator sees it.
#include <algorithm>
#include <cmath>

#include "quadrille/simulate.hpp"
#include "quadrille/timeline.hpp"
#include "report/json.hpp"

namespace quadrille::report {

namespace {

constexpr std::int64_t most_messages = 300'000;  // that are simulated; a fraction of a second
constexpr std::int64_t most_stays = 16'000;      // that are shown; other ranks are left out
constexpr double ticks = 1e6;                    // in the makespan

/// Keeps the stays of ranks 0, every, 2 every, ...
class Recorder final : public Observer {
 public:
  explicit Recorder(Rank every) : every_(every) {}
  void stayed(const Stay& s) override {
    if (s.rank % every_ == 0 && s.end > s.begin) stays_.push_back(s);
    if (!stays_.empty() && s.message != nullptr && stays_.back().rank == s.rank && s.end > s.begin)
      stays_.back().last = s.message->from;  // the message itself is gone when the run is over
  }
  /// Rank by rank, in order of time.
  std::vector<Stay> take() {
    std::stable_sort(stays_.begin(), stays_.end(), [](const Stay& a, const Stay& b) { return a.rank < b.rank; });
    return std::move(stays_);
  }

 private:
  Rank every_;
  std::vector<Stay> stays_;
};

Network network_of(const Machine& machine) {
  return machine.switching == Switching::store_and_forward ? Network::store_and_forward
         : machine.switching == Switching::circuit         ? Network::circuit
                                                           : Network::cut_through;
}

}  // namespace

Json events_json(const Plan& plan, const Schedule& schedule, std::int64_t messages) {
  if (messages == 0 || messages > most_messages) return nullptr;
  const Rank ranks = plan.spec.ranks();
  const std::int64_t all = ranks * schedule.shape().rounds;
  const Rank every = std::max<Rank>(1, (all + most_stays - 1) / most_stays);
  Recorder recorder(every);
  SimulateOptions options;
  options.network = network_of(plan.machine);
  options.observer = &recorder;
  Timeline timeline;
  try {
    timeline = simulate(plan.spec, plan.machine, schedule, options);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget && error.kind() != Error::Kind::illegal) throw;
    return nullptr;
  }
  if (!(timeline.makespan > 0)) return nullptr;
  Json json{{"order", to_string(options.order)},
            {"network", to_string(options.network)},
            {"simulated_s", timeline.makespan},
            {"tick_s", timeline.makespan / ticks},
            {"why_names", {"sent", "arrived", "copied", "barrier", "round", "skew", "combined"}},
            {"ranks", Json::array()}};
  for (Rank r = 0; r < ranks; r += every) json["ranks"].push_back(r);
  for (const char* column : {"rank", "round", "begin", "sent", "end", "why", "because"}) json[column] = Json::array();
  const auto tick = [&](Seconds t) { return std::llround(t / timeline.makespan * ticks); };
  for (const Stay& s : recorder.take()) {
    if (s.rank >= ranks) continue;  // a shared memory
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
