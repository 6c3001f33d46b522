// Turns of a contest and what they may cost, and the plan that has won them in use.
#include <algorithm>

#include "dropin/channel_await.hpp"

namespace quadrille::dropin {

/// Collective: whether ranks want the same, and the contest may take one more turn. Where it costs more than it can
/// win, or trials have taken too much of the program's time, the next calls are MPI's.
bool Channel::may_go_on(const Request& request, Row& row) {
  std::vector<double> said{row.cost + row.turn, common_.spent + row.turn, since(common_.begin)};
  if (!all_ask(request, &said)) {
    row.contest.stop();
    row.native_only = true;
    return false;
  }
  const Budget& budget = common_.settings.budget;
  const double part = row.contest.could_win();  // of MPI's time
  const Seconds calls = static_cast<double>(row.calls) * row.native_call;
  if (budget.in_time(said[1], said[2]) && budget.worth_it(said[0], part * calls)) return true;
  row.paused = row.pause;
  row.pause = std::min(2 * row.pause, Row::longest_pause);
  return false;
}

int Channel::take_turn(const Request& request, Row& row, const Buffers& buffers, const std::function<int()>& native) {
  const auto begin = Clock::now();
  const bool goes_on = may_go_on(request, row);
  const int code = goes_on ? hold_turn(request, row, buffers, native) : by_mpi(row, native);
  const Seconds cost = std::max(since(begin) - row.native_call, 0.0);
  if (goes_on) row.turn = cost;
  row.cost += cost;
  common_.spent += cost;
  return code;
}

int Channel::hold_turn(const Request& request, Row& row, const Buffers& buffers, const std::function<int()>& native) {
  Contest& contest = row.contest;
  const std::size_t way = contest.next();
  mpi::plan_handle* const plan = way > 0 ? plan_for(request, row, way) : nullptr;
  made_.home->peers.barrier();  // every way starts alike, whoever had to make a plan
  const bool once = request.operation == Operation::alltoall && buffers.in_place;  // on all ranks
  const std::size_t calls = once ? 1 : contest.calls();
  int code = MPI_SUCCESS;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < calls && code == MPI_SUCCESS; ++i)
    if (plan != nullptr)
      run(*plan, request, buffers);
    else
      code = native();
  const Seconds took =
      since(begin) / static_cast<double>(calls) + (plan != nullptr ? Contest::finding_a_plan : Seconds{0});
  (plan != nullptr ? row.planned_time : row.native_time) += took;
  if (plan != nullptr) ++row.planned;
  const auto bytes = static_cast<double>(request.bytes);
  const Seconds refused = bytes;  // a second per byte: never the fastest
  if (contest.took(way > 0 && plan == nullptr ? refused : took, bytes)) {
    made_.home->peers.reduce_to_all(contest.pending(), MPI_MAX);
    contest.judge();
    if (!contest.running()) conclude(request, row);
  }
  return code;
}

void Channel::conclude(const Request& request, Row& row) {
  const Contest& contest = row.contest;
  row.native_only = contest.winner() == 0;
  const Way& best = contest.ways()[contest.winner()];
  row.watch = Watch(contest.ways()[0].per_byte, best.per_byte);
  remember(place_of(request.operation, request.bytes), best.choice);
  drop_losers(request, row);
}

void Channel::drop_losers(const Request& lost, const Row& row) {
  for (auto& [request, prepared] : made_.prepared) {
    if (request.operation != lost.operation || &this->row(lost.operation, request.bytes) != &row) continue;
    for (std::size_t i = 0; i < prepared.plans.size(); ++i)
      if ((i != row.contest.winner() || row.native_only) && prepared.plans[i]) {
        prepared.plans[i].reset();
        --made_.plans;
      }
  }
}

/// Collective: the end of a stage of the watch.
void Channel::look_at_plan(const Request& request, Row& row) {
  std::vector<double> mean{row.watch.mean()};
  if (!all_ask(request, &mean)) return;
  row.watch.judge(mean.front());
  if (!row.watch.lost()) return;
  row.lost = row.contest.ways()[row.contest.winner()].choice;
  row.contest.stop();
  row.native_only = true;
  remember(place_of(request.operation, request.bytes), "native");
  drop_losers(request, row);
}

/// A call that the winner answers, or MPI where both are compared.
int Channel::use(const Request& request, Row& row, mpi::plan_handle& plan, const Buffers& buffers,
                 const std::function<int()>& native) {
  const auto [code, took] = by_plan_or_mpi(
      row, [&] { run(plan, request, buffers); }, native);
  if (row.watch.took(took, static_cast<double>(request.bytes)) && common_.settings.watch) look_at_plan(request, row);
  return code;
}

}  // namespace quadrille::dropin
