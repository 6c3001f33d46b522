// Calls of MPI_Alltoallv. No rank knows their size, so nothing can follow from it: all of a communicator's go one way,
// until MPI and the plan are compared again. Where all ranks have as much for each other as in the call before, they
// tell each other how much: a plan by demands answers such calls, and those that go straight the others.
#pragma once

#include "dropin/perform/alltoallv_plan.hpp"
#include "dropin/perform/answer.hpp"
#include "dropin/ranks/rank_group.hpp"

namespace quadrille::dropin {

/// Of one communicator.
class AlltoallvCalls {
 public:
  AlltoallvCalls(RankGroup& group, RowTable& rows) : group_(group), rows_(rows) {}

  /// Answers a call that brings this rank so many bytes. An MPI error code; throws what may be this rank's error alone.
  int answer(Row& row, const AlltoallvCall& call, Bytes bytes, const Native& native);
  /// Whether the next call is MPI's, with nothing to be done but to count it.
  bool rests_with_mpi() const {
    return group_.plans().alltoallv() != nullptr && group_.together() &&
           group_.plans().alltoallv_trial().rests_with_mpi();
  }
  void count(Bytes bytes) { trial().count(static_cast<double>(bytes)); }

 private:
  AlltoallvTrial& trial() { return group_.plans().alltoallv_trial(); }
  AlltoallvPlan& plan() { return *group_.plans().alltoallv(); }
  void meet(Row& row, Bytes bytes);
  void plan_by_demands(const AlltoallvCall& call);
  bool balanced(const AlltoallvCall& call);
  void end_pause();
  int answer_twice(Row& row, const AlltoallvCall& call, Bytes bytes, const Native& native);
  int use_plan(Row& row, const AlltoallvCall& call, const Native& native);
  void run(const AlltoallvCall& call);
  bool run_by_demands(const AlltoallvCall& call);

  RankGroup& group_;
  RowTable& rows_;
  std::int64_t on_trial_ = 0;  ///< calls
  std::int64_t first_ = 0;     ///< AlltoallvCall::sizes() of the first of them
  static constexpr int most_made = 4;
  int made_ = 0;                     ///< plans by demands
  int as_planned_ = 0, others_ = 0;  ///< calls that a plan by demands was made for, and that it was not
};

}  // namespace quadrille::dropin
