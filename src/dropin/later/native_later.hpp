// MPI's own persistent and non-blocking collectives, by operation.
#pragma once

#include <mpi.h>

#include "dropin/decide/later_row.hpp"
#include "dropin/perform/buffers.hpp"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#if MPI_VERSION >= 4
#define QUADRILLE_PERSISTENT_NAME(name) MPI_##name##_init
#define QUADRILLE_PERSISTENT_OF_MPI(name) PMPI_##name##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)  // Open MPI 4.1 has them under another name
#define QUADRILLE_PERSISTENT_NAME(name) MPIX_##name##_init
#define QUADRILLE_PERSISTENT_OF_MPI(name) PMPIX_##name##_init
#endif

namespace quadrille::dropin {

/// MPI's own persistent call for this request, inactive, or its non-blocking one, on buffers that lie together:
/// `counts` and `displaces`, which are not wide, are those of an allgatherv or a reduce_scatter. An MPI error code;
/// MPI_ERR_OTHER where this MPI has no such call.
int native_later(Ending ending, const Request& request, const Buffers& buffers, MPI_Comm comm, MPI_Request* handle);

/// Whether MPI's own request does its work again each time that it is started. MPICH 4.0 frees what its schedules of
/// these work with after the first time: later results are wrong, and a wait may end in an error.
constexpr bool starts_again(Operation operation) {
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
  return operation != Operation::allgather && operation != Operation::allgatherv && operation != Operation::gather &&
         operation != Operation::scatter;
#else
  return static_cast<void>(operation), true;
#endif
}

}  // namespace quadrille::dropin
