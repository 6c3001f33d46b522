#include "dropin/calls/operation.hpp"

#include <algorithm>
#include <array>

namespace quadrille::dropin {

namespace {

constexpr std::array<std::string_view, operations> names{
    "bcast",  "allgather", "allgatherv",           "scatter", "gather", "alltoall", "alltoallv",
    "reduce", "allreduce", "reduce_scatter_block", "barrier"};

Collective collective_of(Operation operation) {
  switch (operation) {
    case Operation::bcast:
      return Collective::bcast;
    case Operation::scatter:
      return Collective::scatter;
    case Operation::gather:
      return Collective::gather;
    case Operation::alltoall:
    case Operation::alltoallv:
      return Collective::alltoall;
    default:
      return Collective::allgather;
  }
}

}  // namespace

std::string_view to_string(Operation operation) { return names[static_cast<std::size_t>(operation)]; }

std::optional<Operation> find_operation(std::string_view name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return {};
  return static_cast<Operation>(at - names.begin());
}

std::uint64_t Request::hash() const {
  std::uint64_t h = mixed(static_cast<std::uint64_t>(operation), static_cast<std::uint64_t>(bytes));
  h = mixed(h, static_cast<std::uint64_t>(root));
  for (const Bytes length : lengths) h = mixed(h, static_cast<std::uint64_t>(length));
  return h;
}

bool has_plans(Operation operation) { return operation <= Operation::alltoallv; }

std::optional<Spec> spec_of(const Request& request, TopologyPtr topology) {
  if (!has_plans(request.operation)) return {};
  Spec spec{.collective = collective_of(request.operation),
            .topology = std::move(topology),
            .bytes = request.bytes,
            .root = request.root};
  const std::vector<Bytes>& lengths = request.lengths;
  if (request.operation == Operation::alltoallv) spec.bytes = request.bytes / spec.ranks();
  if (request.operation != Operation::allgatherv) return checked(spec);
  if (lengths.empty()) {  // of a report, which keeps no lengths
    spec.bytes = request.bytes / spec.ranks();
    return checked(spec);
  }
  if (std::all_of(lengths.begin(), lengths.end(), [&](Bytes b) { return b == lengths.front(); })) {
    spec.bytes = lengths.front();
    return checked(spec);
  }
  spec.collective = Collective::multibcast;
  std::vector<std::pair<Rank, Bytes>> sources;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    if (lengths[r] > 0) sources.emplace_back(static_cast<Rank>(r), lengths[r]);
  spec.sources = make_sources(std::move(sources));
  return checked(spec);
}

}  // namespace quadrille::dropin
