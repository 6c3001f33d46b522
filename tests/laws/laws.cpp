// What holds of every answer, tried with random questions: no time is below the limit that stands beside it, prices do
// not fall with bytes, rounds that do not wait for each other take what they are priced at, a sweep says what a plan
// says, and what is proven does what it should on threads.
//   quadrille_laws [questions] [seed]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cost/link_costs.hpp"
#include "planner/clock.hpp"
#include "quadrille/run.hpp"
#include "quadrille/sweep.hpp"
#include "quadrille/verify.hpp"
#include "question.hpp"

namespace quadrille::laws {

namespace {

/// Sums in another order differ in their last bits.
constexpr double rounding = 1e-9;

class Laws {
 public:
  explicit Laws(std::uint64_t seed) : questions_(seed) {}

  int try_all(std::int64_t questions) {
    for (std::int64_t i = 0; i < questions; ++i) {
      const Question q = questions_.next();
      std::string error;
      try {
        ask(q);
      } catch (const Error& thrown) {  // more than can be built says so
        if (thrown.kind() != Error::Kind::budget) error = thrown.what();
      }
      hold("an answer is no error", error.empty(), q, [&] { return error; });
    }
    for (const auto& [law, tried] : tried_) fmt::print("{:>8} {}\n", tried, law);
    fmt::print("{} questions, {} answers break a law\n", questions, broken_);
    return broken_ == 0 ? 0 : 1;
  }

 private:
  static constexpr std::int64_t most_messages = 20000;

  void ask(const Question& q) {
    const Plan found = plan(q.spec, q.machine);
    for (const Candidate& c : found.candidates)
      hold("a price is not below its limit", c.time >= found.bound.time * (1 - rounding), q, [&] {
        return fmt::format("{}: price {}, limit {} ({})", to_text(*c.algorithm, c.params), c.time, found.bound.time,
                           found.bound.binding);
      });
    if (!found.possible()) return;
    grows_with_bytes(q, found);
    if (questions_.below(8) == 0) sweeps_alike(q, found);
    const auto which = static_cast<std::size_t>(questions_.below(std::ssize(found.candidates)));
    simulate_one(q, found.candidates[which]);
    if (which != 0) simulate_one(q, found.best());
    if (questions_.below(16) == 0) runs(q, found.candidates[which]);
    if (questions_.below(16) == 0) plans_by_simulation(q);
  }

  void grows_with_bytes(const Question& q, const Plan& found) {
    if (q.spec.sources || q.spec.offsets) return;
    // Of the pairs of levels a plan prices a few, which differ from size to size.
    if (q.spec.topology->structure().per_node > 0) return;
    // Circuits may wait in a circle at one size and pass at another.
    if (std::any_of(found.refused.begin(), found.refused.end(),
                    [](const Refusal& r) { return r.reason.find("may come to a stop") != std::string::npos; }))
      return;
    Spec more = q.spec;
    more.bytes += 1 + questions_.below(more.bytes + 1);
    const Plan larger = plan(more, q.machine);
    // Of the algorithms that may be sent over routes a plan prices a few, too, which differ from size to size.
    if (larger.possible() && larger.best().params.has("inner")) return;
    hold("a price does not fall with bytes", larger.best().time >= found.best().time * (1 - rounding), q, [&] {
      return fmt::format("{} B {} by {}, {} B {} by {}", q.spec.bytes, found.best().time,
                         to_text(*found.best().algorithm, found.best().params), more.bytes, larger.best().time,
                         to_text(*larger.best().algorithm, larger.best().params));
    });
  }

  void sweeps_alike(const Question& q, const Plan& found) {
    SweepQuestion question{.points = {q.spec}, .machine = q.machine, .choices = {}, .proof = PlanOptions{}.proof};
    for (const Algorithm& a : algorithms())
      if (a.collective == q.spec.collective) question.choices.push_back({&a, {}});
    const std::vector<SweepRow> rows = sweep_point(question, 0);
    const auto best = std::find_if(rows.begin(), rows.end(), [](const SweepRow& r) { return r.best; });
    const std::string chosen = to_text(*found.best().algorithm, found.best().params);
    const std::string swept =
        best == rows.end() ? "nothing" : best->algorithm + (best->params.empty() ? "" : ":" + best->params);
    hold("a sweep chooses what a plan chooses", swept == chosen, q,
         [&] { return fmt::format("plan {}, sweep {}", chosen, swept); });
  }

  /// Rounds that cost what they are priced at: one message at most for each link and port, and closed forms that are
  /// exact; on the network that switches as the machine does. What was searched for may have its longest way and its
  /// longest message at different ranks.
  static bool priced_as_simulated(const Question& q, const Built& built) {
    if (built.choice.algorithm->searched && built.formula.hops > built.formula.startups) return false;
    return built.claims.exact && built.claims.contention_free && built.claims.port_free && q.machine.burst == 0 &&
           built.formula.further == 0 && q.network == usual_network(q.machine, *q.spec.topology) &&
           !q.spec.topology->shared_medium() && !q.machine.multicast;
  }

  void simulate_one(const Question& q, const Candidate& c) {
    if (q.network == Network::circuit && q.spec.topology->shared_medium()) return;
    const Built built = build(q.spec, q.machine, {c.algorithm, c.params});
    if (!planner::outline(q.spec, q.machine, *built.schedule, most_messages).whole) return;
    const std::string name = to_text(*c.algorithm, c.params);
    Timeline played;
    try {
      played = simulate(q.spec, q.machine, *built.schedule, {.order = q.order, .network = q.network});
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::budget || error.kind() == Error::Kind::illegal) return;
      throw;
    }
    const Bound least = limit(q.spec, q.machine, q.network);
    hold("a simulated time is not below its limit", played.makespan >= least.time, q, [&] {
      return fmt::format("{}: simulated {}, limit {} ({}: {})", name, played.makespan, least.time, least.binding,
                         least.parts.front().why);
    });
    hold("a simulated time is not below what a rank's own messages take",
         played.makespan >= planner::outline(q.spec, q.machine, *built.schedule, most_messages, q.order).at_least, q,
         [&] { return fmt::format("{}: simulated {}", name, played.makespan); });
    if (q.order == Order::lockstep && priced_as_simulated(q, built)) {
      const Seconds price = seconds(built.formula, q.machine, *q.spec.topology);
      const double off = played.makespan / price - 1;
      // The message that crosses most links may be another one than the longest. Prices charge a receiver for every
      // message, simulations for those that are buffered; and a price counts bytes on slower links up to whole ones.
      const bool alike =
          q.machine.overhead_receive == 0 && (q.machine.per_hop == 0 || built.formula.hops == built.formula.startups);
      const double rounded = cost::LinkCosts(q.machine, *q.spec.topology).alike()
                                 ? 0
                                 : static_cast<double>(built.formula.startups) * q.machine.beta / price;
      hold(alike ? "lockstep takes the price" : "lockstep takes no longer than the price",
           q.spec.bytes == 0 || (off < 1e-6 && (!alike || off > -1e-6 - rounded)), q,
           [&] { return fmt::format("{}: {:.4g} off", name, off); });
    }
  }

  void plans_by_simulation(const Question& q) {
    if (q.network == Network::circuit && q.spec.topology->shared_medium()) return;
    const Plan found =
        plan(q.spec, q.machine,
             {.effort = Effort::simulate, .order = q.order, .network = q.network, .messages = 4 * most_messages});
    if (!found.possible() || found.best().timing.how != Timing::How::timed) return;
    hold("a simulated plan is not below its limit", found.best().known() >= found.bound.time, q, [&] {
      return fmt::format("{}: {}, limit {} ({})", to_text(*found.best().algorithm, found.best().params),
                         found.best().known(), found.bound.time, found.bound.binding);
    });
  }

  void runs(const Question& q, const Candidate& c) {
    if (q.spec.ranks() > 16 || q.spec.bytes > 4096 || q.spec.topology->nodes() != q.spec.ranks()) return;
    const Built built = build(q.spec, q.machine, {c.algorithm, c.params});
    if (built.schedule->shape().rounds > 200) return;
    Machine in_turns = q.machine;  // on threads no circuit waits for another
    if (in_turns.switching == Switching::circuit) in_turns.switching = Switching::wormhole;
    const bool proven = verify(q.spec, in_turns, *built.schedule, built.claims).holds;
    bool ran = true;
    try {
      run_threads(q.spec, *built.schedule, {.repetitions = 1});
    } catch (const Error&) {
      ran = false;
    }
    hold("what is proven runs, and what runs is proven", proven == ran, q,
         [&] { return fmt::format("{}: proven {}, ran {}", to_text(*c.algorithm, c.params), proven, ran); });
  }

  template <class Tell>
  void hold(const std::string& law, bool holds, const Question& q, Tell tell) {
    ++tried_[law];
    if (holds) return;
    if (++broken_ > 40) return;
    fmt::print("BROKEN {}: {}\n    {}\n    {}\n", law, to_text(q), tell(), constants(q.machine));
  }
  static std::string constants(const Machine& m) {
    std::string text = to_text(m);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return m.name == "random" ? text : std::string();
  }

  Questions questions_;
  std::map<std::string, std::int64_t> tried_;
  std::int64_t broken_ = 0;
};

}  // namespace

}  // namespace quadrille::laws

int main(int argc, char** argv) try {
  if (argc > 3 || (argc > 1 && std::string_view(argv[1]).find_first_not_of("0123456789") == 0)) {
    fmt::print("Usage: quadrille_laws [questions] [seed], both whole numbers\n");
    return 2;
  }
  const std::int64_t questions = argc > 1 ? std::stoll(argv[1]) : 10000;
  const std::uint64_t seed = argc > 2 ? std::stoull(argv[2]) : 1;
  return quadrille::laws::Laws(seed).try_all(questions);
} catch (const std::exception& error) {
  fmt::print("quadrille_laws: {}\n", error.what());
  return 2;
}
