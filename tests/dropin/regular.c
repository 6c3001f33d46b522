/* Every collective with plain data: sizes on both sides of any threshold, every root, in place. */
#include <time.h>

#include "conformance.h"

static void one_size(MPI_Comm comm, int n, int root, int turn) {
  const size_t block = (size_t)n * sizeof(int), all = block * (size_t)ranks;
  char *in = malloc(all + 1), *a = malloc(all + 1), *b = malloc(all + 1);
  int me;
  MPI_Comm_rank(comm, &me);

  fill(a, block, turn);
  memcpy(b, a, block);
  MPI_Bcast(a, n, MPI_INT, root, comm);
  PMPI_Bcast(b, n, MPI_INT, root, comm);
  same(a, b, block, "bcast", turn);

  fill(in, all, turn);
  fill(a, all, turn + 1);
  memcpy(b, a, all);
  MPI_Allgather(in, n, MPI_INT, a, n, MPI_INT, comm);
  PMPI_Allgather(in, n, MPI_INT, b, n, MPI_INT, comm);
  same(a, b, all, "allgather", turn);

  fill(a, all, turn + 2);
  memcpy(b, a, all);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, n, MPI_INT, comm);
  PMPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, n, MPI_INT, comm);
  same(a, b, all, "allgather in place", turn);

  fill(a, all, turn + 3);
  memcpy(b, a, all);
  MPI_Scatter(in, n, MPI_INT, a, n, MPI_INT, root, comm);
  PMPI_Scatter(in, n, MPI_INT, b, n, MPI_INT, root, comm);
  same(a, b, all, "scatter", turn);
  MPI_Scatter(in, n, MPI_INT, me == root ? MPI_IN_PLACE : a, n, MPI_INT, root, comm);
  PMPI_Scatter(in, n, MPI_INT, me == root ? MPI_IN_PLACE : b, n, MPI_INT, root, comm);
  same(a, b, all, "scatter in place", turn);

  MPI_Gather(in, n, MPI_INT, a, n, MPI_INT, root, comm);
  PMPI_Gather(in, n, MPI_INT, b, n, MPI_INT, root, comm);
  same(a, b, all, "gather", turn);
  fill(a, all, turn + 4);
  memcpy(b, a, all);
  MPI_Gather(me == root ? MPI_IN_PLACE : in, n, MPI_INT, a, n, MPI_INT, root, comm);
  PMPI_Gather(me == root ? MPI_IN_PLACE : in, n, MPI_INT, b, n, MPI_INT, root, comm);
  same(a, b, all, "gather in place", turn);

  MPI_Alltoall(in, n, MPI_INT, a, n, MPI_INT, comm);
  PMPI_Alltoall(in, n, MPI_INT, b, n, MPI_INT, comm);
  same(a, b, all, "alltoall", turn);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, n, MPI_INT, comm);
  PMPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, n, MPI_INT, comm);
  same(a, b, all, "alltoall in place", turn);

  free(in);
  free(a);
  free(b);
}

static void take_left(void* in, void* out, int* n, MPI_Datatype* type) { /* does not commute */
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)out)[i] = ((int*)in)[i];
}

static void reductions(MPI_Comm comm, int n, int turn) {
  int *in = malloc((size_t)(n * ranks) * sizeof(int)), *a = malloc((size_t)(n * ranks) * sizeof(int)),
      *b = malloc((size_t)(n * ranks) * sizeof(int));
  MPI_Op op;
  MPI_Op_create(take_left, 0, &op);
  for (int i = 0; i < n * ranks; ++i) in[i] = a[i] = b[i] = (i + turn) % 17 + rank;
  MPI_Reduce(in, a, n, MPI_INT, op, ranks - 1, comm);
  PMPI_Reduce(in, b, n, MPI_INT, op, ranks - 1, comm);
  same(a, b, (size_t)n * sizeof(int), "reduce", turn);
  MPI_Allreduce(MPI_IN_PLACE, a, n, MPI_INT, MPI_SUM, comm);
  PMPI_Allreduce(MPI_IN_PLACE, b, n, MPI_INT, MPI_SUM, comm);
  same(a, b, (size_t)n * sizeof(int), "allreduce in place", turn);
  MPI_Reduce_scatter_block(in, a, n, MPI_INT, MPI_MAX, comm);
  PMPI_Reduce_scatter_block(in, b, n, MPI_INT, MPI_MAX, comm);
  same(a, b, (size_t)n * sizeof(int), "reduce_scatter_block", turn);
  MPI_Barrier(comm);
  MPI_Op_free(&op);
  free(in);
  free(a);
  free(b);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nobody leaves before all have entered, whoever comes last. All ranks are on one host, which has one clock. */
static void barriers(MPI_Comm comm) {
  for (int turn = 0; turn < whole_trial; ++turn) {
    const struct timespec late = {0, 300000};
    if (turn % (ranks + 1) == rank) nanosleep(&late, NULL);
    double entered = now(), last;
    MPI_Barrier(comm);
    const double after = now();
    PMPI_Allreduce(&entered, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
    expect(after >= last, "barrier: left before all had come", turn);
  }
}

void test_regular(MPI_Comm comm) {
  barriers(comm);
  const int sizes[] = {0, 5, 5000};
  for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); ++s)
    for (int turn = 0; turn < (sizes[s] == 5 ? whole_trial : sizes[s] == 0 ? 2 : turns); ++turn)
      one_size(comm, sizes[s], turn % ranks == 1 ? 1 : 0, turn);
  for (int root = 0; root < ranks; ++root) /* beyond the trials: a plan for each root */
    for (int turn = 0; turn < 3; ++turn) one_size(comm, 5000, root, turn);
  for (int turn = 0; turn < 4; ++turn) reductions(comm, 100, turn);
  one_size(comm, 60000, 0, 1);
}
