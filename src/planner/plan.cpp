#include "quadrille/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "algorithm/formula.hpp"
#include "planner/clock.hpp"
#include "planner/estimate.hpp"
#include "planner/measure.hpp"
#include "quadrille/wisdom.hpp"

namespace quadrille {

const Candidate* Plan::runner_up() const {
  for (const Candidate& c : candidates)
    if (c.algorithm != best().algorithm) return &c;
  return nullptr;
}

namespace {

/// Puts what an earlier plan found first, when it is proven again.
void recall(Plan& plan, const Wisdom& wisdom) {
  const Recalled found = wisdom.recall({plan.spec, plan.machine, plan.effort, plan.order, plan.network, plan.place});
  plan.not_recalled = found.why_not;
  if (!found.answer) return;
  const Choice& choice = found.answer->choice;
  const Seconds time = found.answer->time;
  auto at = std::find_if(plan.candidates.begin(), plan.candidates.end(), [&](const Candidate& c) {
    return c.algorithm == choice.algorithm && c.params == choice.params;
  });
  if (at == plan.candidates.end()) {  // a value that variants() does not propose here, though it is legal
    const Cost cost = algorithm::formula(*choice.algorithm, plan.spec, plan.machine, choice.params);
    at = plan.candidates.insert(
        at, {choice.algorithm, choice.params, cost, seconds(cost, plan.machine, *plan.spec.topology),
             choice.algorithm->claims(plan.spec, plan.machine, choice.params).exact});
  }
  (plan.effort == Effort::measure ? at->measured : at->timing) = {
      .how = Timing::How::timed, .time = time, .order = plan.order};
  at->assurance = {.how = Assurance::How::proven, .visits = std::int64_t{1} << 26};  // as recall() has it
  at->assurance.result = found.result;
  std::rotate(plan.candidates.begin(), at, at + 1);
  plan.recalled = true;
}

/// Those that somebody will rely on: the best, and all that are going to be performed.
std::vector<Candidate*> relied_on(Plan& plan) {
  if (!plan.possible()) return {};
  if (plan.effort == Effort::measure) return planner::worth_measuring(plan);
  return {&plan.candidates.front()};
}

/// Takes what has failed out of the plan, and says why.
void leave_out(Plan& plan, const Candidate& c) {
  const bool wrong = c.assurance.how == Assurance::How::wrong;
  if (wrong)
    plan.mistakes.push_back({c.algorithm, c.params, c.assurance.why});
  else if (std::none_of(plan.refused.begin(), plan.refused.end(),
                        [&](const Refusal& r) { return r.algorithm == c.algorithm; }))
    plan.refused.push_back(
        {c.algorithm, fmt::format("{} may come to a stop: {}", to_text(*c.algorithm, c.params), c.assurance.why)});
  std::erase_if(plan.candidates, [&](const Candidate& other) {
    return other.algorithm == c.algorithm && (wrong || other.params == c.params);
  });
}

/// Proves what will be relied on; false when some of that failed and is left out now.
bool stands(Plan& plan, const PlanOptions& options, const planner::CountedVisits& counted,
            std::vector<Candidate>& failed) {
  if (options.proof == 0) return true;
  for (Candidate* const c : relied_on(plan)) {
    c->assurance = planner::assure(plan.spec, plan.machine, {c->algorithm, c->params}, options.proof, plan.order,
                                   plan.network, {&c->cost, counted.of(*c)});
    if (c->timing.how == Timing::How::impossible && !c->assurance.fails())
      c->assurance.how = Assurance::How::stops, c->assurance.why = c->timing.why;
    if (!c->assurance.fails()) continue;
    failed.push_back(*c);
    leave_out(plan, failed.back());
    return false;
  }
  return true;
}

/// Ranks by the clock of the effort until what comes first has passed its proof. What fails may have kept others from
/// being timed, so that all are ranked anew without it.
void rank(Plan& plan, const PlanOptions& options, const planner::CountedVisits& counted,
          std::vector<Candidate>& failed) {
  const std::vector<Candidate> by_price = plan.candidates;
  for (bool again = true; again && plan.possible();) {
    if (plan.effort != Effort::estimate) planner::rank_by_clock(plan, options);
    again = !stands(plan, options, counted, failed);
    if (!again || plan.effort == Effort::estimate) continue;
    const std::vector<Candidate> left = std::exchange(plan.candidates, {});
    for (const Candidate& c : by_price)
      if (std::any_of(left.begin(), left.end(),
                      [&](const Candidate& l) { return l.algorithm == c.algorithm && l.params == c.params; }))
        plan.candidates.push_back(c);
  }
  if (plan.effort == Effort::measure && plan.possible()) planner::rank_by_measure(plan, options);
}

/// Without what failed before. What fails now is added to that; true where others were passed over for it, which may
/// be better than what is left.
bool attempt(Plan& plan, const Spec& request, const Machine& machine, const PlanOptions& options,
             std::vector<Candidate>& failed) {
  const std::vector<Algorithm>& known = options.algorithms != nullptr ? *options.algorithms : algorithms();
  planner::Estimate estimate = planner::estimate(request, machine, known, options.quick, failed);
  if (options.quick && !estimate.plan.possible()) estimate = planner::estimate(request, machine, known, false, failed);
  plan = std::move(estimate.plan);
  plan.effort = options.effort;
  plan.order = options.order.value_or(usual_order(machine));
  plan.network = options.network.value_or(usual_network(machine, *plan.spec.topology));
  if (plan.effort == Effort::measure) plan.place = options.place;
  if (plan.effort != Effort::estimate) plan.bound = limit(plan.spec, machine, plan.network);
  for (const Candidate& c : failed) leave_out(plan, c);
  if (plan.effort != Effort::estimate && plan.possible() && options.wisdom != nullptr) recall(plan, *options.wisdom);
  if (plan.recalled) return false;
  const std::size_t before = failed.size();
  rank(plan, options, estimate.visits, failed);
  if (!estimate.passed_over) return false;
  for (const Candidate& c : plan.candidates)
    if (c.timing.how == Timing::How::impossible) {
      failed.push_back(c);
      failed.back().assurance = {.how = Assurance::How::stops, .why = c.timing.why};
    }
  return failed.size() > before;
}

}  // namespace

Plan plan(const Spec& request, const Machine& machine, const PlanOptions& options) {
  constexpr int attempts = 8;
  Plan plan;
  std::vector<Candidate> failed;
  for (int i = 0; i < attempts && attempt(plan, request, machine, options, failed);) ++i;
  return plan;
}

PlanOptions to_perform(const Machine& machine) {
  constexpr std::int64_t messages = std::int64_t{1} << 14;
  constexpr double within = 3;  // prices of pipelines were seen to be two to five times too long
  // Without a burst prices are nearer: of 198 plans the best of so many took 1.02 times the least simulated in the mean
  // and 1.21 at most, the cheapest alone 1.07 and 2.1.
  constexpr std::size_t few = 16;
  if (!machine.has_overhead() && usual_order(machine) != Order::eager) return {};
  PlanOptions options{.effort = Effort::simulate, .messages = messages, .within = within};
  if (machine.burst == 0) options.cheapest = few;
  return options;
}

Order usual_order(const Machine& machine) { return machine.burst > 0 ? Order::eager : Order::dataflow; }

Network usual_network(const Machine& machine, const Topology& topology) {
  // A message that waits for its node's link must not keep the rank's own link from others.
  if (topology.structure().per_node > 0 && machine.switching != Switching::circuit) return Network::fluid;
  switch (machine.switching) {
    case Switching::store_and_forward:  // ranks keep messages and pass them on; switches do not
      return topology.direct() ? Network::store_and_forward : Network::cut_through;
    case Switching::circuit:
      return topology.shared_medium() ? Network::cut_through : Network::circuit;
    case Switching::wormhole:
      return Network::cut_through;
  }
  return Network::cut_through;
}

const std::vector<Network>& simulated_networks() {
  static const std::vector<Network> all{Network::free,         Network::store_and_forward, Network::cut_through,
                                        Network::circuit,      Network::wormhole,          Network::fluid,
                                        Network::fluid_latency};
  return all;
}

const std::vector<std::string>& measured_places() {
  static const std::vector<std::string> all{"threads", "openmpi", "mpich"};
  return all;
}

std::string_view to_string(Effort effort) {
  switch (effort) {
    case Effort::estimate:
      return "estimate";
    case Effort::simulate:
      return "simulate";
    case Effort::measure:
      return "measure";
  }
  return "estimate";
}

std::string_view to_string(Assurance::How how) {
  switch (how) {
    case Assurance::How::none:
      return "not asked";
    case Assurance::How::proven:
      return "proven";
    case Assurance::How::too_large:
      return "too large";
    case Assurance::How::stops:
      return "stops";
    case Assurance::How::wrong:
      return "wrong";
  }
  return "not asked";
}

std::string_view to_string(Timing::How how) {
  switch (how) {
    case Timing::How::none:
      return "not timed";
    case Timing::How::timed:
      return "timed";
    case Timing::How::stopped:
      return "stopped";
    case Timing::How::hopeless:
      return "hopeless";
    case Timing::How::too_large:
      return "too large";
    case Timing::How::impossible:
      return "impossible";
  }
  return "not timed";
}

}  // namespace quadrille
