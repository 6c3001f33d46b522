// Fortran's names for collectives that end later, and for those that are counted; the library's answer in C is theirs.
#include "dropin/calls/counter.hpp"
#include "dropin/calls/fortran.hpp"
#include "dropin/later/native_later.hpp"

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
LATER(10, 11, Alltoallv, alltoallv, ALLTOALLV)
ALL(9, 10, 11, Gatherv, gatherv, GATHERV)
ALL(9, 10, 11, Scatterv, scatterv, SCATTERV)
ALL(7, 8, 9, Neighbor_allgather, neighbor_allgather, NEIGHBOR_ALLGATHER)
ALL(8, 9, 10, Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOR_ALLGATHERV)
ALL(7, 8, 9, Neighbor_alltoall, neighbor_alltoall, NEIGHBOR_ALLTOALL)
ALL(9, 10, 11, Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOR_ALLTOALLV)

// Those with a type for each rank go on to MPI as they came: how long such an array must stay is known to MPI alone.
#define COUNTED(lower, name)                                                  \
  static Counter& calls_of_##lower = counter(name);                           \
  [[maybe_unused]] static const auto count_##lower = [](const auto& native) { \
    return counted(calls_of_##lower, native);                                 \
  };
#define OF_TYPES(name, lower, upper)                        \
  COUNTED(lower, #name)                                     \
  COUNTED(i##lower, "I" #lower)                             \
  COUNTED(lower##_init, #name "_init")                      \
  FORTRAN_PASSED_ON(9, count_##lower, lower, upper)         \
  FORTRAN_PASSED_ON(10, count_i##lower, i##lower, I##upper) \
  PERSISTENT(FORTRAN_PASS, 11, lower, upper, count_##lower##_init)

OF_TYPES(Alltoallw, alltoallw, ALLTOALLW)
OF_TYPES(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALLW)

#endif
