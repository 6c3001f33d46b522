// Collectives that are left to MPI: neighbourhood ones, and those that nothing is planned for, with their non-blocking
// and persistent forms. They are counted, and the time inside the calls is taken.
#include "dropin/calls/counted.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "dropin/calls/counter.hpp"
#include "dropin/later/native_later.hpp"

namespace quadrille::dropin {

namespace {

constexpr std::size_t most_counters = 128;
std::array<Counter, most_counters>& counters() {
  static std::array<Counter, most_counters> all;
  return all;
}
std::size_t used = 0;

Counter& calls_between = counter("on inter-communicators");

}  // namespace

Counter& counter(const char* name) {
  Counter& next = counters().at(used++);
  next.name = name;
  return next;
}

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

#define COUNTED(name, parameters, arguments)                                \
  static Counter& calls_of_##name = counter(#name);                         \
  extern "C" int MPI_##name parameters {                                    \
    return counted(calls_of_##name, [&] { return PMPI_##name arguments; }); \
  }

// The same arguments, and one or two more: MPI's non-blocking and, since version 4, persistent form of a collective.
#define ALL_OF(...) __VA_ARGS__
#define NON_BLOCKING(name, parameters, arguments) \
  COUNTED(name, (ALL_OF parameters, MPI_Request * request), (ALL_OF arguments, request))
#ifdef QUADRILLE_PERSISTENT_NAME
#define PERSISTENT(name, parameters, arguments)                                                             \
  static Counter& calls_of_##name##_init = counter(#name "_init");                                          \
  extern "C" int QUADRILLE_PERSISTENT_NAME(name)(ALL_OF parameters, MPI_Info info, MPI_Request * request) { \
    return counted(calls_of_##name##_init,                                                                  \
                   [&] { return QUADRILLE_PERSISTENT_OF_MPI(name)(ALL_OF arguments, info, request); });     \
  }
#else
#define PERSISTENT(name, parameters, arguments)
#endif
#define NOT_TIMED(name, non_blocking, parameters, arguments) \
  COUNTED(name, parameters, arguments)                       \
  NON_BLOCKING(non_blocking, parameters, arguments)          \
  PERSISTENT(name, parameters, arguments)
#define TIMED(name, non_blocking, parameters, arguments) /* itself, in a file of its own */ \
  NON_BLOCKING(non_blocking, parameters, arguments)                                         \
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
TIMED(Alltoallv, Ialltoallv,
      (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], const int g[],
       MPI_Datatype h, MPI_Comm i),
      (a, b, c, d, e, f, g, h, i))
