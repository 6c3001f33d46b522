#include "dropin/later/later_trial.hpp"

#include <algorithm>
#include <limits>

#include "dropin/later/native_later.hpp"

namespace quadrille::dropin {

LaterTrial::LaterTrial(Ending ending, const Request& request, const mpi::reduction& by, RankGroup& group)
    : ending_(ending),
      request_(request),
      stand_in_(request, by),
      group_(group),
      errors_(std::make_shared<ErrorHome>(ErrorHome{group.plans().peers().comm(), group.rank()})) {
  lay_out();
}

LaterTrial::~LaterTrial() {
  for (Contestant& c : contestants_) {
    if (c.handle == MPI_REQUEST_NULL) continue;
    if (!c.native) Engine::get().forget(c.handle);
    PMPI_Request_free(&c.handle);
  }
}

/// What the call would be if all its data lay together; zeros, which all operators take.
void LaterTrial::lay_out() {
  const OperationFacts& facts = facts_of(request_.operation);
  Buffers& b = own_;
  b.by = stand_in_.by();
  b.rank = group_.rank();
  b.ranks = group_.ranks();
  const bool reduces = combines(request_.operation);
  const MPI_Datatype type = reduces ? b.by.type : MPI_BYTE;
  MPI_Aint low = 0, extent = 1;
  PMPI_Type_get_extent(type, &low, &extent);
  const Bytes size = reduces ? Sizes::of(type) : 1;
  const auto& lengths = request_.lengths;
  const Bytes own = lengths.empty() ? request_.bytes : lengths[static_cast<std::size_t>(b.rank)];
  const auto elements = [&](const BlocksOf& side, bool whole) {
    const Blocks blocks = b.rank == request_.root ? side.root : side.others;
    if (blocks == Blocks::none) return Bytes{0};
    if (blocks == Blocks::one) return own / size;
    return (whole ? request_.bytes : b.ranks * request_.bytes) / size;
  };
  const bool whole = facts.bytes == BytesAre::of_all_blocks;
  const Bytes given = elements(facts.gives, whole), taken = elements(facts.takes, whole);
  in_.assign(static_cast<std::size_t>(given * extent + 1), std::byte{0});
  out_.assign(static_cast<std::size_t>(taken * extent + 1), std::byte{0});
  for (Bytes at = 0; const Bytes length : lengths) {
    counts_.push_back(static_cast<int>(length / size));
    displaces_.push_back(static_cast<int>(at / size));
    at += length;
  }
  // Views count elements of a block, of a reduction all.
  b.in = {in_.data(), reduces ? given : own, type};
  b.out = {out_.data(), reduces ? taken : request_.bytes, type};
  if (!lengths.empty()) b.counts = counts_.data(), b.displaces = displaces_.data();
}

/// False, on all ranks, where there is none, or none that works.
bool LaterTrial::add_native() {
  Contestant& c = contestants_.emplace_back();
  if (ending_ != Ending::persistent) return true;
  int code = MPI_ERR_OTHER;
  if (starts_again(request_.operation))
    code = native_later(ending_, request_, own_, group_.plans().peers().comm(), &c.handle);
  c.refused = longest_of_all(code == MPI_SUCCESS ? 0 : 1) > 0;
  return !c.refused;
}

void LaterTrial::add_plan(const std::string& choice) {
  Contestant& c = contestants_.emplace_back(Contestant{.native = false});
  std::unique_ptr<mpi::plan_handle::state> plan = group_.plans().make(request_, choice);
  c.refused = plan == nullptr;
  if (c.refused) return;
  Buffers buffers = own_;
  if (request_.operation != Operation::allgatherv) buffers.counts = buffers.displaces = {};
  Engine::get().keep(group_.plans().number(), plan->home);
  auto run = std::make_shared<LaterRun>(std::move(plan), row_, errors_, false);
  mpi::check(
      Engine::get().prepare(std::move(run), row_, std::make_shared<const KeptBuffers>(request_, buffers), &c.handle),
      "preparing a trial");
}

void LaterTrial::perform(Contestant& c) {
  constexpr const char* what = "a trial";
  MPI_Request once = MPI_REQUEST_NULL;
  int code = MPI_SUCCESS;
  if (c.native && ending_ != Ending::persistent)
    code = native_later(ending_, request_, own_, group_.plans().peers().comm(), &once);
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
  for (std::size_t i = 0; first == nullptr && i < plans.size(); ++i) first = group_.plans().make(request_, plans[i]);
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
  trial.begin(plans, false, facts_of(request_.operation).tried_in_a_row);
  const auto bytes = static_cast<double>(request_.bytes);
  while (trial.running()) {
    Contestant& next = contestants_[trial.next()];
    const Seconds took = next.refused ? ChoiceTrial::refused(bytes) : turn(next, trial.calls());
    if (!trial.took(took, bytes)) continue;
    group_.plans().peers().reduce_to_all(trial.pending(), MPI_MAX);
    trial.judge();
    if (trial.running() && longest_of_all(since(begin)) > most) return trial.best_until_now();
  }
  for (std::size_t i = 0; !request_.by.user && i < contestants_.size(); ++i)
    if (!contestants_[i].refused) tried_.emplace_back(trial.choices()[i].name, trial.choices()[i].per_byte);
  return trial.winner() == 0 ? std::string() : trial.choices()[trial.winner()].name;
}

}  // namespace quadrille::dropin
