// Collectives that are left to MPI: non-blocking, persistent and neighbourhood ones, and those that nothing is planned
// for. They are counted, and the time inside the calls is taken.
#include "dropin/calls/counted.hpp"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <array>
#include <string>

#include "dropin/session.hpp"
#include "dropin/timing/timed.hpp"

namespace quadrille::dropin {

namespace {

/// One for each name, from when the library is loaded.
struct Counter {
  std::string name;
  std::atomic<std::int64_t> calls{0};
  std::atomic_flag in_use;  ///< the stopwatch, by one thread; calls of others meanwhile are counted alone
  Stopwatch time;
};
constexpr std::size_t most_counters = 128;
std::array<Counter, most_counters>& counters() {
  static std::array<Counter, most_counters> all;
  return all;
}
std::size_t used = 0;

Counter& counter(const char* name) {
  Counter& next = counters().at(used++);
  next.name = name;
  return next;
}

Counter& calls_between = counter("on inter-communicators");

/// What MPI answers. It may call another collective's name, and so come here again.
template <class Native>
int counted(Counter& counter, const Native& native) {
  if (!watching) return native();
  counter.calls.fetch_add(1, std::memory_order_relaxed);
  if (counter.in_use.test_and_set(std::memory_order_acquire)) return native();
  const int code = counter.time.due() ? timed(counter.time, native) : native();
  counter.in_use.clear(std::memory_order_release);
  return code;
}

}  // namespace

void count_between() { calls_between.calls.fetch_add(1, std::memory_order_relaxed); }

std::vector<CountedCalls> counted_calls() {
  std::vector<CountedCalls> all;
  const Ticks now = ticks();
  for (std::size_t i = 0; i < used; ++i) {
    const Counter& c = counters()[i];
    const std::int64_t calls = c.calls;
    // Nothing is known of the time of calls before the first that was timed.
    all.push_back({static_cast<double>(calls), calls > 0 ? seconds_of(c.time.all(now)) : 0});
  }
  return all;
}

std::vector<NamedCalls> named_calls(const std::vector<CountedCalls>& calls) {
  std::vector<NamedCalls> named;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (calls[i].calls > 0)
      named.push_back({counters()[i].name, static_cast<std::int64_t>(calls[i].calls), calls[i].time});
  std::stable_sort(named.begin(), named.end(),
                   [](const NamedCalls& a, const NamedCalls& b) { return a.calls > b.calls; });
  return named;
}

}  // namespace quadrille::dropin

using namespace quadrille::dropin;

// The library's own calls of these have other names (pmpi.hpp); here they are those of the program.
#undef MPI_Iallgather
#undef MPI_Iallreduce
#undef MPI_Ibarrier
#undef MPI_Ibcast

#define COUNTED_AS(prefix, name, parameters, arguments)                            \
  static Counter& calls_of_##name = counter(#name);                                \
  extern "C" int prefix##_##name parameters {                                      \
    return counted(calls_of_##name, [&] { return P##prefix##_##name arguments; }); \
  }
#define COUNTED(name, parameters, arguments) COUNTED_AS(MPI, name, parameters, arguments)

// The same arguments, and one or two more: MPI's non-blocking and, since version 4, persistent form of a collective.
#define ALL_OF(...) __VA_ARGS__
#define NON_BLOCKING(name, parameters, arguments) \
  COUNTED(name, (ALL_OF parameters, MPI_Request * request), (ALL_OF arguments, request))
#if MPI_VERSION >= 4
#define PERSISTENT(name, parameters, arguments) \
  COUNTED(name##_init, (ALL_OF parameters, MPI_Info info, MPI_Request * request), (ALL_OF arguments, info, request))
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)  // Open MPI 4.1 has them under another name
#define PERSISTENT(name, parameters, arguments)                                            \
  COUNTED_AS(MPIX, name##_init, (ALL_OF parameters, MPI_Info info, MPI_Request * request), \
             (ALL_OF arguments, info, request))
#else
#define PERSISTENT(name, parameters, arguments)
#endif
#define NOT_TIMED(name, non_blocking, parameters, arguments) \
  COUNTED(name, parameters, arguments)                       \
  NON_BLOCKING(non_blocking, parameters, arguments)          \
  PERSISTENT(name, parameters, arguments)
#define TIMED(name, non_blocking, parameters, arguments) /* itself, in calls.cpp */ \
  NON_BLOCKING(non_blocking, parameters, arguments)                                 \
  PERSISTENT(name, parameters, arguments)

NOT_TIMED(Gatherv, Igatherv,
          (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, int h,
           MPI_Comm i),
          (a, b, c, d, e, f, g, h, i))
NOT_TIMED(Scatterv, Iscatterv,
          (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, int f, MPI_Datatype g, int h,
           MPI_Comm i),
          (a, b, c, d, e, f, g, h, i))
NOT_TIMED(Alltoallw, Ialltoallw,
          (const void* a, const int b[], const int c[], const MPI_Datatype d[], void* e, const int f[], const int g[],
           const MPI_Datatype h[], MPI_Comm i),
          (a, b, c, d, e, f, g, h, i))
TIMED(Reduce_scatter, Ireduce_scatter, (const void* a, void* b, const int c[], MPI_Datatype d, MPI_Op e, MPI_Comm f),
      (a, b, c, d, e, f))
TIMED(Scan, Iscan, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f))
TIMED(Exscan, Iexscan, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f))
NOT_TIMED(Neighbor_allgather, Ineighbor_allgather,
          (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g), (a, b, c, d, e, f, g))
NOT_TIMED(Neighbor_allgatherv, Ineighbor_allgatherv,
          (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, MPI_Comm h),
          (a, b, c, d, e, f, g, h))
NOT_TIMED(Neighbor_alltoall, Ineighbor_alltoall,
          (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g), (a, b, c, d, e, f, g))
NOT_TIMED(Neighbor_alltoallv, Ineighbor_alltoallv,
          (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], const int g[],
           MPI_Datatype h, MPI_Comm i),
          (a, b, c, d, e, f, g, h, i))
NOT_TIMED(Neighbor_alltoallw, Ineighbor_alltoallw,
          (const void* a, const int b[], const MPI_Aint c[], const MPI_Datatype d[], void* e, const int f[],
           const MPI_Aint g[], const MPI_Datatype h[], MPI_Comm i),
          (a, b, c, d, e, f, g, h, i))
TIMED(Barrier, Ibarrier, (MPI_Comm a), (a))
TIMED(Bcast, Ibcast, (void* a, int b, MPI_Datatype c, int d, MPI_Comm e), (a, b, c, d, e))
TIMED(Gather, Igather, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, int g, MPI_Comm h),
      (a, b, c, d, e, f, g, h))
TIMED(Scatter, Iscatter, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, int g, MPI_Comm h),
      (a, b, c, d, e, f, g, h))
TIMED(Allgather, Iallgather, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
      (a, b, c, d, e, f, g))
TIMED(Alltoall, Ialltoall, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
      (a, b, c, d, e, f, g))
TIMED(Allgatherv, Iallgatherv,
      (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, MPI_Comm h),
      (a, b, c, d, e, f, g, h))
TIMED(Alltoallv, Ialltoallv,
      (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], const int g[],
       MPI_Datatype h, MPI_Comm i),
      (a, b, c, d, e, f, g, h, i))
TIMED(Reduce, Ireduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, int f, MPI_Comm g),
      (a, b, c, d, e, f, g))
TIMED(Allreduce, Iallreduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f))
TIMED(Reduce_scatter_block, Ireduce_scatter_block,
      (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f))
