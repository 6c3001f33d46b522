// Calls of MPI_Alltoallv. No rank knows their size, so nothing can follow from it: all of a communicator's go one way,
// until both ways are compared again.
#include "dropin/channel_await.hpp"
#include "dropin/choose.hpp"

namespace quadrille::dropin {

namespace {

const Request any_exchange{.operation = Operation::alltoallv};

}  // namespace

/// What to try besides native: rank 0's answer. A leading "=" means that it is known to be best; empty: nothing.
std::string Channel::straight_way(Bytes bytes) const {
  const Settings& s = common_.settings;
  if (const Verdict* known = s.verdicts.find(circumstances(), Operation::alltoallv, 0))
    return known->choice == "native" ? "" : "=" + known->choice;
  try {
    const Placement placement = parse_placement(topology_);
    return straight_prospect({.operation = Operation::alltoallv, .bytes = bytes}, placement, s.constants).algorithm;
  } catch (const std::exception&) {  // no plan can be made: then native is best
    return "";
  }
}

/// Collective: what performs such calls by this algorithm, anew. False on all ranks where that cannot be.
bool Channel::make_straight(const std::string& choice, bool known) {
  try {
    std::unique_ptr<Straight> made;
    home_->agree([&] {
      made = std::make_unique<Straight>(home_, choice, known);
      return made->choice;
    });
    made->connect();
    straight_ = std::move(made);
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
  if (!ensure_home() || !all_ask(any_exchange)) return;
  const std::string way = home_->peers.broadcast(rank_ == 0 ? straight_way(bytes) : "", 0);
  if (way.empty()) return;
  const bool known = way.front() == '=';
  row.native_only = !make_straight(way.substr(known ? 1 : 0), known);
}

/// Collective: whether any two ranks agree on what one gives to the other. MPI forbids that they do not, but lets some
/// such programs pass.
bool Channel::balanced(const Exchange& call) {
  std::vector<std::int64_t> sum{call.balance(rank_, ranks_)};
  home_->peers.reduce_to_all(sum, MPI_BXOR);
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
  std::vector<double> most{straight_->duel.mean(), straight_->could_share() ? 1.0 : 0.0};
  home_->peers.reduce_to_all(most, MPI_MAX);
  if (most[1] > 0 && make_straight(std::string(straight_->choice), false)) return;
  straight_->duel.look(most[0]);
}

void Channel::run_straight(const Exchange& call) {
  straight_->start(call);
  await([&] { return straight_->test(); });
  straight_->finish(call);
}

/// A call of a duel: answered both ways, with the same result.
int Channel::answer_twice(Row& row, const Exchange& call, Bytes bytes, const std::function<int()>& native) {
  Straight& straight = *straight_;
  if (!all_ask(any_exchange) || !balanced(call)) return by_mpi(row, native);
  if (call.in_place) straight.keep(call);
  const bool plan_first = straight.duel.plan_first();
  std::array<Seconds, 2> took{};  // native, plan
  for (const bool by_plan : {plan_first, !plan_first}) {
    if (call.in_place && by_plan != plan_first) straight.lay_back(call);
    home_->peers.barrier();
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
    home_->peers.reduce_to_all(straight.duel.pending(), MPI_MAX);
    straight.duel.judge();
  }
  return MPI_SUCCESS;
}

int Channel::exchange(Row& row, const Exchange& call, Bytes bytes, const std::function<int()>& native) {
  if (broken_ || apart_ || (!straight_ && ++row.seen <= calls_before)) return by_mpi(row, native);
  try {
    if (!straight_) open_straight(row, bytes);
    if (row.native_only) return by_mpi(row, native);
    Duel& duel = straight_->duel;
    if (!duel.running() && duel.pause_ends(static_cast<double>(bytes))) look_at_sizes();
    if (apart_) return by_mpi(row, native);
    if (duel.running()) return answer_twice(row, call, bytes, native);
    if (!duel.plan_wins()) return by_mpi(row, native);
    const auto begin = Clock::now();
    run_straight(call);
    row.planned_time += since(begin);
    ++row.planned;
    return MPI_SUCCESS;
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace quadrille::dropin
