// Calls whose bytes all ranks know: decided row by row, and answered by MPI, by turns of a trial, or by the plan that
// has won.
#pragma once

#include "dropin/decide/proposal.hpp"
#include "dropin/perform/answer.hpp"
#include "dropin/perform/buffers.hpp"
#include "dropin/ranks/rank_group.hpp"

namespace quadrille::dropin {

/// Of one communicator.
class PlannedCalls {
 public:
  PlannedCalls(RankGroup& group, RowTable& rows) : group_(group), rows_(rows) {}

  /// Answers a call by whatever is decided, or decides. An MPI error code; throws what may be this rank's error alone.
  int answer(const Request& request, Row& row, const Buffers& buffers, const Native& native);

 private:
  /// What ranks have agreed on before the next turn of a trial.
  struct Turn {
    bool goes_on = false;
    bool in_place = false;  ///< any rank's data would be lost by a second call of what is on trial
  };

  bool keeps_bits(const Request& request) const;
  bool planned_from_first(const Request& request) const;
  Proposal proposed(const Request& request);
  void meet_at_first(const Request& request, Row& row);
  void meet(const Request& request, Row& row);
  void begin_trial(const Request& request, Row& row, const Meeting& meeting, const std::string& found);
  Turn next_turn(const Request& request, Row& row, bool in_place);
  int take_turn(const Request& request, Row& row, const Buffers& buffers, const Native& native);
  int hold_turn(const Request& request, Row& row, Turn turn, const Buffers& buffers, const Native& native);
  void conclude_turn(const Request& request, Row& row, Seconds took, bool refused);
  void conclude(const Request& request, Row& row);
  int use_plan(const Request& request, Row& row, mpi::plan_handle& plan, const Buffers& buffers, const Native& native);
  void end_stage(const Request& request, Row& row);
  mpi::plan_handle* plan_for(const Request& request, const Row& row, std::size_t choice);
  void run(mpi::plan_handle& plan, const Request& request, const Buffers& buffers);

  RankGroup& group_;
  RowTable& rows_;
  Staging staging_;
};

}  // namespace quadrille::dropin
