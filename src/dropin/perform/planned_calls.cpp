#include "dropin/perform/planned_calls.hpp"

#include "dropin/decide/proposal.hpp"

namespace quadrille::dropin {

namespace {

constexpr Bytes most_memory = Bytes{1} << 30;  ///< of one call

bool takes_too_much(const Request& request, int ranks) {
  const bool of_a_block = facts_of(request.operation).bytes == BytesAre::of_a_block;
  return request.bytes > (of_a_block ? most_memory / ranks : most_memory);
}

}  // namespace

/// Collective: the first decision on a row, or that it is put off.
void PlannedCalls::meet(const Request& request, Row& row) {
  Decision& decision = row.decision;
  decision.native_only = true;
  if (takes_too_much(request, group_.ranks())) return;
  const TrialResult* const kept = known_result(request, group_.circumstances(), group_.program().settings);
  if (kept != nullptr && kept->choice == "native") return;
  const std::string found = group_.found(RowTable::place(request.operation, request.bytes));
  const Clock::time_point begin = Clock::now();
  const Meeting meeting = group_.meet(request, row, found);
  if (!meeting.same_call || (meeting.same_found && found == "native")) return;
  if (!meeting.same_found && kept == nullptr && !meeting.affordable) {
    decision.native_only = false;
    decision.pace.postpone(meeting.patience);
    return;
  }
  if (!group_.open_private(meeting, rows_) || decision.trial.begun()) return;  // or taken over, as it was decided
  begin_trial(request, row, meeting, found);
  if (decision.trial.running()) group_.program().trial_time.began(since(begin));
}

/// Collective: between MPI and what was found, or what rank 0 proposes.
void PlannedCalls::begin_trial(const Request& request, Row& row, const Meeting& meeting, const std::string& found) {
  Decision& decision = row.decision;
  Proposal proposal{.choices = {found}, .known = true};
  if (!meeting.same_found) {
    const ProgramState& program = group_.program();
    const std::string text =
        group_.rank() == 0 ? to_text(propose(request, group_.circumstances(), program.settings)) : "";
    proposal = parse_proposal(group_.plans().peers().broadcast(text, 0));
  }
  decision.pace.begin(meeting.native_call);
  if (proposal.choices.empty()) {
    group_.remember(RowTable::place(request.operation, request.bytes), "native");
    return;
  }
  decision.trial.begin(proposal.choices, proposal.known, facts_of(request.operation).tried_in_a_row);
  decision.native_only = false;
}

/// Collective: whether ranks want the same, and the trial may take one more turn. Where it costs more than it can win,
/// or trials have taken too much of the program's time, the next calls are MPI's.
bool PlannedCalls::may_go_on(const Request& request, Row& row) {
  Decision& decision = row.decision;
  const TrialTime& time = group_.program().trial_time;
  std::vector<double> said{decision.pace.cost_after_next(), time.spent + decision.pace.next_turn(), time.since_begin()};
  if (!group_.all_ask(request, &said)) {
    decision.trial.stop();
    decision.native_only = true;
    return false;
  }
  return decision.pace.goes_on(group_.program().settings.budget,
                               {.cost = said[0], .spent = said[1], .since_begin = said[2]}, row.calls,
                               decision.trial.could_win());
}

int PlannedCalls::take_turn(const Request& request, Row& row, const Buffers& buffers, const Native& native) {
  const auto begin = Clock::now();
  const bool goes_on = may_go_on(request, row);
  const int code = goes_on ? hold_turn(request, row, buffers, native) : by_mpi(row, native);
  group_.program().trial_time.spent += row.decision.pace.took(since(begin), goes_on);
  return code;
}

int PlannedCalls::hold_turn(const Request& request, Row& row, const Buffers& buffers, const Native& native) {
  ChoiceTrial& trial = row.decision.trial;
  const std::size_t choice = trial.next();
  mpi::plan_handle* const plan = choice > 0 ? plan_for(request, row, choice) : nullptr;
  group_.plans().peers().barrier();  // every choice starts alike, whoever had to make a plan
  const bool once = facts_of(request.operation).in_place == InPlace::overwrites && buffers.in_place;  // on all ranks
  const std::size_t calls = once ? 1 : trial.calls();
  int code = MPI_SUCCESS;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < calls && code == MPI_SUCCESS; ++i)
    if (plan != nullptr)
      run(*plan, request, buffers);
    else
      code = native();
  const Seconds took =
      since(begin) / static_cast<double>(calls) + (plan != nullptr ? ChoiceTrial::finding_a_plan : Seconds{0});
  (plan != nullptr ? row.planned_time : row.native_time) += took;
  if (plan != nullptr) ++row.planned;
  const auto bytes = static_cast<double>(request.bytes);
  const bool refused = choice > 0 && plan == nullptr;
  if (trial.took(refused ? ChoiceTrial::refused(bytes) : took, bytes)) {
    group_.plans().peers().reduce_to_all(trial.pending(), MPI_MAX);
    trial.judge();
    if (!trial.running()) conclude(request, row);
  }
  return code;
}

void PlannedCalls::conclude(const Request& request, Row& row) {
  const ChoiceTrial& trial = row.decision.trial;
  const TriedChoice& best = trial.choices()[trial.winner()];
  row.decision.native_only = trial.winner() == 0;
  row.decision.watch = PlanWatch(trial.choices().front().per_byte, best.per_byte);
  const std::size_t place = RowTable::place(request.operation, request.bytes);
  group_.remember(place, best.name);
  group_.plans().drop_losers(place, trial.winner());
}

/// A call that the winner answers, or MPI where both are compared.
int PlannedCalls::use_plan(const Request& request, Row& row, mpi::plan_handle& plan, const Buffers& buffers,
                           const Native& native) {
  const auto [code, took] = by_plan_or_mpi(
      row, [&] { run(plan, request, buffers); }, native);
  const bool ends = row.decision.watch.took(took, static_cast<double>(request.bytes));
  if (ends && group_.program().settings.watch) end_stage(request, row);
  return code;
}

/// Collective: the end of a stage of the watch. A plan that has lost gives way to MPI.
void PlannedCalls::end_stage(const Request& request, Row& row) {
  Decision& decision = row.decision;
  std::vector<double> mean{decision.watch.mean()};
  if (!group_.all_ask(request, &mean)) return;
  decision.watch.judge(mean.front());
  if (!decision.watch.lost()) return;
  decision.lost = decision.trial.choices()[decision.trial.winner()].name;
  decision.trial.stop();
  decision.native_only = true;
  const std::size_t place = RowTable::place(request.operation, request.bytes);
  group_.remember(place, "native");
  group_.plans().drop_losers(place, 0);
}

mpi::plan_handle* PlannedCalls::plan_for(const Request& request, const Row& row, std::size_t choice) {
  return group_.plans().plan_for(request, row.decision.trial, choice, [&] { return group_.all_ask(request); });
}

void PlannedCalls::run(mpi::plan_handle& plan, const Request& request, const Buffers& buffers) {
  Buffers here = buffers;
  here.packer = {group_.plans().peers().comm(), group_.rank()};
  const Ends ends(request, here, staging_);
  plan.start(ends.in(), ends.out());
  group_.mismatch().await([&] { return plan.test(); });
  ends.finish();
}

int PlannedCalls::answer(const Request& request, Row& row, const Buffers& buffers, const Native& native) {
  Decision& decision = row.decision;
  const ChoiceTrial& trial = decision.trial;
  if (!trial.begun()) {
    if (!decision.pace.meets_before_this_call()) return by_mpi(row, native);
    meet(request, row);
  }
  if (decision.native_only || !trial.begun() || !group_.together()) return by_mpi(row, native);
  if (trial.running()) return decision.pace.rests() ? by_mpi(row, native) : take_turn(request, row, buffers, native);
  mpi::plan_handle* const plan = plan_for(request, row, trial.winner());
  return plan != nullptr ? use_plan(request, row, *plan, buffers, native) : by_mpi(row, native);
}

}  // namespace quadrille::dropin
