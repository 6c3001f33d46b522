#include "dropin/perform/exchange_calls.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "dropin/decide/proposal.hpp"

namespace quadrille::dropin {

/// Collective: the first decision, or that it is put off.
void ExchangeCalls::meet(Row& row, Bytes bytes) {
  Decision& decision = row.decision;
  decision.native_only = true;
  const Settings& settings = group_.program().settings;
  const TrialResult* const kept = known_result(any_call_, group_.circumstances(), settings);
  const bool by_demands_alone = facts_of(any_call_.operation).to_neighbours;
  const bool mpi_won = kept != nullptr && kept->choice == "native";
  if (by_demands_alone && (mpi_won || group_.ranks() > most_ranks_by_demands)) return;
  RankGroup::Met meeting = group_.meet(any_call_, row, "");
  if (!meeting.same_call) return;
  if (kept == nullptr && !meeting.affordable) {
    decision.native_only = false;
    decision.pace.postpone(meeting.patience);
    return;
  }
  if (!group_.open_private(meeting, rows_)) return;
  if (plans().met) return;  // taken over, with whatever was decided
  plans().met = true;
  decision.native_only = false;
  if (by_demands_alone) return;
  const Request mine{.operation = any_call_.operation, .bytes = bytes};
  const std::string text = group_.rank() == 0 ? to_text(propose(mine, group_.circumstances(), settings)) : "";
  const Proposal proposal = parse_proposal(group_.plans().peers().broadcast(text, 0));
  decision.native_only = proposal.choices.empty() ||
                         !group_.plans().make_straight(any_call_.operation, proposal.choices.front(), proposal.known);
}

/// Collective, in a call of a trial from the second on.
void ExchangeCalls::ask_for_demands(const ExchangeCall& call) {
  const std::int64_t sizes = call.sizes(group_.rank());
  const std::int64_t before = std::exchange(last_, sizes);
  const bool may = plans().by_demands == nullptr && made_ < most_made && asked_ < most_asked &&
                   group_.ranks() <= most_ranks_by_demands;
  if (!may || before == 0) return;
  ++asked_;
  const DemandsPtr demands = demands_of_all(group_.plans().peers(), call, sizes == before);
  if (demands && !plan_by_demands(demands)) asked_ = most_asked;  // nor would it be made of the next call's
}

/// Collective: a plan for what ranks have for each other, should it promise more than messages that go straight.
bool ExchangeCalls::plan_by_demands(const DemandsPtr& demands) {
  if (demands->pairs.empty()) return false;
  const Settings& settings = group_.program().settings;
  const std::string choice = group_.plans().peers().broadcast(
      group_.rank() == 0 ? propose_by_demands(demands, group_.circumstances(), settings) : "", 0);
  if (choice.empty() || !group_.plans().make_by_demands(any_call_.operation, demands, choice)) return false;
  ++made_;
  plans().trial = ExchangeTrial();
  return true;
}

/// Collective: whether any two ranks agree on what one gives to the other. MPI forbids that they do not, but lets some
/// such programs pass.
bool ExchangeCalls::balanced(const ExchangeCall& call) {
  std::vector<std::int64_t> sum{call.balance(group_.rank())};
  group_.plans().peers().reduce_to_all(sum, MPI_BXOR);
  if (sum.front() == 0) return true;
  group_.part(fmt::format("ranks disagree in an {} on how much one gives to another", to_string(any_call_.operation)));
  return false;
}

/// Collective: whether calls have become longer or shorter since both were compared, or whether a rank has memory by
/// now that others can read, which the plan would not look for.
void ExchangeCalls::end_pause() {
  if (!group_.all_ask(any_call_)) return;
  const StraightPlan* const straight = plans().straight.get();
  std::vector<double> most{plans().trial.mean(), straight != nullptr && straight->could_share() ? 1.0 : 0.0};
  group_.plans().peers().reduce_to_all(most, MPI_MAX);
  if (most[1] > 0 && group_.plans().make_straight(any_call_.operation, std::string(straight->choice), false)) return;
  plans().trial.look(most[0]);
}

/// Collective: false where some rank has something else. Where that is so more often than not, the plan goes.
bool ExchangeCalls::run_by_demands(const ExchangeCall& call) {
  constexpr int few = 8;
  DemandPlan& plan = *plans().by_demands;
  const bool answers = plan.answers(call);
  ++(answers ? as_planned_ : others_);
  if (answers) {
    plan.start(call);
    group_.mismatch().await([&] { return plan.test(); });
    plan.finish();
  } else if (others_ >= few && others_ > as_planned_) {
    plans().by_demands.reset();
    plans().trial = ExchangeTrial();
    as_planned_ = others_ = 0;
    last_ = asked_ = 0;  // what they are now may stay
  }
  return answers;
}

/// Collective: false where no plan answers the call.
bool ExchangeCalls::run(const ExchangeCall& call) {
  if (plans().by_demands != nullptr && run_by_demands(call)) return true;
  StraightPlan* const straight = plans().straight.get();
  if (straight == nullptr) return false;
  straight->start(call);
  group_.mismatch().await([&] { return straight->test(); });
  straight->finish(call);
  return true;
}

/// A call of a trial: answered by MPI and by the plan, with the same result.
int ExchangeCalls::answer_twice(Row& row, const ExchangeCall& call, Bytes bytes, const Native& native) {
  if (!group_.all_ask(any_call_) || !balanced(call)) return by_mpi(row, native);
  ask_for_demands(call);
  StraightPlan* const straight = plans().straight.get();
  if (straight == nullptr && plans().by_demands == nullptr) {
    row.decision.native_only = asked_ >= most_asked || made_ >= most_made;
    return by_mpi(row, native);
  }
  if (call.in_place) straight->keep(call);
  ExchangeTrial& trial = plans().trial;
  const bool plan_first = trial.plan_first();
  std::array<Seconds, 2> took{};  // native, plan
  for (const bool by_plan : {plan_first, !plan_first}) {
    if (call.in_place && by_plan != plan_first) straight->lay_back(call);
    group_.plans().peers().barrier();
    const std::size_t calls = call.in_place ? 1 : trial.calls();
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) {
      if (by_plan && run(call)) continue;
      if (const int code = native(); code != MPI_SUCCESS) return code;
    }
    took[by_plan ? 1 : 0] = since(begin) / static_cast<double>(calls);
    if (by_plan) took[1] += ChoiceTrial::finding_a_plan;
  }
  row.native_time += took[0];
  row.planned_time += took[1];
  ++row.planned;
  ++row.twice;
  if (trial.took(took[0], took[1], static_cast<double>(bytes))) {
    group_.plans().peers().reduce_to_all(trial.pending(), MPI_MAX);
    trial.judge();
    row.decision.watch = PlanWatch(trial.native(), trial.plan());
  }
  return MPI_SUCCESS;
}

/// A call that the plan answers, or MPI where both are compared.
int ExchangeCalls::use_plan(Row& row, const ExchangeCall& call, const Native& native) {
  const auto [code, took] = by_plan_or_mpi(
      row, [&] { return run(call); }, native);
  Decision& decision = row.decision;
  if (!decision.watch.took(took, 1) || !group_.program().settings.watch) return code;
  std::vector<double> mean{decision.watch.mean()};
  if (!group_.all_ask(any_call_, &mean)) return code;
  decision.watch.judge(mean.front());
  if (!decision.watch.lost()) return code;
  decision.lost = plans().choice();
  decision.native_only = true;
  return code;
}

int ExchangeCalls::answer(Row& row, const ExchangeCall& call, Bytes bytes, const Native& native) {
  if (!plans().met) {
    if (!row.decision.pace.meets_before_this_call()) return by_mpi(row, native);
    meet(row, bytes);
  }
  if (row.decision.native_only || !plans().met) return by_mpi(row, native);
  const ExchangeTrial& trial = plans().trial;
  if (!trial.running() && plans().trial.pause_ends(static_cast<double>(bytes))) end_pause();
  if (!group_.together()) return by_mpi(row, native);
  if (trial.running()) return answer_twice(row, call, bytes, native);
  return trial.plan_wins() ? use_plan(row, call, native) : by_mpi(row, native);
}

}  // namespace quadrille::dropin
