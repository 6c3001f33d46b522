// MPI's names for non-blocking and persistent collectives that plans may answer, in C.
#include "dropin/calls/ask.hpp"
#include "dropin/calls/later.hpp"
#include "dropin/later/native_later.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

// The library's own calls of these have other names (pmpi.hpp); here they are those of the program.
#undef MPI_Iallgather
#undef MPI_Iallreduce
#undef MPI_Ibarrier
#undef MPI_Ibcast

// `asked` says what the call asks for, of `call`, which is either form.
#define ALL_OF(...) __VA_ARGS__
#define NON_BLOCKING(name, parameters, arguments, asked)                                                         \
  static Counter& calls_of_##name = counter(#name);                                                              \
  extern "C" int MPI_##name(ALL_OF parameters, MPI_Request* request) {                                           \
    const auto call = later_call(                                                                                \
        Ending::non_blocking, [=] { return PMPI_##name(ALL_OF arguments, request); }, request, calls_of_##name); \
    return asked;                                                                                                \
  }
#ifdef QUADRILLE_PERSISTENT_NAME
#define PERSISTENT(name, parameters, arguments, asked)                                                          \
  static Counter& calls_of_##name##_init = counter(#name "_init");                                              \
  extern "C" int QUADRILLE_PERSISTENT_NAME(name)(ALL_OF parameters, MPI_Info info, MPI_Request * request) {     \
    const auto call = later_call(                                                                               \
        Ending::persistent, [=] { return QUADRILLE_PERSISTENT_OF_MPI(name)(ALL_OF arguments, info, request); }, \
        request, calls_of_##name##_init);                                                                       \
    return asked;                                                                                               \
  }
#else
#define PERSISTENT(name, parameters, arguments, asked)
#endif
#define LATER(name, non_blocking, parameters, arguments, asked) \
  NON_BLOCKING(non_blocking, parameters, arguments, asked)      \
  PERSISTENT(name, parameters, arguments, asked)

LATER(Barrier, Ibarrier, (MPI_Comm a), (a), ask::barrier(a, call))
LATER(Bcast, Ibcast, (void* a, int b, MPI_Datatype c, int d, MPI_Comm e), (a, b, c, d, e),
      ask::bcast(a, b, c, d, e, call))
LATER(Gather, Igather, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, int g, MPI_Comm h),
      (a, b, c, d, e, f, g, h), ask::gather(a, b, c, d, e, f, g, h, call))
LATER(Scatter, Iscatter, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, int g, MPI_Comm h),
      (a, b, c, d, e, f, g, h), ask::scatter(a, b, c, d, e, f, g, h, call))
LATER(Allgather, Iallgather, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
      (a, b, c, d, e, f, g), equal_blocks(Operation::allgather, a, b, c, d, e, f, g, call))
LATER(Alltoall, Ialltoall, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
      (a, b, c, d, e, f, g), equal_blocks(Operation::alltoall, a, b, c, d, e, f, g, call))
LATER(Allgatherv, Iallgatherv,
      (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, MPI_Comm h),
      (a, b, c, d, e, f, g, h), ask::allgatherv(a, b, c, d, e, f, g, h, call))
LATER(Reduce, Ireduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, int f, MPI_Comm g),
      (a, b, c, d, e, f, g), vector_reduction(Operation::reduce, a, b, c, d, e, f, g, call))
LATER(Allreduce, Iallreduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f),
      vector_reduction(Operation::allreduce, a, b, c, d, e, 0, f, call))
LATER(Reduce_scatter, Ireduce_scatter, (const void* a, void* b, const int c[], MPI_Datatype d, MPI_Op e, MPI_Comm f),
      (a, b, c, d, e, f), ask::reduce_scatter(a, b, c, d, e, f, call))
LATER(Reduce_scatter_block, Ireduce_scatter_block,
      (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f),
      ask::reduce_scatter_block(a, b, c, d, e, f, call))
LATER(Scan, Iscan, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f),
      vector_reduction(Operation::scan, a, b, c, d, e, 0, f, call))
LATER(Exscan, Iexscan, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f),
      vector_reduction(Operation::exscan, a, b, c, d, e, 0, f, call))
