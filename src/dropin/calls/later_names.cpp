// MPI's names for non-blocking and persistent collectives that plans may answer, in C.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/both_widths.hpp"
#include "dropin/calls/later.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

// The library's own calls of these have other names (pmpi.hpp); here they are those of the program.
#undef MPI_Iallgather
#undef MPI_Iallreduce
#undef MPI_Ibarrier
#undef MPI_Ibcast

// `asked` says what the call asks for, of `call`, which is either form.
#define ONE(ending, symbol, of_mpi, counter, parameters, arguments, asked)                      \
  extern "C" int symbol(ALL_OF parameters) {                                                    \
    const auto call = later_call(                                                               \
        Ending::ending, [=] { return of_mpi(ALL_OF arguments); }, request, calls_of_##counter); \
    return asked;                                                                               \
  }
#define NON_BLOCKING(symbol, of_mpi, counter, parameters, arguments, asked)                                           \
  ONE(non_blocking, symbol, of_mpi, counter, (ALL_OF parameters, MPI_Request * request), (ALL_OF arguments, request), \
      asked)
#define PERSISTENT(symbol, of_mpi, counter, parameters, arguments, asked)                             \
  ONE(persistent, symbol, of_mpi, counter, (ALL_OF parameters, MPI_Info info, MPI_Request * request), \
      (ALL_OF arguments, info, request), asked)
#define NARROW(name, lower, parameters, arguments, asked)                                                             \
  COUNTERS(name, lower)                                                                                               \
  IN_NARROW(NON_BLOCKING(MPI_I##lower, PMPI_I##lower, I##lower, parameters, arguments, asked))                        \
  IF_PERSISTENT(IN_NARROW(PERSISTENT(QUADRILLE_PERSISTENT_NAME(name), QUADRILLE_PERSISTENT_OF_MPI(name), name##_init, \
                                     parameters, arguments, asked)))
#define LATER(name, lower, parameters, arguments, asked)                                             \
  NARROW(name, lower, parameters, arguments, asked)                                                  \
  IN_WIDE(NON_BLOCKING(MPI_I##lower##_c, PMPI_I##lower##_c, I##lower, parameters, arguments, asked)) \
  IN_WIDE(PERSISTENT(MPI_##name##_init_c, PMPI_##name##_init_c, name##_init, parameters, arguments, asked))

NARROW(Barrier, barrier, (MPI_Comm a), (a), ask::barrier(a, call))
LATER(Bcast, bcast, (void* a, Number b, MPI_Datatype c, int d, MPI_Comm e), (a, b, c, d, e),
      ask::bcast(a, b, c, d, e, call))
LATER(Gather, gather, (const void* a, Number b, MPI_Datatype c, void* d, Number e, MPI_Datatype f, int g, MPI_Comm h),
      (a, b, c, d, e, f, g, h), ask::gather(a, b, c, d, e, f, g, h, call))
LATER(Scatter, scatter, (const void* a, Number b, MPI_Datatype c, void* d, Number e, MPI_Datatype f, int g, MPI_Comm h),
      (a, b, c, d, e, f, g, h), ask::scatter(a, b, c, d, e, f, g, h, call))
LATER(Allgather, allgather, (const void* a, Number b, MPI_Datatype c, void* d, Number e, MPI_Datatype f, MPI_Comm g),
      (a, b, c, d, e, f, g), equal_blocks(Operation::allgather, a, b, c, d, e, f, g, call))
LATER(Alltoall, alltoall, (const void* a, Number b, MPI_Datatype c, void* d, Number e, MPI_Datatype f, MPI_Comm g),
      (a, b, c, d, e, f, g), equal_blocks(Operation::alltoall, a, b, c, d, e, f, g, call))
LATER(Allgatherv, allgatherv,
      (const void* a, Number b, MPI_Datatype c, void* d, const Number e[], const Place f[], MPI_Datatype g, MPI_Comm h),
      (a, b, c, d, e, f, g, h), ask::allgatherv(a, b, c, d, e, f, g, h, call))
LATER(Reduce, reduce, (const void* a, void* b, Number c, MPI_Datatype d, MPI_Op e, int f, MPI_Comm g),
      (a, b, c, d, e, f, g), vector_reduction(Operation::reduce, a, b, c, d, e, f, g, call))
LATER(Allreduce, allreduce, (const void* a, void* b, Number c, MPI_Datatype d, MPI_Op e, MPI_Comm f),
      (a, b, c, d, e, f), vector_reduction(Operation::allreduce, a, b, c, d, e, 0, f, call))
LATER(Reduce_scatter, reduce_scatter, (const void* a, void* b, const Number c[], MPI_Datatype d, MPI_Op e, MPI_Comm f),
      (a, b, c, d, e, f), ask::reduce_scatter(a, b, c, d, e, f, call))
LATER(Reduce_scatter_block, reduce_scatter_block,
      (const void* a, void* b, Number c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f),
      ask::reduce_scatter_block(a, b, c, d, e, f, call))
LATER(Scan, scan, (const void* a, void* b, Number c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f),
      vector_reduction(Operation::scan, a, b, c, d, e, 0, f, call))
LATER(Exscan, exscan, (const void* a, void* b, Number c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f),
      vector_reduction(Operation::exscan, a, b, c, d, e, 0, f, call))
