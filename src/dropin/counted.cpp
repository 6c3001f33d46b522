// Collectives that are left to MPI and not timed, but counted: non-blocking, persistent and neighbourhood ones, and
// those that nothing is planned for.
#include "dropin/counted.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "dropin/session.hpp"

namespace quadrille::dropin {

namespace {

/// One for each name, from when the library is loaded.
struct Counter {
  std::string name;
  std::atomic<std::int64_t> calls{0};
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

}  // namespace

std::vector<std::int64_t> counted_calls() {
  std::vector<std::int64_t> calls;
  for (std::size_t i = 0; i < used; ++i) calls.push_back(counters()[i].calls);
  return calls;
}

std::vector<std::pair<std::string, std::int64_t>> counted_calls(const std::vector<std::int64_t>& calls) {
  std::vector<std::pair<std::string, std::int64_t>> named;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (calls[i] > 0) named.emplace_back(counters()[i].name, calls[i]);
  std::stable_sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return named;
}

}  // namespace quadrille::dropin

using namespace quadrille::dropin;

// The library's own calls of these have other names (pmpi.hpp); here they are those of the program.
#undef MPI_Iallgather
#undef MPI_Iallreduce
#undef MPI_Ibarrier
#undef MPI_Ibcast

#define COUNTED(name, parameters, arguments)                                     \
  static Counter& calls_of_##name = counter(#name);                              \
  extern "C" int MPI_##name parameters {                                         \
    if (watching) calls_of_##name.calls.fetch_add(1, std::memory_order_relaxed); \
    return PMPI_##name arguments;                                                \
  }

COUNTED(Gatherv,
        (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, int h,
         MPI_Comm i),
        (a, b, c, d, e, f, g, h, i))
COUNTED(Scatterv,
        (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, int f, MPI_Datatype g, int h,
         MPI_Comm i),
        (a, b, c, d, e, f, g, h, i))
COUNTED(Alltoallw,
        (const void* a, const int b[], const int c[], const MPI_Datatype d[], void* e, const int f[], const int g[],
         const MPI_Datatype h[], MPI_Comm i),
        (a, b, c, d, e, f, g, h, i))
COUNTED(Reduce_scatter, (const void* a, void* b, const int c[], MPI_Datatype d, MPI_Op e, MPI_Comm f),
        (a, b, c, d, e, f))
COUNTED(Scan, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f))
COUNTED(Exscan, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f))
COUNTED(Igatherv,
        (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, int h, MPI_Comm i,
         MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, r))
COUNTED(Iscatterv,
        (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, int f, MPI_Datatype g, int h, MPI_Comm i,
         MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, r))
COUNTED(Ialltoallw,
        (const void* a, const int b[], const int c[], const MPI_Datatype d[], void* e, const int f[], const int g[],
         const MPI_Datatype h[], MPI_Comm i, MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, r))
COUNTED(Ireduce_scatter, (const void* a, void* b, const int c[], MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Request* r),
        (a, b, c, d, e, f, r))
COUNTED(Iscan, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Request* r),
        (a, b, c, d, e, f, r))
COUNTED(Iexscan, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Request* r),
        (a, b, c, d, e, f, r))
COUNTED(Ibarrier, (MPI_Comm a, MPI_Request* r), (a, r))
COUNTED(Ibcast, (void* a, int b, MPI_Datatype c, int d, MPI_Comm e, MPI_Request* r), (a, b, c, d, e, r))
COUNTED(Igather,
        (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, int g, MPI_Comm h, MPI_Request* r),
        (a, b, c, d, e, f, g, h, r))
COUNTED(Iscatter,
        (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, int g, MPI_Comm h, MPI_Request* r),
        (a, b, c, d, e, f, g, h, r))
COUNTED(Iallgather, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g, MPI_Request* r),
        (a, b, c, d, e, f, g, r))
COUNTED(Ialltoall, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g, MPI_Request* r),
        (a, b, c, d, e, f, g, r))
COUNTED(Iallgatherv,
        (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, MPI_Comm h,
         MPI_Request* r),
        (a, b, c, d, e, f, g, h, r))
COUNTED(Ialltoallv,
        (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], const int g[],
         MPI_Datatype h, MPI_Comm i, MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, r))
COUNTED(Ireduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, int f, MPI_Comm g, MPI_Request* r),
        (a, b, c, d, e, f, g, r))
COUNTED(Iallreduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Request* r),
        (a, b, c, d, e, f, r))
COUNTED(Ireduce_scatter_block, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Request* r),
        (a, b, c, d, e, f, r))
COUNTED(Neighbor_allgather, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
        (a, b, c, d, e, f, g))
COUNTED(Ineighbor_allgather,
        (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g, MPI_Request* r),
        (a, b, c, d, e, f, g, r))
COUNTED(Neighbor_allgatherv,
        (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, MPI_Comm h),
        (a, b, c, d, e, f, g, h))
COUNTED(Ineighbor_allgatherv,
        (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, MPI_Comm h,
         MPI_Request* r),
        (a, b, c, d, e, f, g, h, r))
COUNTED(Neighbor_alltoall, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
        (a, b, c, d, e, f, g))
COUNTED(Ineighbor_alltoall,
        (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g, MPI_Request* r),
        (a, b, c, d, e, f, g, r))
COUNTED(Neighbor_alltoallv,
        (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], const int g[],
         MPI_Datatype h, MPI_Comm i),
        (a, b, c, d, e, f, g, h, i))
COUNTED(Ineighbor_alltoallv,
        (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], const int g[],
         MPI_Datatype h, MPI_Comm i, MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, r))
COUNTED(Neighbor_alltoallw,
        (const void* a, const int b[], const MPI_Aint c[], const MPI_Datatype d[], void* e, const int f[],
         const MPI_Aint g[], const MPI_Datatype h[], MPI_Comm i),
        (a, b, c, d, e, f, g, h, i))
COUNTED(Ineighbor_alltoallw,
        (const void* a, const int b[], const MPI_Aint c[], const MPI_Datatype d[], void* e, const int f[],
         const MPI_Aint g[], const MPI_Datatype h[], MPI_Comm i, MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, r))

#if MPI_VERSION >= 4
COUNTED(Gatherv_init,
        (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, int h, MPI_Comm i,
         MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, k, r))
COUNTED(Scatterv_init,
        (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, int f, MPI_Datatype g, int h, MPI_Comm i,
         MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, k, r))
COUNTED(Alltoallw_init,
        (const void* a, const int b[], const int c[], const MPI_Datatype d[], void* e, const int f[], const int g[],
         const MPI_Datatype h[], MPI_Comm i, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, k, r))
COUNTED(Reduce_scatter_init,
        (const void* a, void* b, const int c[], MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, k, r))
COUNTED(Scan_init, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, k, r))
COUNTED(Exscan_init, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, k, r))
COUNTED(Barrier_init, (MPI_Comm a, MPI_Info k, MPI_Request* r), (a, k, r))
COUNTED(Bcast_init, (void* a, int b, MPI_Datatype c, int d, MPI_Comm e, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, k, r))
COUNTED(Gather_init,
        (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, int g, MPI_Comm h, MPI_Info k,
         MPI_Request* r),
        (a, b, c, d, e, f, g, h, k, r))
COUNTED(Scatter_init,
        (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, int g, MPI_Comm h, MPI_Info k,
         MPI_Request* r),
        (a, b, c, d, e, f, g, h, k, r))
COUNTED(Allgather_init,
        (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, k, r))
COUNTED(Alltoall_init,
        (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, k, r))
COUNTED(Allgatherv_init,
        (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, MPI_Comm h,
         MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, h, k, r))
COUNTED(Alltoallv_init,
        (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], const int g[],
         MPI_Datatype h, MPI_Comm i, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, k, r))
COUNTED(Reduce_init,
        (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, int f, MPI_Comm g, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, k, r))
COUNTED(Allreduce_init,
        (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, k, r))
COUNTED(Reduce_scatter_block_init,
        (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, k, r))
COUNTED(Neighbor_allgather_init,
        (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, k, r))
COUNTED(Neighbor_allgatherv_init,
        (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, MPI_Comm h,
         MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, h, k, r))
COUNTED(Neighbor_alltoall_init,
        (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, k, r))
COUNTED(Neighbor_alltoallv_init,
        (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], const int g[],
         MPI_Datatype h, MPI_Comm i, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, k, r))
COUNTED(Neighbor_alltoallw_init,
        (const void* a, const int b[], const MPI_Aint c[], const MPI_Datatype d[], void* e, const int f[],
         const MPI_Aint g[], const MPI_Datatype h[], MPI_Comm i, MPI_Info k, MPI_Request* r),
        (a, b, c, d, e, f, g, h, i, k, r))
#endif
