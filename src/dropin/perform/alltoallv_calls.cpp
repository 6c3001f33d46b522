#include "dropin/perform/alltoallv_calls.hpp"

#include <array>

#include "dropin/decide/proposal.hpp"

namespace quadrille::dropin {

namespace {

const Request any_call{.operation = Operation::alltoallv};  ///< as all ranks see it: without bytes

}  // namespace

/// Collective: the first decision, or that it is put off.
void AlltoallvCalls::meet(Row& row, Bytes bytes) {
  Decision& decision = row.decision;
  decision.native_only = true;
  const Settings& settings = group_.program().settings;
  const bool kept = known_result(any_call, group_.circumstances(), settings) != nullptr;
  RankGroup::Met meeting = group_.meet(any_call, row, "");
  if (!meeting.same_call) return;
  if (!kept && !meeting.affordable) {
    decision.native_only = false;
    decision.pace.postpone(meeting.patience);
    return;
  }
  if (!group_.open_private(meeting, rows_)) return;
  if (group_.plans().alltoallv() != nullptr) return;  // taken over, with whatever was decided
  const Request mine{.operation = Operation::alltoallv, .bytes = bytes};
  const std::string text = group_.rank() == 0 ? to_text(propose(mine, group_.circumstances(), settings)) : "";
  const Proposal proposal = parse_proposal(group_.plans().peers().broadcast(text, 0));
  if (proposal.choices.empty()) return;
  decision.native_only = !group_.plans().make_alltoallv(proposal.choices.front(), proposal.known);
}

/// Collective, in the second call of a trial: where all ranks have as much for each other as in the first, a
/// plan for that, should it promise more than messages that go straight.
void AlltoallvCalls::plan_by_demands(const AlltoallvCall& call) {
  const mpi::Peers& peers = group_.plans().peers();
  const DemandsPtr demands = demands_of_all(peers, call, call.sizes(group_.rank(), group_.ranks()) == first_);
  if (!demands || demands->pairs.empty()) return;
  const Settings& settings = group_.program().settings;
  const std::string choice =
      peers.broadcast(group_.rank() == 0 ? propose_by_demands(demands, group_.circumstances(), settings) : "", 0);
  if (choice.empty() || !group_.plans().make_by_demands(demands, choice)) return;
  ++made_;
  trial() = AlltoallvTrial();
}

/// Collective: whether any two ranks agree on what one gives to the other. MPI forbids that they do not, but lets some
/// such programs pass.
bool AlltoallvCalls::balanced(const AlltoallvCall& call) {
  std::vector<std::int64_t> sum{call.balance(group_.rank(), group_.ranks())};
  group_.plans().peers().reduce_to_all(sum, MPI_BXOR);
  if (sum.front() == 0) return true;
  group_.part("ranks disagree in an MPI_Alltoallv on how much one gives to another");
  return false;
}

/// Collective: whether calls have become longer or shorter since both were compared, or whether a rank has memory by
/// now that others can read, which the plan would not look for.
void AlltoallvCalls::end_pause() {
  if (!group_.all_ask(any_call)) return;
  std::vector<double> most{trial().mean(), plan().could_share() ? 1.0 : 0.0};
  group_.plans().peers().reduce_to_all(most, MPI_MAX);
  if (most[1] > 0 && group_.plans().make_alltoallv(std::string(plan().choice), false)) return;
  trial().look(most[0]);
}

/// Collective: false where some rank has something else. Where that is so more often than not, the plan goes.
bool AlltoallvCalls::run_by_demands(const AlltoallvCall& call) {
  constexpr int few = 8;
  DemandPlan& plan = *group_.plans().by_demands();
  const bool answers = plan.answers(call);
  ++(answers ? as_planned_ : others_);
  if (answers) {
    plan.start(call);
    group_.mismatch().await([&] { return plan.test(); });
    plan.finish(call);
  } else if (others_ >= few && others_ > as_planned_) {
    group_.plans().drop_by_demands();
    trial() = AlltoallvTrial();
    as_planned_ = others_ = 0;
    if (made_ < most_made) on_trial_ = 0;  // what they are now may stay
  }
  return answers;
}

void AlltoallvCalls::run(const AlltoallvCall& call) {
  if (group_.plans().by_demands() != nullptr && run_by_demands(call)) return;
  plan().start(call);
  group_.mismatch().await([&] { return plan().test(); });
  plan().finish(call);
}

/// A call of a trial: answered by MPI and by the plan, with the same result.
int AlltoallvCalls::answer_twice(Row& row, const AlltoallvCall& call, Bytes bytes, const Native& native) {
  if (!group_.all_ask(any_call) || !balanced(call)) return by_mpi(row, native);
  if (++on_trial_ == 1) first_ = call.sizes(group_.rank(), group_.ranks());
  if (on_trial_ == 2) plan_by_demands(call);
  if (call.in_place) plan().keep(call);
  const bool plan_first = trial().plan_first();
  std::array<Seconds, 2> took{};  // native, plan
  for (const bool by_plan : {plan_first, !plan_first}) {
    if (call.in_place && by_plan != plan_first) plan().lay_back(call);
    group_.plans().peers().barrier();
    const std::size_t calls = call.in_place ? 1 : trial().calls();
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < calls; ++i)
      if (by_plan)
        run(call);
      else if (const int code = native(); code != MPI_SUCCESS)
        return code;
    took[by_plan ? 1 : 0] = since(begin) / static_cast<double>(calls);
    if (by_plan) took[1] += ChoiceTrial::finding_a_plan;
  }
  row.native_time += took[0];
  row.planned_time += took[1];
  ++row.planned;
  ++row.twice;
  if (trial().took(took[0], took[1], static_cast<double>(bytes))) {
    group_.plans().peers().reduce_to_all(trial().pending(), MPI_MAX);
    trial().judge();
    row.decision.watch = PlanWatch(trial().native(), trial().plan());
  }
  return MPI_SUCCESS;
}

/// A call that the plan answers, or MPI where both are compared.
int AlltoallvCalls::use_plan(Row& row, const AlltoallvCall& call, const Native& native) {
  const auto [code, took] = by_plan_or_mpi(
      row, [&] { run(call); }, native);
  Decision& decision = row.decision;
  if (!decision.watch.took(took, 1) || !group_.program().settings.watch) return code;
  std::vector<double> mean{decision.watch.mean()};
  if (!group_.all_ask(any_call, &mean)) return code;
  decision.watch.judge(mean.front());
  if (!decision.watch.lost()) return code;
  decision.lost = plan().choice;
  decision.native_only = true;
  return code;
}

int AlltoallvCalls::answer(Row& row, const AlltoallvCall& call, Bytes bytes, const Native& native) {
  const auto has_plan = [&] { return group_.plans().alltoallv() != nullptr; };
  if (!has_plan()) {
    if (!row.decision.pace.meets_before_this_call()) return by_mpi(row, native);
    meet(row, bytes);
  }
  if (row.decision.native_only || !has_plan()) return by_mpi(row, native);
  if (!trial().running() && trial().pause_ends(static_cast<double>(bytes))) end_pause();
  if (!group_.together()) return by_mpi(row, native);
  if (trial().running()) return answer_twice(row, call, bytes, native);
  return trial().plan_wins() ? use_plan(row, call, native) : by_mpi(row, native);
}

}  // namespace quadrille::dropin
