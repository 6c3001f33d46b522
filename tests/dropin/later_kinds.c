/* Every operation by each of its names, those with large counts by turns. */
#include "conformance.h"
#include "later.h"

enum { most_ranks = 64 };
static int counts[most_ranks], displaces[most_ranks];

static int own_count(int count, int at) { return at % 3 == 0 ? count : at % 3 == 1 ? 0 : 2 * count; }
const int* counts_of(int count, int of_ranks) {
  for (int r = 0; r < of_ranks; ++r) counts[r] = own_count(count, r);
  return counts;
}
const int* displaces_of(int count, int of_ranks) {
  for (int r = 0, at = 0; r < of_ranks; ++r) displaces[r] = at, at += own_count(count, r);
  return displaces;
}
int all_of(int count, int of_ranks) {
  int all = 0;
  for (int r = 0; r < of_ranks; ++r) all += own_count(count, r);
  return all;
}
static int me(MPI_Comm comm) {
  int at;
  PMPI_Comm_rank(comm, &at);
  return at;
}
static int all_in(MPI_Comm comm) {
  int size;
  PMPI_Comm_size(comm, &size);
  return size;
}

/* `n` and `d` are counts and displacements of all ranks. */
#define NARROW(lower, name, iname, ...)                                                                \
  static int narrow_##lower(enum How how, const struct Call* c, MPI_Request* request) {                \
    const int *n = counts_of(c->count, all_in(c->comm)), *d = displaces_of(c->count, all_in(c->comm)); \
    (void)n, (void)d;                                                                                  \
    if (how == blocking) return PMPI_##name(__VA_ARGS__);                                              \
    if (how == non_blocking) return MPI_##iname(__VA_ARGS__, request);                                 \
    return INIT(name)(__VA_ARGS__, MPI_INFO_NULL, request);                                            \
  }
#if MPI_VERSION >= 4
static MPI_Count wide_counts[most_ranks];
static MPI_Aint wide_displaces[most_ranks];
static void widen(const struct Call* c) {
  const int all = all_in(c->comm), *n = counts_of(c->count, all), *d = displaces_of(c->count, all);
  for (int r = 0; r < all; ++r) wide_counts[r] = n[r], wide_displaces[r] = d[r];
}
#define KIND(lower, name, iname, ...)                                                                \
  NARROW(lower, name, iname, __VA_ARGS__)                                                            \
  static int lower(enum How how, const struct Call* c, MPI_Request* request) {                       \
    static int turn = 0;                                                                             \
    const MPI_Count* const n = wide_counts;                                                          \
    const MPI_Aint* const d = wide_displaces;                                                        \
    (void)n, (void)d;                                                                                \
    if (how == blocking || ++turn % 2) return narrow_##lower(how, c, request);                       \
    widen(c);                                                                                        \
    const int code = how == non_blocking ? MPI_##iname##_c(__VA_ARGS__, request)                     \
                                         : MPI_##name##_init_c(__VA_ARGS__, MPI_INFO_NULL, request); \
    return code;                                                                                     \
  }
#else
#define KIND(lower, name, iname, ...)     \
  NARROW(lower, name, iname, __VA_ARGS__) \
  static int lower(enum How how, const struct Call* c, MPI_Request* request) { return narrow_##lower(how, c, request); }
#endif

NARROW(barrier, Barrier, Ibarrier, c->comm)
KIND(bcast, Bcast, Ibcast, c->out, c->count, c->type, c->root, c->comm)
KIND(gather, Gather, Igather, c->in, c->count, c->type, c->out, c->count, c->type, c->root, c->comm)
KIND(scatter, Scatter, Iscatter, c->in, c->count, c->type, c->out, c->count, c->type, c->root, c->comm)
KIND(allgather, Allgather, Iallgather, c->in, c->count, c->type, c->out, c->count, c->type, c->comm)
KIND(alltoall, Alltoall, Ialltoall, c->in, c->count, c->type, c->out, c->count, c->type, c->comm)
KIND(allgatherv, Allgatherv, Iallgatherv, c->in, own_count(c->count, me(c->comm)), c->type, c->out, n, d, c->type,
     c->comm)
KIND(reduce, Reduce, Ireduce, c->in, c->out, c->count, c->type, MPI_SUM, c->root, c->comm)
KIND(allreduce, Allreduce, Iallreduce, c->in, c->out, c->count, c->type, MPI_BXOR, c->comm)
KIND(reduce_scatter_block, Reduce_scatter_block, Ireduce_scatter_block, c->in, c->out, c->count, c->type, MPI_SUM,
     c->comm)
KIND(reduce_scatter, Reduce_scatter, Ireduce_scatter, c->in, c->out, n, c->type, MPI_SUM, c->comm)
KIND(scan, Scan, Iscan, c->in, c->out, c->count, c->type, MPI_SUM, c->comm)
KIND(exscan, Exscan, Iexscan, c->in, c->out, c->count, c->type, MPI_BOR, c->comm)

const struct Kind kinds[] = {{"barrier", narrow_barrier, 0, 0, 0, 0},
                             {"bcast", bcast, 0, 0, 0, 0},
                             {"gather", gather, 0, 1, 0, 0},
                             {"scatter", scatter, 1, 0, 0, 0},
                             {"allgather", allgather, 0, 1, 1, 0},
                             {"alltoall", alltoall, 1, 1, 1, 0},
                             {"allgatherv", allgatherv, 0, 1, 1, 1},
                             {"reduce", reduce, 0, 0, 0, 0},
                             {"allreduce", allreduce, 0, 0, 1, 0},
                             {"reduce_scatter_block", reduce_scatter_block, 1, 0, 0, 0},
                             {"reduce_scatter", reduce_scatter, 1, 0, 0, 1},
                             {"scan", scan, 0, 0, 1, 0},
                             {"exscan", exscan, 0, 0, 1, 0}};
const int all_kinds = sizeof kinds / sizeof *kinds;
