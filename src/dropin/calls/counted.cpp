// Collectives that are left to MPI. They are counted, and the time inside the calls is taken.
#include "dropin/calls/counted.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "dropin/calls/both_widths.hpp"
#include "dropin/calls/counter.hpp"

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
  for (std::size_t i = 0; i < used; ++i)
    if (counters()[i].name == name) return counters()[i];
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

#define COUNTED(symbol, of_mpi, counter, parameters, arguments)                   \
  extern "C" int symbol(ALL_OF parameters) {                                      \
    return counted(calls_of_##counter, [&] { return of_mpi(ALL_OF arguments); }); \
  }
// The same arguments, and one or two more: MPI's non-blocking and, since version 4, persistent form of a collective.
#define NON_BLOCKING(symbol, of_mpi, counter, parameters, arguments) \
  COUNTED(symbol, of_mpi, counter, (ALL_OF parameters, MPI_Request * request), (ALL_OF arguments, request))
#define PERSISTENT(symbol, of_mpi, counter, parameters, arguments)                            \
  COUNTED(symbol, of_mpi, counter, (ALL_OF parameters, MPI_Info info, MPI_Request * request), \
          (ALL_OF arguments, info, request))
#define AT_ONCE(name, parameters, arguments)                               \
  static Counter& calls_of_##name = counter(#name);                        \
  IN_NARROW(COUNTED(MPI_##name, PMPI_##name, name, parameters, arguments)) \
  IN_WIDE(COUNTED(MPI_##name##_c, PMPI_##name##_c, name, parameters, arguments))
#define NON_BLOCKING_FORMS(lower, parameters, arguments)                                \
  COUNTER_OF_I(lower)                                                                   \
  IN_NARROW(NON_BLOCKING(MPI_I##lower, PMPI_I##lower, I##lower, parameters, arguments)) \
  IN_WIDE(NON_BLOCKING(MPI_I##lower##_c, PMPI_I##lower##_c, I##lower, parameters, arguments))
#define PERSISTENT_FORMS(name, parameters, arguments)                                                                 \
  COUNTER_OF_INIT(name)                                                                                               \
  IF_PERSISTENT(IN_NARROW(PERSISTENT(QUADRILLE_PERSISTENT_NAME(name), QUADRILLE_PERSISTENT_OF_MPI(name), name##_init, \
                                     parameters, arguments)))                                                         \
  IN_WIDE(PERSISTENT(MPI_##name##_init_c, PMPI_##name##_init_c, name##_init, parameters, arguments))
#define ALL_FORMS(name, lower, parameters, arguments) \
  AT_ONCE(name, parameters, arguments)                \
  NON_BLOCKING_FORMS(lower, parameters, arguments)    \
  PERSISTENT_FORMS(name, parameters, arguments)

ALL_FORMS(Gatherv, gatherv,
          (const void* a, Number b, MPI_Datatype c, void* d, const Number e[], const Place f[], MPI_Datatype g, int h,
           MPI_Comm i),
          (a, b, c, d, e, f, g, h, i))
ALL_FORMS(Scatterv, scatterv,
          (const void* a, const Number b[], const Place c[], MPI_Datatype d, void* e, Number f, MPI_Datatype g, int h,
           MPI_Comm i),
          (a, b, c, d, e, f, g, h, i))
// The other forms of exchanges have a file of their own.
NON_BLOCKING_FORMS(alltoallv,
                   (const void* a, const Number b[], const Place c[], MPI_Datatype d, void* e, const Number f[],
                    const Place g[], MPI_Datatype h, MPI_Comm i),
                   (a, b, c, d, e, f, g, h, i))
NON_BLOCKING_FORMS(alltoallw,
                   (const void* a, const Number b[], const Place c[], const MPI_Datatype d[], void* e, const Number f[],
                    const Place g[], const MPI_Datatype h[], MPI_Comm i),
                   (a, b, c, d, e, f, g, h, i))
NON_BLOCKING_FORMS(neighbor_allgather,
                   (const void* a, Number b, MPI_Datatype c, void* d, Number e, MPI_Datatype f, MPI_Comm g),
                   (a, b, c, d, e, f, g))
NON_BLOCKING_FORMS(neighbor_allgatherv,
                   (const void* a, Number b, MPI_Datatype c, void* d, const Number e[], const Place f[], MPI_Datatype g,
                    MPI_Comm h),
                   (a, b, c, d, e, f, g, h))
NON_BLOCKING_FORMS(neighbor_alltoall,
                   (const void* a, Number b, MPI_Datatype c, void* d, Number e, MPI_Datatype f, MPI_Comm g),
                   (a, b, c, d, e, f, g))
NON_BLOCKING_FORMS(neighbor_alltoallv,
                   (const void* a, const Number b[], const Place c[], MPI_Datatype d, void* e, const Number f[],
                    const Place g[], MPI_Datatype h, MPI_Comm i),
                   (a, b, c, d, e, f, g, h, i))
NON_BLOCKING_FORMS(neighbor_alltoallw,
                   (const void* a, const Number b[], const MPI_Aint c[], const MPI_Datatype d[], void* e,
                    const Number f[], const MPI_Aint g[], const MPI_Datatype h[], MPI_Comm i),
                   (a, b, c, d, e, f, g, h, i))
