// Calls of MPI_Alltoallv. No rank knows their size, so nothing can follow from it: all of a communicator's go one way,
// until both ways are compared again.
#include "dropin/channel_await.hpp"
#include "dropin/decide/choose.hpp"

namespace quadrille::dropin {

namespace {

const Request any_exchange{.operation = Operation::alltoallv};

}  // namespace

/// What to try besides native: rank 0's answer. A leading "=" means that it is known to be best; empty: nothing.
std::string Channel::straight_way(Bytes bytes) const {
  const Settings& s = common_.settings;
  const Request request{.operation = Operation::alltoallv, .bytes = bytes};
  try {
    const Placement placement = parse_placement(topology_);
    if (const TrialResult* known = s.wisdom.find(trial_of(circumstances(), Operation::alltoallv, 0))) {
      const Spec equal_blocks = *spec_of(request, placement.topology);
      const bool native = known->choice == "native" || disproved(equal_blocks, placement, s.constants, known->choice);
      return native ? "" : "=" + known->choice;
    }
    return straight_prospect(request, placement, s.constants).algorithm;
  } catch (const std::exception&) {  // no plan can be made: then native is best
    return "";
  }
}

/// Collective: what performs such calls by this algorithm, anew. False on all ranks where that cannot be.
bool Channel::make_straight(const std::string& choice, bool known) {
  try {
    std::unique_ptr<Straight> made;
    made_.home->agree([&] {
      made = std::make_unique<Straight>(made_.home, choice, known);
      return made->choice;
    });
    made->connect();
    made_.straight = std::move(made);
    return true;
  } catch (const mpi::MpiError&) {
    throw;
  } catch (const Error&) {  // thrown on all ranks
    return false;
  }
}

/// Collective: the first decision.
void Channel::open_straight(Row& row, Bytes bytes) {
  row.native_only = true;
  const bool kept = common_.settings.wisdom.find(trial_of(circumstances(), Operation::alltoallv, 0)) != nullptr;
  const Meeting meeting = meet(any_exchange, row, "");
  if (apart_) return;
  if (!kept && !meeting.affordable) {
    row.native_only = false;
    row.ask_at = meeting.patience * row.seen;
    return;
  }
  if (!settle(meeting)) return;
  if (made_.straight) return;  // taken over, with whatever was decided
  const std::string way = made_.home->peers.broadcast(rank_ == 0 ? straight_way(bytes) : "", 0);
  if (way.empty()) return;
  const bool known = way.front() == '=';
  row.native_only = !make_straight(way.substr(known ? 1 : 0), known);
}

/// Collective: whether any two ranks agree on what one gives to the other. MPI forbids that they do not, but lets some
/// such programs pass.
bool Channel::balanced(const Exchange& call) {
  std::vector<std::int64_t> sum{call.balance(rank_, ranks_)};
  made_.home->peers.reduce_to_all(sum, MPI_BXOR);
  if (sum.front() == 0) return true;
  apart_ = true;
  if (rank_ == 0)
    mpi::last_words(
        "quadrille: ranks disagree in an MPI_Alltoallv on how much one gives to another: left to MPI from now on\n");
  return false;
}

/// Collective: whether calls have become longer or shorter since both ways were compared, or whether a rank has memory
/// by now that others can read, which the plan would not look for.
void Channel::look_at_sizes() {
  if (!all_ask(any_exchange)) return;
  std::vector<double> most{made_.straight->duel.mean(), made_.straight->could_share() ? 1.0 : 0.0};
  made_.home->peers.reduce_to_all(most, MPI_MAX);
  if (most[1] > 0 && make_straight(std::string(made_.straight->choice), false)) return;
  made_.straight->duel.look(most[0]);
}

void Channel::run_straight(const Exchange& call) {
  made_.straight->start(call);
  await([&] { return made_.straight->test(); });
  made_.straight->finish(call);
}

/// A call of a duel: answered both ways, with the same result.
int Channel::answer_twice(Row& row, const Exchange& call, Bytes bytes, const std::function<int()>& native) {
  Straight& straight = *made_.straight;
  if (!all_ask(any_exchange) || !balanced(call)) return by_mpi(row, native);
  if (call.in_place) straight.keep(call);
  const bool plan_first = straight.duel.plan_first();
  std::array<Seconds, 2> took{};  // native, plan
  for (const bool by_plan : {plan_first, !plan_first}) {
    if (call.in_place && by_plan != plan_first) straight.lay_back(call);
    made_.home->peers.barrier();
    const std::size_t calls = call.in_place ? 1 : straight.duel.calls();
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < calls; ++i)
      if (by_plan)
        run_straight(call);
      else if (const int code = native(); code != MPI_SUCCESS)
        return code;
    took[by_plan ? 1 : 0] = since(begin) / static_cast<double>(calls);
    if (by_plan) took[1] += Contest::finding_a_plan;
  }
  row.native_time += took[0];
  row.planned_time += took[1];
  ++row.planned;
  ++row.twice;
  if (straight.duel.took(took[0], took[1], static_cast<double>(bytes))) {
    made_.home->peers.reduce_to_all(straight.duel.pending(), MPI_MAX);
    straight.duel.judge();
    row.watch = Watch(straight.duel.native(), straight.duel.plan());
  }
  return MPI_SUCCESS;
}

/// A call that the plan answers, or MPI where both are compared.
int Channel::use_straight(Row& row, const Exchange& call, const std::function<int()>& native) {
  const auto [code, took] = by_plan_or_mpi(
      row, [&] { run_straight(call); }, native);
  if (!row.watch.took(took, 1) || !common_.settings.watch) return code;
  std::vector<double> mean{row.watch.mean()};
  if (!all_ask(any_exchange, &mean)) return code;
  row.watch.judge(mean.front());
  if (!row.watch.lost()) return code;
  row.lost = made_.straight->choice;
  row.native_only = true;
  return code;
}

int Channel::exchange(Row& row, const Exchange& call, Bytes bytes, const std::function<int()>& native) {
  if (broken_ || apart_ || (!made_.straight && ++row.seen < row.ask_at)) return by_mpi(row, native);
  try {
    if (!made_.straight) open_straight(row, bytes);
    if (row.native_only || !made_.straight) return by_mpi(row, native);
    Duel& duel = made_.straight->duel;
    if (!duel.running() && duel.pause_ends(static_cast<double>(bytes))) look_at_sizes();
    if (apart_) return by_mpi(row, native);
    if (duel.running()) return answer_twice(row, call, bytes, native);
    return duel.plan_wins() ? use_straight(row, call, native) : by_mpi(row, native);
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace quadrille::dropin
