#include "planner/measure.hpp"

#include <algorithm>
#include <chrono>

namespace quadrille::planner {

namespace {

constexpr std::size_t most_measured = 6;
constexpr double slowest = 4;         ///< of what is measured, in expected times of the best
constexpr int turns = 5;              ///< after one that warms up and checks the data
constexpr Seconds short_time = 5e-3;  ///< shorter runs are repeated within a turn: the scheduler's share is large
constexpr int repeated = 4;

struct Way {
  Candidate* candidate;
  Built built;
  Order order;
  std::vector<Seconds> times = {};
};

Seconds median(std::vector<Seconds> times) {
  std::sort(times.begin(), times.end());
  const std::size_t n = times.size();
  return (times[(n - 1) / 2] + times[n / 2]) / 2;
}

}  // namespace

std::vector<Candidate*> worth_measuring(Plan& plan) {
  std::vector<Candidate*> chosen;
  const Seconds best = plan.best().known();
  for (Candidate& c : plan.candidates) {
    const bool known =
        std::any_of(chosen.begin(), chosen.end(), [&](const Candidate* w) { return w->algorithm == c.algorithm; });
    if (known || c.timing.how == Timing::How::impossible || c.known() > slowest * best) continue;
    if (chosen.size() == most_measured) break;
    chosen.push_back(&c);
  }
  return chosen;
}

void rank_by_measure(Plan& plan, const PlanOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto over = [&] {
    return std::chrono::duration<Seconds>(std::chrono::steady_clock::now() - begin).count() > options.seconds;
  };
  const auto perform = [&](const Way& way, const RunOptions& how) {
    if (options.begun) options.begun(*way.candidate);
    RunOptions ordered = how;
    ordered.order = way.order;
    return options.run ? options.run(way.built, ordered) : run_threads(plan.spec, *way.built.schedule, ordered);
  };
  std::vector<Way> ways;
  for (Candidate* const c : worth_measuring(plan))
    ways.push_back({c, build(plan.spec, plan.machine, {c->algorithm, c->params}),
                    order_to_perform(plan.spec, plan.machine, {c->algorithm, c->params}).order});
  Seconds longest = 0;
  for (Way& way : ways) {
    way.times = perform(way, {.repetitions = 1}).times;
    longest = std::max(longest, way.times.front());
  }
  const RunOptions how{.repetitions = longest < short_time ? repeated : 1, .check = false};
  for (int turn = 0; turn < turns && !over(); ++turn)
    for (Way& way : ways) {
      const std::vector<Seconds> more = perform(way, how).times;
      way.times.insert(way.times.end(), more.begin(), more.end());
    }
  for (Way& way : ways) way.candidate->measured = {Timing::How::timed, median(way.times)};
  const auto unmeasured = [](const Candidate& c) { return c.measured.how != Timing::How::timed; };
  std::stable_sort(plan.candidates.begin(), plan.candidates.end(), [&](const Candidate& a, const Candidate& b) {
    if (unmeasured(a) || unmeasured(b)) return unmeasured(a) < unmeasured(b);
    return a.measured.time < b.measured.time;
  });
}

}  // namespace quadrille::planner
