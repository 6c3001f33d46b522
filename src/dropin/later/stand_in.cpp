#include "dropin/later/stand_in.hpp"

#include <cstddef>

#include "dropin/later/kept_handles.hpp"
#include "mpi/peers.hpp"

namespace quadrille::dropin {

namespace {

/// MPI calls it: of elements that lie together, each byte for itself.
void mix(void* given, void* kept, int* count, MPI_Datatype* type) {
  int size = 0;
  PMPI_Type_size(*type, &size);
  const auto* const from = static_cast<const std::byte*>(given);
  auto* const to = static_cast<std::byte*>(kept);
  for (std::ptrdiff_t i = 0; i < std::ptrdiff_t{*count} * size; ++i) to[i] ^= from[i];
}

}  // namespace

StandIn::StandIn(const Request& request, const mpi::reduction& by) : own_(request.by.user), by_(by) {
  if (!own_) return;
  mpi::check(PMPI_Type_contiguous(static_cast<int>(request.by.element), MPI_BYTE, &by_.type), "preparing a trial");
  mpi::check(PMPI_Type_commit(&by_.type), "preparing a trial");
  mpi::check(PMPI_Op_create(mix, request.by.operands == Operands::commutative ? 1 : 0, &by_.op), "preparing a trial");
}

/// Calls of a trial may have kept them until now, or longer where one has failed.
StandIn::~StandIn() {
  if (!own_) return;
  KeptHandles<Operators>::get().free(&by_.op);
  KeptHandles<Types>::get().free(&by_.type);
}

}  // namespace quadrille::dropin
