#include "dropin/later/later_calls.hpp"

#include <algorithm>
#include <utility>

#include "dropin/later/trial_memory.hpp"
#include "dropin/perform/limits.hpp"

namespace quadrille::dropin {

LaterCalls::LaterCalls(MPI_Comm comm, RankGroup& group, RowTable& rows)
    : group_(group), rows_(rows), errors_(std::make_shared<ErrorHome>(ErrorHome{comm, group.rank()})) {}

LaterCalls::~LaterCalls() { errors_->comm = MPI_COMM_NULL; }

/// The program may free its operators before the call ends, so that has to come here; and it need not expect them to be
/// called by a thread of ours.
bool LaterCalls::may_plan(const Request& request) const {
  const bool operator_can_be_kept = group_.program().frees_come_here && !Engine::get().has_thread();
  return group_.together() && !errors_->broken && (!request.by.user || operator_can_be_kept) &&
         !differs_by_rank(request.operation) && !takes_too_much(request, group_.ranks());
}

std::shared_ptr<LaterRun> LaterCalls::run_of(std::unique_ptr<mpi::plan_handle::state> plan,
                                             std::shared_ptr<LaterRow> row, bool frees) {
  used_ = true;
  Engine::get().keep(group_.plans().number(), plan->home);
  return std::make_shared<LaterRun>(std::move(plan), std::move(row), errors_, frees);
}

/// Collective: what rank 0 proposes.
Proposal LaterCalls::proposed(const Request& request, Followed followed, Ending ending) {
  const std::string text =
      group_.rank() == 0
          ? to_text(propose(request, group_.circumstances(), group_.program().settings, followed, ending))
          : "";
  return parse_proposal(group_.plans().peers().broadcast(text, 0));
}

/// Collective: of what is proposed where no trial follows; empty: nothing.
std::string LaterCalls::first_that_can_be_made(const Request& request) {
  for (const std::string& choice : proposed(request, Followed::by_none, Ending::persistent).choices)
    if (group_.plans().make(request, choice) != nullptr) return choice;
  return {};
}

/// Collective: the first decision on a row; empty: MPI answers.
std::string LaterCalls::choice_at_init(const Request& request, const mpi::reduction& by, LaterRow& row) {
  const std::size_t place = RowTable::place(request) + LaterTrial::places_before;
  const std::string found = group_.found(place);
  Row none;  // calls that would be compared
  RankGroup::Met meeting = group_.meet(request, none, found);
  if (!meeting.same_call || !group_.open_private(meeting, rows_)) return {};
  if (meeting.same_found) return row.choice = found == "native" ? std::string() : found;
  const Clock::time_point begin = Clock::now();
  const Proposal proposal = proposed(request, Followed::by_trial, Ending::persistent);
  std::string choice;
  if (!proposal.choices.empty() && (proposal.known || request.by.canonical)) {
    choice = proposal.choices.front();
  } else if (!proposal.choices.empty()) {
    TrialMemory memory(request, by, group_);
    LaterTrial trial(memory.call(Ending::persistent), group_);
    if (trial.affordable(proposal.choices)) {
      choice = trial.winner(proposal.choices);
      row.tried = trial.tried();
    } else {
      choice = first_that_can_be_made(request);
    }
    group_.program().trial_time.began(since(begin));
  }
  group_.remember(place, choice.empty() ? "native" : choice);
  row.choice = choice;
  return choice;
}

int LaterCalls::init(const Request& request, const Buffers& buffers, MPI_Request* handle, const Native& native) {
  const std::shared_ptr<LaterRow> row = table_.shared_row(Ending::persistent, request);
  if (row->native_only || !group_.program().starts_come_here || !may_plan(request)) return native();
  if (row->choice.empty() && choice_at_init(request, buffers.by, *row).empty()) {
    row->native_only = true;
    return native();
  }
  if (!group_.all_ask(request)) return native();
  std::unique_ptr<mpi::plan_handle::state> plan = group_.plans().make(request, row->choice);
  if (plan == nullptr) return native();
  return Engine::get().prepare(run_of(std::move(plan), row, false), row,
                               std::make_shared<const KeptBuffers>(request, buffers), handle);
}

/// Whether MPI must answer, now and always, so that bits of results that round do not change in the run: it has
/// answered before, or nobody says that a plan shall.
bool LaterCalls::kept_for_mpi(const Request& request, const LaterRow& row) const {
  const Settings& settings = group_.program().settings;
  if (!request.by.rounds || settings.bits == Bits::free) return false;
  if (row.seen > 1 || !group_.plans().open()) return true;
  if (request.by.canonical || settings.mode == Mode::on) return false;
  const TrialResult* const known = known_result(request, group_.circumstances(), settings, Ending::non_blocking);
  return known == nullptr || known->choice == "native";
}

/// By this rank alone, alike on all: whether a plan answers the row from now on.
bool LaterCalls::decided_alone(const Request& request, const mpi::reduction& by, LaterRow& row) {
  const Settings& settings = group_.program().settings;
  const bool keeps_bits = request.by.rounds && settings.bits != Bits::free;
  if (kept_for_mpi(request, row)) {
    row.native_only = true;
    return false;
  }
  if (!keeps_bits && row.seen <= settings.after) return false;
  if (!group_.plans().open()) {
    wants_communicator_ = true;
    return false;
  }
  const Proposal proposal = propose(request, group_.circumstances(), settings, Followed::by_none, Ending::non_blocking);
  for (std::size_t i = 0; row.choice.empty() && i < proposal.choices.size(); ++i)
    if (make_run(request, proposal.choices[i], turns_[request].runs.front())) row.choice = proposal.choices[i];
  row.native_only = row.choice.empty();
  if (!keeps_bits && !proposal.known) to_compare_.push_back({request, by});
  return !row.native_only;
}

/// False, on all ranks, where it cannot be made.
bool LaterCalls::make_run(const Request& request, const std::string& choice, std::shared_ptr<LaterRun>& run) {
  if (runs_ >= most_runs) return false;
  try {
    run = run_of(group_.plans().make_alone(request, choice), table_.shared_row(Ending::non_blocking, request), true);
    ++runs_;
    return true;
  } catch (const mpi::MpiError&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

/// Null where MPI answers, the same on all ranks.
std::shared_ptr<LaterRun> LaterCalls::next_run(const Request& request, const LaterRow& row) {
  Turns& turns = turns_[request];
  std::shared_ptr<LaterRun>& run = turns.runs[turns.next];
  if (!run && (turns.refused || !make_run(request, row.choice, run))) {
    turns.refused = true;
    return nullptr;
  }
  turns.next = (turns.next + 1) % at_once;
  return run;
}

int LaterCalls::start(const Request& request, const Buffers& buffers, MPI_Request* handle, const Native& native) {
  LaterRow& row = this->row(Ending::non_blocking, request.operation, request.bytes, request.by.rounds);
  ++row.seen;
  if (!may_plan(request) || !group_.program().processors_alike ||
      (row.choice.empty() && !decided_alone(request, buffers.by, row)))
    return native();
  const Clock::time_point begin = Clock::now();
  const std::shared_ptr<LaterRun> run = next_run(request, row);
  if (run == nullptr) return native();
  const int code = Engine::get().start(run, std::make_shared<const KeptBuffers>(request, buffers), handle);
  if (code == MPI_SUCCESS) row.began(request.bytes, since(begin));
  return code;
}

void LaterCalls::meet(const Request& request) {
  if (wants_communicator_) {
    wants_communicator_ = false;
    if (group_.plans().open()) return;
    Row none;
    RankGroup::Met meeting = group_.meet(request, none, "");
    if (meeting.same_call) group_.open_private(meeting, rows_);
    return;
  }
  constexpr std::int64_t longer = 4, longest = 4096;
  if (--calls_until_then_ > 0) return;
  calls_until_then_ = pause_ = std::min(longer * pause_, longest);
  if (group_.all_ask(request)) compare();
}

/// Collective: what answers a row by prediction, and plans, with MPI's own call.
void LaterCalls::compare() {
  const auto [request, by] = to_compare_.back();
  const Clock::time_point begin = Clock::now();
  const Proposal proposal = proposed(request, Followed::by_trial, Ending::non_blocking);
  if (proposal.choices.empty()) return to_compare_.pop_back();
  TrialTime& time = group_.program().trial_time;
  TrialMemory memory(request, by, group_);
  LaterTrial trial(memory.call(Ending::non_blocking), group_);
  if (!trial.affordable(proposal.choices)) {
    time.spent += since(begin);
    return;
  }
  LaterRow& row = this->row(Ending::non_blocking, request.operation, request.bytes, request.by.rounds);
  const std::string before = std::exchange(row.choice, trial.winner(proposal.choices));
  row.tried = trial.tried();
  row.native_only = row.choice.empty();
  if (row.choice != before)
    std::erase_if(turns_, [&](const auto& turns) { return RowTable::place(turns.first) == RowTable::place(request); });
  to_compare_.pop_back();
  calls_until_then_ = pause_ = 1;
  time.began(since(begin));
}

}  // namespace quadrille::dropin
