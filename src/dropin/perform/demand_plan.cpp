#include "dropin/perform/demand_plan.hpp"

#include <algorithm>

#include "dropin/perform/buffers.hpp"

namespace quadrille::dropin {

namespace {

/// What a rank has for another, in a call of its own.
Bytes given(const AlltoallvCall& call, int to) { return call.sent().counts[to] * Sizes::of(call.sent().type); }

}  // namespace

DemandsPtr demands_of_all(const mpi::Peers& peers, const AlltoallvCall& call, bool again) {
  constexpr int most_ranks = 64;
  const int ranks = peers.ranks();
  if (ranks > most_ranks) return nullptr;
  std::vector<std::int64_t> mine;
  for (int r = 0; r < ranks; ++r) mine.push_back(given(call, r));
  mine.push_back(again ? 1 : 0);
  const std::vector<std::int64_t> all = peers.gather_to_all(mine);
  std::vector<Demand> pairs;
  for (std::size_t from = 0; from < static_cast<std::size_t>(ranks); ++from) {
    const std::int64_t* const line = all.data() + from * mine.size();
    if (line[ranks] == 0) return nullptr;
    for (int to = 0; to < ranks; ++to) pairs.push_back({static_cast<Rank>(from), to, line[to]});
  }
  return make_demands(ranks, std::move(pairs));
}

std::unique_ptr<mpi::plan_handle::state> DemandPlan::made(const std::shared_ptr<mpi::communicator::state>& communicator,
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
      plan_(made(communicator_, demands_, name)) {}

bool DemandPlan::answers(const AlltoallvCall& call) const {
  bool same = true;
  for (int r = 0; r < communicator_->peers.ranks() && same; ++r) {
    const std::size_t to = demands_->find(packer_.rank, r), from = demands_->find(r, packer_.rank);
    const auto planned = [&](std::size_t pair) {
      return pair < demands_->pairs.size() ? demands_->pairs[pair].bytes : 0;
    };
    same = r == packer_.rank ||
           (given(call, r) == planned(to) && call.out.counts[r] * Sizes::of(call.out.type) == planned(from));
  }
  std::vector<std::int64_t> differ{same ? 0 : 1};
  communicator_->peers.reduce_to_all(differ, MPI_MAX);
  return differ.front() == 0;
}

void DemandPlan::start(const AlltoallvCall& call) {
  const Spec& spec = plan_.spec();
  std::byte* const in = staging_.take(0, std::max<Bytes>(1, buffer_bytes(spec, Buffer::in, packer_.rank)));
  out_ = staging_.take(1, std::max<Bytes>(1, buffer_bytes(spec, Buffer::out, packer_.rank)));
  const auto own = static_cast<std::size_t>(packer_.rank);
  for (std::size_t i = demands_->sent[own]; i < demands_->sent[own + 1]; ++i) {
    const int to = static_cast<int>(demands_->pairs[i].to);
    packer_.pack(call.sent().block(to), call.sent().counts[to], call.sent().type,
                 in + demands_->leaves(i) * demands_->word, demands_->pairs[i].bytes);
  }
  if (const Bytes bytes = call.in_place ? 0 : given(call, packer_.rank); bytes > 0) {
    std::byte* const block = staging_.take(2, bytes);
    packer_.pack(call.in.block(packer_.rank), call.in.counts[packer_.rank], call.in.type, block, bytes);
    packer_.unpack(block, bytes, call.out.block(packer_.rank), call.out.counts[packer_.rank], call.out.type);
  }
  plan_.start(in, out_);
}

void DemandPlan::finish(const AlltoallvCall& call) const {
  const auto own = static_cast<std::size_t>(packer_.rank);
  for (std::size_t i = demands_->received[own]; i < demands_->received[own + 1]; ++i) {
    const std::size_t pair = demands_->incoming[i];
    const int from = static_cast<int>(demands_->pairs[pair].from);
    packer_.unpack(out_ + demands_->arrives[pair] * demands_->word, demands_->pairs[pair].bytes, call.out.block(from),
                   call.out.counts[from], call.out.type);
  }
}

}  // namespace quadrille::dropin
