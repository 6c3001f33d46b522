// A communicator of the program: its calls are counted, and answered by MPI or by plans. Every rank decides the same,
// because all that decisions rest on is the same everywhere or has been agreed on.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "dropin/later/later_calls.hpp"
#include "dropin/perform/exchange_calls.hpp"
#include "dropin/perform/planned_calls.hpp"
#include "dropin/ranks/graph_neighbours.hpp"
#include "dropin/ranks/rank_group.hpp"
#include "dropin/report/call_stats.hpp"

namespace quadrille::dropin {

class ProgramCommunicator {
 public:
  ProgramCommunicator(MPI_Comm comm, ProgramState& program)
      : group_(comm, program),
        rows_(group_.deciding(), program.settings.after),
        planned_(group_, rows_),
        later_(comm, group_, rows_) {}
  ProgramCommunicator(const ProgramCommunicator&) = delete;
  ProgramCommunicator& operator=(const ProgramCommunicator&) = delete;

  bool between() const { return group_.between(); }    ///< an inter-communicator: not looked at
  bool deciding() const { return group_.deciding(); }  ///< plans are possible here
  Bits bits() const { return group_.program().settings.bits; }
  int rank() const { return group_.rank(); }
  int ranks() const { return group_.ranks(); }
  Row& row(Operation operation, Bytes bytes, bool rounds = false) { return rows_.row(operation, bytes, rounds); }

  /// Remembers that the next call in order is of this kind_of(); ranks that wait long compare.
  void note(std::uint64_t kind) { group_.mismatch().note(kind); }
  /// Whether MPI would take these arguments, where they stand for at least so many bytes. What it would not goes to it
  /// all the same: the error is MPI's own. Where plans are possible.
  bool accepts(const View& view, Bytes bytes) const { return accepted(view, bytes, testing_comm()); }
  bool accepts(const ExchangeCall& call) const {
    return call.understood() && call.out.all_committed(testing_comm()) && call.sent().all_committed(testing_comm());
  }

  /// Answers a call by whatever is decided, or decides. An MPI error code.
  int answer(const Request& request, Row& row, const Buffers& buffers, const Native& native) {
    return guarded(row, native, [&] { return planned_.answer(request, row, buffers, native); });
  }
  /// The same for an exchange that brings this rank so many bytes.
  int answer(Operation operation, Row& row, const ExchangeCall& call, Bytes bytes, const Native& native) {
    return guarded(row, native, [&] { return exchange_calls(operation).answer(row, call, bytes, native); });
  }
  /// The row of persistent or non-blocking calls.
  LaterRow& later_row(Ending ending, Operation operation, Bytes bytes, bool rounds) {
    return later_.row(ending, operation, bytes, rounds);
  }
  /// The same for such a call, whose request is filled in.
  int answer(Ending ending, const Request& request, const Buffers& buffers, MPI_Request* handle, const Native& native) {
    if (!group_.together()) return native();
    try {
      return ending == Ending::persistent ? later_.init(request, buffers, handle, native)
                                          : later_.start(request, buffers, handle, native);
    } catch (const std::exception& error) {
      return group_.fail(error.what());
    }
  }
  /// A persistent exchange that brings this rank so many bytes.
  int init(Operation operation, const ExchangeCall& call, Bytes bytes, MPI_Request* handle, const Native& native) {
    if (!group_.together()) return native();
    try {
      return later_.init(operation, call, bytes, handle, native);
    } catch (const std::exception& error) {
      return group_.fail(error.what());
    }
  }
  /// Whether the next call in which ranks may wait shall make way for non-blocking ones.
  bool wants_to_meet() const { return later_.wants_to_meet(); }
  /// Collective over all ranks, right after MPI_Init: its first private communicator.
  void open_first() { group_.open_first(); }
  void meet(const Request& request) {
    if (!deciding() || !group_.together()) return;
    try {
      later_.meet(request);
    } catch (const std::exception& error) {
      group_.fail(error.what());
    }
  }
  /// Whether the next exchange of this operation is MPI's, with nothing to be done but to count it.
  bool rests_with_mpi(Operation operation) const {
    const std::unique_ptr<ExchangeCalls>& calls = exchange_calls_[exchange_place(operation)];
    return calls != nullptr && calls->rests_with_mpi();
  }
  void count(Operation operation, Bytes bytes) { exchange_calls(operation).count(bytes); }
  /// Of the program's communicator, which is this one.
  const GraphNeighbours& neighbours(MPI_Comm comm) {
    if (!neighbours_) neighbours_ = GraphNeighbours::of(comm);
    return *neighbours_;
  }

  /// Of a rank that waits long at the end: whether others still wait in a call that it has not seen.
  void listen() { group_.listen(); }
  /// Frees what MPI holds for it; statistics stay.
  void release() { group_.release(rows_, later_.used()); }
  CommunicatorStats stats() const {
    return {.ranks = ranks(),
            .topology = group_.circumstances().topology,
            .rows = rows_,
            .later = later_.table(),
            .exchange = [&](Operation operation) {
              const ExchangePlans& plans = group_.plans().exchange(operation);
              return ExchangeResult{plans.choice(), plans.trial};
            }};
  }

 private:
  /// Its errors are returned, and nobody sees them.
  MPI_Comm testing_comm() const { return group_.program().notices->comm(); }
  ExchangeCalls& exchange_calls(Operation operation) {
    std::unique_ptr<ExchangeCalls>& calls = exchange_calls_[exchange_place(operation)];
    if (calls == nullptr) calls = std::make_unique<ExchangeCalls>(operation, group_, rows_);
    return *calls;
  }
  template <class Answer>
  int guarded(Row& row, const Native& native, Answer answer) {
    if (!group_.together()) return by_mpi(row, native);
    try {
      return answer();
    } catch (const std::exception& error) {
      return group_.fail(error.what());
    }
  }

  RankGroup group_;
  RowTable rows_;
  PlannedCalls planned_;
  std::array<std::unique_ptr<ExchangeCalls>, exchanges> exchange_calls_;
  std::optional<GraphNeighbours> neighbours_;
  LaterCalls later_;
};

}  // namespace quadrille::dropin
