// Fortran's names for collectives that end later, and for those that are counted; the library's answer in C is theirs.
#include <vector>

#include "dropin/calls/both_widths.hpp"
#include "dropin/calls/counter.hpp"
#include "dropin/calls/fortran.hpp"
#include "dropin/later/native_later.hpp"
#include "dropin/ranks/graph_neighbours.hpp"

using namespace quadrille::dropin;

// The library's own calls of these have other names (pmpi.hpp); here they are those of the program.
#undef MPI_Iallgather
#undef MPI_Iallreduce
#undef MPI_Ibarrier
#undef MPI_Ibcast

// Persistent collectives: as in native_later.hpp.
#if MPI_VERSION >= 4
#define PERSISTENT(define, count, lower, upper, what) \
  FORTRAN_EACH(define, count, mpi_##lower##_init, MPI_##upper##_INIT, what)
#define PERSISTENT_ANSWER(count, name, lower, upper) PERSISTENT(FORTRAN_ANSWER, count, lower, upper, MPI_##name##_init)
#elif defined(QUADRILLE_PERSISTENT_NAME)
#define PERSISTENT(define, count, lower, upper, what) \
  FORTRAN_EACH(define, count, mpix_##lower##_init, MPIX_##upper##_INIT, what)
#define PERSISTENT_ANSWER(count, name, lower, upper) PERSISTENT(FORTRAN_ANSWER, count, lower, upper, MPIX_##name##_init)
#else
#define PERSISTENT(define, count, lower, upper, what)
#define PERSISTENT_ANSWER(count, name, lower, upper)
#endif

FORTRAN(2, Ibarrier, ibarrier, IBARRIER)
PERSISTENT_ANSWER(3, Barrier, barrier, BARRIER)

#ifdef OMPI_MAJOR_VERSION

// The numbers of arguments are those of the blocking, the non-blocking and the persistent form.
#define LATER(non_blocking, persistent, name, lower, upper) \
  FORTRAN(non_blocking, I##lower, i##lower, I##upper)       \
  PERSISTENT_ANSWER(persistent, name, lower, upper)
#define ALL(at_once, non_blocking, persistent, name, lower, upper) \
  FORTRAN(at_once, name, lower, upper)                             \
  LATER(non_blocking, persistent, name, lower, upper)

LATER(6, 7, Bcast, bcast, BCAST)
LATER(9, 10, Gather, gather, GATHER)
LATER(9, 10, Scatter, scatter, SCATTER)
LATER(8, 9, Allgather, allgather, ALLGATHER)
LATER(8, 9, Alltoall, alltoall, ALLTOALL)
LATER(9, 10, Allgatherv, allgatherv, ALLGATHERV)
LATER(8, 9, Reduce, reduce, REDUCE)
LATER(7, 8, Allreduce, allreduce, ALLREDUCE)
LATER(7, 8, Reduce_scatter, reduce_scatter, REDUCE_SCATTER)
LATER(7, 8, Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK)
LATER(7, 8, Scan, scan, SCAN)
LATER(7, 8, Exscan, exscan, EXSCAN)
ALL(9, 10, 11, Alltoallv, alltoallv, ALLTOALLV)
ALL(9, 10, 11, Gatherv, gatherv, GATHERV)
ALL(9, 10, 11, Scatterv, scatterv, SCATTERV)
ALL(7, 8, 9, Neighbor_allgather, neighbor_allgather, NEIGHBOR_ALLGATHER)
ALL(8, 9, 10, Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOR_ALLGATHERV)
ALL(7, 8, 9, Neighbor_alltoall, neighbor_alltoall, NEIGHBOR_ALLTOALL)
ALL(9, 10, 11, Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOR_ALLTOALLV)

namespace {

using namespace fortran;

/// How many blocks a rank gives and takes.
struct BlockCounts {
  std::size_t given = 0, taken = 0;
};
BlockCounts of_all_ranks(MPI_Comm comm) {
  int between = 0, ranks = 0;
  if (comm == MPI_COMM_NULL) return {};
  PMPI_Comm_test_inter(comm, &between);
  between != 0 ? PMPI_Comm_remote_size(comm, &ranks) : PMPI_Comm_size(comm, &ranks);
  return {static_cast<std::size_t>(ranks), static_cast<std::size_t>(ranks)};
}
BlockCounts of_neighbours(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return {};
  const GraphNeighbours neighbours = GraphNeighbours::of(comm);
  return {neighbours.to.size(), neighbours.from.size()};
}

std::vector<MPI_Datatype> types(void* handles, std::size_t count) {
  std::vector<MPI_Datatype> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(type(static_cast<F>(handles) + i));
  return all;
}

/// What the function of C answers to a call with a type for each block.
template <class Place>
using OfTypes = int (*)(const void*, const int*, const Place*, const MPI_Datatype*, void*, const int*, const Place*,
                        const MPI_Datatype*, MPI_Comm);
template <class Place>
void answer_of_types(MPI_Fint* error, OfTypes<Place> function, BlockCounts (*blocks)(MPI_Comm), void* in,
                     void* in_counts, void* in_places, void* in_types, void* out, void* out_counts, void* out_places,
                     void* out_types, void* handle) {
  const MPI_Comm over = comm(static_cast<F>(handle));
  const BlockCounts count = blocks(over);
  void* const from = buffer(in);
  const auto given = types(in_types, from == MPI_IN_PLACE ? 0 : count.given), taken = types(out_types, count.taken);
  set(error, function(from, static_cast<F>(in_counts), static_cast<Place*>(in_places), given.data(), buffer(out),
                      static_cast<F>(out_counts), static_cast<Place*>(out_places), taken.data(), over));
}

}  // namespace

#define AMONG_ALL(symbol, count, function) \
  FORTRAN_SYMBOL(symbol, count, answer_of_types(error, function, of_all_ranks, FORTRAN_ARGUMENTS_##count))
#define AMONG_NEIGHBOURS(symbol, count, function) \
  FORTRAN_SYMBOL(symbol, count, answer_of_types(error, function, of_neighbours, FORTRAN_ARGUMENTS_##count))
FORTRAN_EACH(AMONG_ALL, 9, mpi_alltoallw, MPI_ALLTOALLW, MPI_Alltoallw)
FORTRAN_EACH(AMONG_NEIGHBOURS, 9, mpi_neighbor_alltoallw, MPI_NEIGHBOR_ALLTOALLW, MPI_Neighbor_alltoallw)

// Those that end later go on to MPI as they came: how long an array of types must stay is known to MPI alone.
#define COUNTED(lower, name)                                                  \
  static Counter& calls_of_##lower = counter(name);                           \
  [[maybe_unused]] static const auto count_##lower = [](const auto& native) { \
    return counted(calls_of_##lower, native);                                 \
  };
#define OF_TYPES(name, lower, upper)                        \
  COUNTED(i##lower, "I" #lower)                             \
  COUNTED(lower##_init, #name "_init")                      \
  FORTRAN_PASSED_ON(10, count_i##lower, i##lower, I##upper) \
  PERSISTENT(FORTRAN_PASS, 11, lower, upper, count_##lower##_init)

OF_TYPES(Alltoallw, alltoallw, ALLTOALLW)
OF_TYPES(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALLW)

#endif
