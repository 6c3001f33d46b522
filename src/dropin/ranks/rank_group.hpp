// The ranks of a communicator of the program: who they are, how they agree, and the private communicator that they do
// so on once they have one.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "dropin/decide/circumstances.hpp"
#include "dropin/decide/meeting.hpp"
#include "dropin/decide/row.hpp"
#include "dropin/perform/plan_store.hpp"
#include "dropin/program_state.hpp"
#include "dropin/ranks/mismatch_watch.hpp"

namespace quadrille::dropin {

class RankGroup {
 public:
  RankGroup(MPI_Comm comm, ProgramState& program);

  bool between() const { return between_; }    ///< of an inter-communicator: not looked at
  bool deciding() const { return deciding_; }  ///< plans are possible here
  /// Whether plans may still answer: until an error, or until ranks ask for different things. Then calls are MPI's.
  bool together() const { return !broken_ && !apart_; }
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  Circumstances circumstances() const { return {program_.mpi, topology_, program_.settings.segment}; }

  ProgramState& program() const { return program_; }
  PlanStore& plans() { return plans_; }
  const PlanStore& plans() const { return plans_; }
  MismatchWatch& mismatch() { return mismatch_; }

  /// Collective: nobody goes on before all have come, and all learn whether they are in the same call. Each of
  /// `values`, from 0, becomes the largest of all ranks'.
  bool all_ask(const Request& request, std::vector<double>* values = nullptr);
  /// What ranks have said, and what an earlier communicator of theirs has left, should all of them have it.
  struct Met : Meeting {
    KeptPlans::Reserved left;
  };
  /// Collective, before the first decision on a row. `found` is what this rank knows from other communicators.
  Met meet(const Request& request, const Row& row, const std::string& found);
  /// Collective, after it: whether there is a private communicator now. It may be one that an earlier communicator has
  /// left, with what was decided on its rows. Where one rank has too many, none gets one.
  bool open_private(Met& meeting, RowTable& rows);
  /// Collective, of the first private communicator in the program.
  void open_first();

  /// What other communicators of these ranks have found for a row; empty: nothing.
  std::string found(std::size_t row) const { return program_.found.find(places_, row); }
  void remember(std::size_t row, const std::string& choice) { program_.found.put(places_, row, choice); }

  /// Ranks disagree on what they do: from now on all calls are MPI's. Rank 0 says so, and why.
  void part(const std::string& why);
  /// What happened may be this rank's alone, so it is an error of the call, as MPI's own are. An MPI error code.
  int fail(const char* what);
  /// Of a rank that waits long at the end: whether others still wait in a call that it has not seen.
  void listen();
  /// The communicator is freed: its plans are kept for the next one of these ranks, or freed, too. `in_use`: its
  /// private communicator is needed until the program ends.
  void release(RowTable& rows, bool in_use);

 private:
  static std::string differ_in(const Request& request);
  void make_private(std::int64_t number);
  void largest(std::vector<std::int64_t>& values);
  Statement statement(const Request& request, const Row& row, const std::string& found, std::int64_t left) const;

  ProgramState& program_;
  const MPI_Comm comm_;
  int rank_ = 0, ranks_ = 1;
  bool between_ = false, deciding_ = false, broken_ = false, apart_ = false;
  std::string topology_;
  std::vector<int> places_;  ///< of its ranks, among all; where plans are possible
  MismatchWatch mismatch_;
  PlanStore plans_;
};

}  // namespace quadrille::dropin
