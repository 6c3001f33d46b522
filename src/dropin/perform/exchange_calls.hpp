// Exchanges of one operation. No rank knows their size, so nothing can follow from it: all of a communicator's go one
// way, until MPI and the plan are compared again. Where all ranks have as much for each other as in the call before,
// they tell each other how much: a plan by demands answers such calls. The others are answered by messages that go
// straight to all ranks or, of neighbourhoods, by MPI.
#pragma once

#include "dropin/perform/answer.hpp"
#include "dropin/perform/exchange_call.hpp"
#include "dropin/ranks/rank_group.hpp"

namespace quadrille::dropin {

/// Of one communicator.
class ExchangeCalls {
 public:
  ExchangeCalls(Operation operation, RankGroup& group, RowTable& rows)
      : any_call_{.operation = operation}, group_(group), rows_(rows) {}

  /// Answers a call that brings this rank so many bytes. An MPI error code; throws what may be this rank's error alone.
  int answer(Row& row, const ExchangeCall& call, Bytes bytes, const Native& native);
  /// Whether the next call is MPI's, with nothing to be done but to count it.
  bool rests_with_mpi() const {
    const ExchangePlans& plans = group_.plans().exchange(any_call_.operation);
    return plans.met && group_.together() && plans.trial.rests_with_mpi();
  }
  void count(Bytes bytes) { plans().trial.count(static_cast<double>(bytes)); }

 private:
  ExchangePlans& plans() { return group_.plans().exchange(any_call_.operation); }
  void meet(Row& row, Bytes bytes);
  void ask_for_demands(const ExchangeCall& call);
  bool plan_by_demands(const DemandsPtr& demands);
  bool balanced(const ExchangeCall& call);
  void end_pause();
  int answer_twice(Row& row, const ExchangeCall& call, Bytes bytes, const Native& native);
  int use_plan(Row& row, const ExchangeCall& call, const Native& native);
  bool run(const ExchangeCall& call);
  bool run_by_demands(const ExchangeCall& call);

  static constexpr int most_made = 4, most_asked = 4;
  const Request any_call_;  ///< as all ranks see it: without bytes
  RankGroup& group_;
  RowTable& rows_;
  std::int64_t last_ = 0;            ///< ExchangeCall::sizes() of the last call on trial; 0: there was none
  int asked_ = 0;                    ///< times that ranks have told what they have, since a plan by demands went
  int made_ = 0;                     ///< plans by demands
  int as_planned_ = 0, others_ = 0;  ///< calls that a plan by demands was made for, and that it was not
};

}  // namespace quadrille::dropin
