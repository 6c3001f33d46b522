#include "dropin/perform/planned_calls.hpp"

#include "dropin/perform/limits.hpp"

namespace quadrille::dropin {

/// Whether results must have the same bits in all calls of the run, and might not.
bool PlannedCalls::keeps_bits(const Request& request) const {
  return request.by.rounds && group_.program().settings.bits != Bits::free;
}

/// Where bits are kept: whether a plan answers the first call, as it is asked for, or known to be faster. The same on
/// all ranks.
bool PlannedCalls::planned_from_first(const Request& request) const {
  if (request.by.canonical) return true;
  const Settings& settings = group_.program().settings;
  const TrialResult* const known = known_result(request, group_.circumstances(), settings);
  return known != nullptr ? known->choice != "native" : settings.mode == Mode::on;
}

/// Collective: what rank 0 proposes.
Proposal PlannedCalls::proposed(const Request& request) {
  const std::string text =
      group_.rank() == 0 ? to_text(propose(request, group_.circumstances(), group_.program().settings)) : "";
  return parse_proposal(group_.plans().peers().broadcast(text, 0));
}

/// Collective, before the first answer on a row whose bits are kept: whoever gives it gives all.
void PlannedCalls::meet_at_first(const Request& request, Row& row) {
  Decision& decision = row.decision;
  decision.native_only = true;
  if (takes_too_much(request, group_.ranks())) return;
  RankGroup::Met meeting = group_.meet(request, row, "");
  if (!meeting.same_call || !group_.open_private(meeting, rows_) || decision.trial.begun()) return;
  const Proposal proposal = proposed(request);
  if (proposal.choices.empty()) return;
  decision.trial.begin({proposal.choices.front()}, true);
  decision.native_only = false;
}

/// Collective: the first decision on a row, or that it is put off.
void PlannedCalls::meet(const Request& request, Row& row) {
  Decision& decision = row.decision;
  decision.native_only = true;
  if (takes_too_much(request, group_.ranks())) return;
  const TrialResult* const kept = known_result(request, group_.circumstances(), group_.program().settings);
  if (kept != nullptr && kept->choice == "native") return;
  const std::string found = keeps_bits(request) ? "" : group_.found(RowTable::place(request));
  const Clock::time_point begin = Clock::now();
  RankGroup::Met meeting = group_.meet(request, row, found);
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
  const Proposal proposal = meeting.same_found ? Proposal{.choices = {found}, .known = true} : proposed(request);
  decision.pace.begin(meeting.native_call);
  if (proposal.choices.empty()) {
    group_.remember(RowTable::place(request), "native");
    return;
  }
  decision.trial.begin(proposal.choices, proposal.known, facts_of(request.operation).tried_in_a_row);
  decision.native_only = false;
}

/// Collective: whether ranks want the same, and the trial may take one more turn. Where it costs more than it can win,
/// or trials have taken too much of the program's time, the next calls are MPI's.
PlannedCalls::Turn PlannedCalls::next_turn(const Request& request, Row& row, bool in_place) {
  Decision& decision = row.decision;
  const TrialTime& time = group_.program().trial_time;
  std::vector<double> said{decision.pace.cost_after_next(), time.spent + decision.pace.next_turn(), time.since_begin(),
                           in_place ? 1.0 : 0.0};
  if (!group_.all_ask(request, &said)) {
    decision.trial.stop();
    decision.native_only = true;
    return {};
  }
  const bool goes_on = decision.pace.goes_on(group_.program().settings.budget,
                                             {.cost = said[0], .spent = said[1], .since_begin = said[2]}, row.calls,
                                             decision.trial.could_win());
  return {.goes_on = goes_on, .in_place = said[3] > 0};  // of a reduce only the root knows
}

int PlannedCalls::take_turn(const Request& request, Row& row, const Buffers& buffers, const Native& native) {
  const auto begin = Clock::now();
  const Turn turn = next_turn(request, row, buffers.in_place);
  const int code = turn.goes_on ? hold_turn(request, row, turn, buffers, native) : by_mpi(row, native);
  group_.program().trial_time.spent += row.decision.pace.took(since(begin), turn.goes_on);
  return code;
}

int PlannedCalls::hold_turn(const Request& request, Row& row, Turn turn, const Buffers& buffers, const Native& native) {
  ChoiceTrial& trial = row.decision.trial;
  const std::size_t choice = trial.next();
  mpi::plan_handle* const plan = choice > 0 ? plan_for(request, row, choice) : nullptr;
  group_.plans().peers().barrier();  // every choice starts alike, whoever had to make a plan
  const bool overwrites = facts_of(request.operation).in_place == InPlace::overwrites && turn.in_place;
  const bool beside = row.decision.mpi_keeps && plan != nullptr;
  const std::size_t calls = (overwrites && !beside) || request.by.user ? 1 : trial.calls();
  Buffers here = buffers;
  here.beside = beside;
  int code = MPI_SUCCESS;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < calls && code == MPI_SUCCESS; ++i)
    if (plan != nullptr)
      run(*plan, request, here);
    else
      code = native();
  const Seconds took =
      since(begin) / static_cast<double>(calls) + (plan != nullptr ? ChoiceTrial::finding_a_plan : Seconds{0});
  if (beside) {
    code = by_mpi(row, native);
  } else {
    (plan != nullptr ? row.planned_time : row.native_time) += took;
    if (plan != nullptr) ++row.planned;
  }
  conclude_turn(request, row, took, choice > 0 && plan == nullptr);
  return code;
}

/// Collective at the end of a round.
void PlannedCalls::conclude_turn(const Request& request, Row& row, Seconds took, bool refused) {
  ChoiceTrial& trial = row.decision.trial;
  const auto bytes = static_cast<double>(request.bytes);
  if (!trial.took(refused ? ChoiceTrial::refused(bytes) : took, bytes)) return;
  group_.plans().peers().reduce_to_all(trial.pending(), MPI_MAX);
  trial.judge();
  if (!trial.running()) conclude(request, row);
}

void PlannedCalls::conclude(const Request& request, Row& row) {
  const ChoiceTrial& trial = row.decision.trial;
  const TriedChoice& best = trial.choices()[trial.winner()];
  row.decision.native_only = trial.winner() == 0 || row.decision.mpi_keeps;
  row.decision.watch = PlanWatch(trial.choices().front().per_byte, best.per_byte);
  const std::size_t place = RowTable::place(request);
  group_.remember(place, best.name);
  group_.plans().drop_losers(place, row.decision.mpi_keeps ? 0 : trial.winner());
}

/// A call that the winner answers, or MPI where both are compared.
int PlannedCalls::use_plan(const Request& request, Row& row, mpi::plan_handle& plan, const Buffers& buffers,
                           const Native& native) {
  const auto [code, took] = by_plan_or_mpi(
      row,
      [&] {
        run(plan, request, buffers);
        return true;
      },
      native);
  if (keeps_bits(request)) return code;  // nobody else may answer
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
  const std::size_t place = RowTable::place(request);
  group_.remember(place, "native");
  group_.plans().drop_losers(place, 0);
}

mpi::plan_handle* PlannedCalls::plan_for(const Request& request, const Row& row, std::size_t choice) {
  const bool at_first = keeps_bits(request) && !row.decision.mpi_keeps;
  return group_.plans().plan_for(request, row.decision.trial, choice, at_first, group_.program().settings.after,
                                 [&] { return group_.all_ask(request); });
}

void PlannedCalls::run(mpi::plan_handle& plan, const Request& request, const Buffers& buffers) {
  Buffers here = buffers;
  here.packer = {group_.plans().peers().comm(), group_.rank()};
  if (combines(request.operation)) plan.combine_by(here.by);
  const Ends ends(request, here, staging_);
  plan.start(ends.in(), ends.out());
  group_.mismatch().await([&] { return plan.test(); });
  ends.finish();
}

int PlannedCalls::answer(const Request& request, Row& row, const Buffers& buffers, const Native& native) {
  Decision& decision = row.decision;
  const ChoiceTrial& trial = decision.trial;
  if (!trial.begun()) {
    const bool first = row.calls == 1 && keeps_bits(request), later = decision.pace.meets_before_this_call();
    if (first && planned_from_first(request))
      meet_at_first(request, row);
    else if (first)
      decision.mpi_keeps = true;
    if (!trial.begun() && !later) return by_mpi(row, native);
    if (!trial.begun()) meet(request, row);
  }
  if (decision.native_only || !trial.begun() || !group_.together()) return by_mpi(row, native);
  if (decision.mpi_keeps && request.by.user) return by_mpi(row, native);  // nobody calls it without need
  if (trial.running()) return decision.pace.rests() ? by_mpi(row, native) : take_turn(request, row, buffers, native);
  mpi::plan_handle* const plan = plan_for(request, row, trial.winner());
  return plan != nullptr ? use_plan(request, row, *plan, buffers, native) : by_mpi(row, native);
}

}  // namespace quadrille::dropin
