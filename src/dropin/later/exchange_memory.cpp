#include "dropin/later/exchange_memory.hpp"

#include <algorithm>
#include <utility>

#include "dropin/later/native_later.hpp"

namespace quadrille::dropin {

void ExchangeMemory::Side::add(Rank partner, Bytes bytes) {
  partners.push_back(static_cast<int>(partner));
  counts.push_back(static_cast<int>(bytes));
  places.push_back(static_cast<int>(memory.size()));
  memory.resize(memory.size() + static_cast<std::size_t>(bytes));
}

ExchangeSide ExchangeMemory::Side::blocks() {
  return {.buffer = memory.data(),
          .blocks = static_cast<int>(partners.size()),
          .partners = partners.data(),
          .counts = counts.data(),
          .places = places.data(),
          .type = MPI_BYTE};
}

ExchangeMemory::ExchangeMemory(Operation operation, DemandsPtr demands, RankGroup& group)
    : operation_(operation), demands_(std::move(demands)), group_(group) {
  const bool to_neighbours = facts_of(operation_).to_neighbours;
  const Rank own = group_.rank();
  const auto bytes_of = [&](std::size_t pair) {
    return pair < demands_->pairs.size() ? demands_->pairs[pair].bytes : Bytes{0};
  };
  for (Rank r = 0; r < group_.ranks(); ++r) {
    const Bytes given = bytes_of(demands_->find(own, r)), taken = bytes_of(demands_->find(r, own));
    if (given > 0 || !to_neighbours) in_.add(r, given);
    if (taken > 0 || !to_neighbours) out_.add(r, taken);
  }
  if (!to_neighbours) return;
  const std::vector<int> weights(in_.partners.size() + out_.partners.size() + 1, 1);
  mpi::check(
      PMPI_Dist_graph_create_adjacent(group_.plans().peers().comm(), static_cast<int>(out_.partners.size()),
                                      out_.partners.data(), weights.data(), static_cast<int>(in_.partners.size()),
                                      in_.partners.data(), weights.data(), MPI_INFO_NULL, 0, &neighbours_),
      "preparing a trial");
}

ExchangeMemory::~ExchangeMemory() {
  if (neighbours_ != MPI_COMM_NULL) PMPI_Comm_free(&neighbours_);
}

/// MPI's own persistent call. An MPI error code.
int ExchangeMemory::native(MPI_Request* handle) {
#ifdef QUADRILLE_PERSISTENT_NAME
#define ARGUMENTS(comm)                                                                                      \
  in_.memory.data(), in_.counts.data(), in_.places.data(), MPI_BYTE, out_.memory.data(), out_.counts.data(), \
      out_.places.data(), MPI_BYTE, comm, MPI_INFO_NULL, handle
  return neighbours_ != MPI_COMM_NULL
             ? QUADRILLE_PERSISTENT_OF_MPI(Neighbor_alltoallv)(ARGUMENTS(neighbours_))
             : QUADRILLE_PERSISTENT_OF_MPI(Alltoallv)(ARGUMENTS(group_.plans().peers().comm()));
#undef ARGUMENTS
#else
  return static_cast<void>(handle), MPI_ERR_OTHER;
#endif
}

TrialCall ExchangeMemory::call() {
  const Bytes all = demands_->first.back() * demands_->word;
  const ExchangeCall exchange{.in = in_.blocks(), .out = out_.blocks()};
  return {.operation = operation_,
          .bytes = std::max<Bytes>(1, all / group_.ranks()),
          .native = [this](MPI_Request* handle) { return native(handle); },
          .plan = [this](const std::string& choice) { return group_.plans().make(demands_, choice); },
          .kept = std::make_shared<const KeptBuffers>(Request{.operation = operation_}, exchange)};
}

}  // namespace quadrille::dropin
