#include "dropin/perform/demand_plan.hpp"

#include <algorithm>
#include <bitset>

namespace quadrille::dropin {

namespace {

/// Whether this rank has what was planned.
bool as_planned(const Demands& demands, const ExchangeCall& call, int own) {
  const auto at = static_cast<std::size_t>(own);
  const auto like = [&](const ExchangeSide& side, std::size_t planned, auto find) {
    std::bitset<most_ranks_by_demands> seen;
    std::size_t blocks = 0;
    for (int i = 0; i < side.blocks; ++i) {
      if (side.nothing(i) || side.partner(i) == own) continue;
      const std::size_t pair = find(side.partner(i));
      if (pair == demands.pairs.size() || demands.pairs[pair].bytes != side.bytes(i)) return false;
      seen.set(static_cast<std::size_t>(side.partner(i)));
      ++blocks;
    }
    return blocks == planned && seen.count() == planned;
  };
  return like(call.sent(), demands.sent[at + 1] - demands.sent[at], [&](int to) { return demands.find(own, to); }) &&
         like(call.out, demands.received[at + 1] - demands.received[at],
              [&](int from) { return demands.find(from, own); });
}

}  // namespace

DemandsPtr demands_of_all(const mpi::Peers& peers, const ExchangeCall& call, bool again) {
  const auto ranks = static_cast<std::size_t>(peers.ranks());
  std::vector<std::int64_t> mine(ranks + 1);
  const ExchangeSide& sent = call.sent();
  for (int i = 0; i < sent.blocks; ++i)
    if (!sent.nothing(i)) mine[static_cast<std::size_t>(sent.partner(i))] = sent.bytes(i);
  mine.back() = again && sent.distinct() && call.out.distinct() ? 1 : 0;
  const std::vector<std::int64_t> all = peers.gather_to_all(mine);
  std::vector<Demand> pairs;
  for (std::size_t from = 0; from < ranks; ++from) {
    const std::int64_t* const line = all.data() + from * mine.size();
    if (line[ranks] == 0) return nullptr;
    for (std::size_t to = 0; to < ranks; ++to)
      pairs.push_back({static_cast<Rank>(from), static_cast<Rank>(to), line[to]});
  }
  return make_demands(static_cast<Rank>(ranks), std::move(pairs));
}

bool as_all_have(const mpi::Peers& peers, const Demands& demands, const ExchangeCall& call) {
  std::vector<std::int64_t> differ{as_planned(demands, call, peers.rank()) ? 0 : 1};
  peers.reduce_to_all(differ, MPI_MAX);
  return differ.front() == 0;
}

std::unique_ptr<mpi::plan_handle::state> plan_by_demands(const std::shared_ptr<mpi::communicator::state>& communicator,
                                                         const DemandsPtr& demands, const std::string& choice) {
  std::unique_ptr<mpi::plan_handle::state> plan;
  communicator->agree([&] {
    Spec spec{.collective = Collective::alltoallv, .topology = communicator->topology()};
    spec.demands = demands;
    spec = checked(std::move(spec));
    const Built built = communicator->built(spec, choice);
    program::Program program = communicator->compiled(spec, built);
    const int tag = communicator->take_tags(built.schedule->shape().rounds);
    plan = std::make_unique<mpi::plan_handle::state>(communicator, spec, built, std::move(program), tag);
    return plan->algorithm;
  });
  plan->execution.connect();
  return plan;
}

DemandPlan::DemandPlan(std::shared_ptr<mpi::communicator::state> communicator, DemandsPtr demands,
                       const std::string& name)
    : choice(name),
      communicator_(std::move(communicator)),
      demands_(std::move(demands)),
      packer_{communicator_->peers.comm(), communicator_->peers.rank()},
      plan_(plan_by_demands(communicator_, demands_, name)) {}

bool DemandPlan::answers(const ExchangeCall& call) const { return as_all_have(communicator_->peers, *demands_, call); }

void DemandPlan::start(const ExchangeCall& call) {
  ends_.emplace(plan_.spec(), packer_, call, staging_);
  plan_.start(ends_->in(), ends_->out());
}

void DemandPlan::finish() {
  ends_->finish();
  ends_.reset();
}

}  // namespace quadrille::dropin
