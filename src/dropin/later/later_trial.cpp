#include "dropin/later/later_trial.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace quadrille::dropin {

LaterTrial::LaterTrial(TrialCall call, RankGroup& group)
    : call_(std::move(call)),
      group_(group),
      errors_(std::make_shared<ErrorHome>(ErrorHome{group.plans().peers().comm(), group.rank()})) {}

LaterTrial::~LaterTrial() {
  for (Contestant& c : contestants_) {
    if (c.handle == MPI_REQUEST_NULL) continue;
    if (!c.native) Engine::get().forget(c.handle);
    PMPI_Request_free(&c.handle);
  }
}

/// False, on all ranks, where there is none, or none that works.
bool LaterTrial::add_native() {
  Contestant& c = contestants_.emplace_back();
  if (call_.ending != Ending::persistent) return true;
  const int code = call_.native(&c.handle);
  c.refused = longest_of_all(code == MPI_SUCCESS ? 0 : 1) > 0;
  return !c.refused;
}

void LaterTrial::add_plan(const std::string& choice) {
  Contestant& c = contestants_.emplace_back(Contestant{.native = false});
  std::unique_ptr<mpi::plan_handle::state> plan = call_.plan(choice);
  c.refused = plan == nullptr;
  if (c.refused) return;
  Engine::get().keep(group_.plans().number(), plan->home);
  auto run = std::make_shared<LaterRun>(std::move(plan), row_, errors_, false);
  mpi::check(Engine::get().prepare(std::move(run), row_, call_.kept, &c.handle), "preparing a trial");
}

void LaterTrial::perform(Contestant& c) {
  constexpr const char* what = "a trial";
  MPI_Request once = MPI_REQUEST_NULL;
  int code = MPI_SUCCESS;
  if (c.native && call_.ending != Ending::persistent)
    code = call_.native(&once);
  else if (c.native || !Engine::get().start_again(&c.handle, code))
    code = PMPI_Start(&c.handle);
  mpi::check(code, what);
  mpi::check(PMPI_Wait(once != MPI_REQUEST_NULL ? &once : &c.handle, MPI_STATUS_IGNORE), what);
}

Seconds LaterTrial::turn(Contestant& contestant, std::size_t calls) {
  group_.plans().peers().barrier();
  const Clock::time_point begin = Clock::now();
  for (std::size_t i = 0; i < calls; ++i) perform(contestant);
  return since(begin) / static_cast<double>(calls);
}

Seconds LaterTrial::longest_of_all(Seconds here) const {
  std::vector<double> most{here};
  group_.plans().peers().reduce_to_all(most, MPI_MAX);
  return most.front();
}

/// Of what is left for it; the same on all ranks.
Seconds LaterTrial::limit() const {
  const ProgramState& program = group_.program();
  const Budget& budget = program.settings.budget;
  if (!budget.limited) return std::numeric_limits<Seconds>::infinity();
  std::vector<double> least{
      budget.share > 0 ? 10 * longest + budget.share * program.trial_time.since_begin() - program.trial_time.spent : 0};
  group_.plans().peers().reduce_to_all(least, MPI_MIN);
  return std::min(least.front(), longest);
}

bool LaterTrial::affordable(const std::vector<std::string>& plans) {
  const auto turns = static_cast<double>(ChoiceTrial::turns * (plans.size() + 1));
  const Seconds most = limit();
  std::unique_ptr<mpi::plan_handle::state> first;
  for (std::size_t i = 0; first == nullptr && i < plans.size(); ++i) first = call_.plan(plans[i]);
  if (first == nullptr || longest_of_all(first->predicted) * turns > most) return false;
  if (!add_native()) return true;  // of plans alone
  turn(contestants_.front(), 1);
  return longest_of_all(turn(contestants_.front(), 1)) * turns <= most;
}

std::string LaterTrial::winner(const std::vector<std::string>& plans) {
  const Clock::time_point begin = Clock::now();
  const Seconds most = limit();
  for (const std::string& choice : plans) add_plan(choice);
  ChoiceTrial trial;
  trial.begin(plans, false, facts_of(call_.operation).tried_in_a_row);
  const auto bytes = static_cast<double>(call_.bytes);
  while (trial.running()) {
    Contestant& next = contestants_[trial.next()];
    const Seconds took = next.refused ? ChoiceTrial::refused(bytes) : turn(next, trial.calls());
    if (!trial.took(took, bytes)) continue;
    group_.plans().peers().reduce_to_all(trial.pending(), MPI_MAX);
    trial.judge();
    if (trial.running() && longest_of_all(since(begin)) > most) return trial.best_until_now();
  }
  for (std::size_t i = 0; !call_.user && i < contestants_.size(); ++i)
    if (!contestants_[i].refused) tried_.emplace_back(trial.choices()[i].name, trial.choices()[i].per_byte);
  return trial.winner() == 0 ? std::string() : trial.choices()[trial.winner()].name;
}

}  // namespace quadrille::dropin
