// Persistent exchanges: ranks tell each other what they have when the call is made, and need not agree when it starts.
#include "base/hash.hpp"
#include "dropin/later/exchange_memory.hpp"
#include "dropin/later/later_calls.hpp"
#include "dropin/perform/limits.hpp"

namespace quadrille::dropin {

namespace {

std::uint64_t number_of(Operation operation, const Demands& demands) {
  std::uint64_t all = base::hash_of(static_cast<int>(operation), demands.pairs.size());
  for (const Demand& pair : demands.pairs) all = base::hash_of(all, pair.from, pair.to, pair.bytes);
  return all;
}

}  // namespace

/// Collective: what ranks have for each other; null where the call is MPI's.
DemandsPtr LaterCalls::demands_at_init(const Request& any_call, const ExchangeCall& call) {
  if (!group_.plans().open()) {
    Row none;  // calls that would be compared
    RankGroup::Met meeting = group_.meet(any_call, none, "");
    if (!meeting.same_call || !group_.open_private(meeting, rows_)) return nullptr;
  } else if (!group_.all_ask(any_call)) {
    return nullptr;
  }
  const mpi::Peers& peers = group_.plans().peers();
  DemandsPtr demands = demands_of_all(peers, call, true);
  if (!demands || demands->pairs.empty() || !as_all_have(peers, *demands, call)) return nullptr;
  const Slot most = std::max(demands->most_sent(), demands->most_received());
  return most <= most_memory / demands->word ? demands : nullptr;
}

/// Collective: the plan that is faster than MPI in a trial or, where none can be held, by prediction; empty: none is.
std::string LaterCalls::choice_by_demands(Operation operation, const DemandsPtr& demands, LaterRow& row) {
  const Settings& settings = group_.program().settings;
  const Clock::time_point begin = Clock::now();
  const std::string proposed = group_.plans().peers().broadcast(
      group_.rank() == 0 ? propose_by_demands(demands, group_.circumstances(), settings, Agreement::once) : "", 0);
  if (proposed.empty()) return {};
  ExchangeMemory memory(operation, demands, group_);
  LaterTrial trial(memory.call(), group_);
  std::string choice = proposed;
  if (trial.affordable({proposed})) {
    choice = trial.winner({proposed});
    row.tried = trial.tried();
  }
  group_.program().trial_time.began(since(begin));
  return choice;
}

int LaterCalls::init(Operation operation, const ExchangeCall& call, Bytes bytes, MPI_Request* handle,
                     const Native& native) {
  const Request any_call{.operation = operation};
  const bool may = group_.program().starts_come_here && group_.together() && !errors_->broken &&
                   group_.ranks() <= most_ranks_by_demands;
  if (!may) return native();
  const DemandsPtr demands = demands_at_init(any_call, call);
  if (!demands) return native();
  if (by_demands_.size() >= PlanStore::most_requests) by_demands_.clear();
  const auto [known, is_new] = by_demands_.try_emplace(number_of(operation, *demands));
  const std::shared_ptr<LaterRow> row = table_.shared_row(Ending::persistent, any_call);
  if (is_new) known->second = choice_by_demands(operation, demands, *row);
  row->choice = known->second;
  if (row->choice.empty()) return native();
  std::unique_ptr<mpi::plan_handle::state> plan = group_.plans().make(demands, row->choice);
  if (plan == nullptr) return native();
  return Engine::get().prepare(
      run_of(std::move(plan), row, false), row,
      std::make_shared<const KeptBuffers>(Request{.operation = operation, .bytes = bytes}, call), handle);
}

}  // namespace quadrille::dropin
