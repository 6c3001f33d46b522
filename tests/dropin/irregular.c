/* Blocks of different lengths, of no length, and arguments that MPI says mean nothing here. */
#include "conformance.h"

/* The same by the names that take large counts, where MPI has them. */
static void large_counts(MPI_Comm comm, int turn, const int* counts, const int* places, char* in, char* a, char* b,
                         size_t all) {
#if MPI_VERSION >= 4
  MPI_Count* n = malloc(sizeof(MPI_Count) * (size_t)ranks);
  MPI_Aint* d = malloc(sizeof(MPI_Aint) * (size_t)ranks);
  for (int r = 0; r < ranks; ++r) n[r] = counts[r], d[r] = places[r];
  MPI_Allgatherv_c(in, n[rank], MPI_SHORT, a, n, d, MPI_SHORT, comm);
  PMPI_Allgatherv(in, counts[rank], MPI_SHORT, b, counts, places, MPI_SHORT, comm);
  same(a, b, all, "allgatherv with large counts", turn);
  MPI_Reduce_scatter_c(in, a, n, MPI_SHORT, MPI_BXOR, comm);
  PMPI_Reduce_scatter(in, b, counts, MPI_SHORT, MPI_BXOR, comm);
  same(a, b, all, "reduce_scatter with large counts", turn);
  free(n);
  free(d);
#else
  (void)comm, (void)turn, (void)counts, (void)places, (void)in, (void)a, (void)b, (void)all;
#endif
}

/* Blocks farther from each other than an int can say, in memory of which almost nothing is used. */
static void far_apart(MPI_Comm comm) {
#if MPI_VERSION >= 4
  const size_t apart = (size_t)3 << 30;
  char *out = malloc(apart + 100), in[100];
  MPI_Count* n = malloc(sizeof(MPI_Count) * (size_t)ranks);
  MPI_Aint* d = malloc(sizeof(MPI_Aint) * (size_t)ranks);
  for (int r = 0; r < ranks; ++r) n[r] = r < 2 ? 100 : 0, d[r] = r == 1 ? (MPI_Aint)apart : 0;
  int have = out != NULL; /* some systems give no memory that they do not have */
  PMPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, comm);
  for (int turn = 0; have && turn < turns; ++turn) {
    MPI_Request request;
    memset(in, rank + turn, sizeof in);
    memset(out, 99, 100), memset(out + apart, 99, 100);
    if (turn % 2) {
      MPI_Allgatherv_c(in, n[rank], MPI_CHAR, out, n, d, MPI_CHAR, comm);
    } else {
      MPI_Iallgatherv_c(in, n[rank], MPI_CHAR, out, n, d, MPI_CHAR, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    expect(out[0] == turn && out[99] == turn, "the first of blocks far apart", turn);
    if (ranks > 1) expect(out[apart] == 1 + turn && out[apart + 99] == 1 + turn, "blocks far apart", turn);
  }
  free(n), free(d), free(out);
#else
  (void)comm;
#endif
}

static void blocks(MPI_Comm comm, int turn, int shape) {
  const size_t all = 64 * 1024;
  char *in = malloc(all), *a = malloc(all), *b = malloc(all);
  int *counts = malloc(sizeof(int) * (size_t)ranks), *places = malloc(sizeof(int) * (size_t)ranks), at = 3;
  for (int r = 0; r < ranks; ++r) {
    counts[r] = shape == 0 ? r * 13 % 40 : shape == 1 ? (r == 1 ? 500 : 0) : 60;
    places[r] = at;
    at += counts[r] + (shape == 0 ? 2 : 0); /* gaps, or none */
  }
  fill(in, all, turn);
  fill(a, all, turn + 1);
  memcpy(b, a, all);
  MPI_Allgatherv(in, counts[rank], MPI_SHORT, a, counts, places, MPI_SHORT, comm);
  PMPI_Allgatherv(in, counts[rank], MPI_SHORT, b, counts, places, MPI_SHORT, comm);
  same(a, b, all, "allgatherv", turn);
  fill(a, all, turn + 2);
  memcpy(b, a, all);
  MPI_Allgatherv(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, a, counts, places, MPI_SHORT, comm);
  PMPI_Allgatherv(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, b, counts, places, MPI_SHORT, comm);
  same(a, b, all, "allgatherv in place", turn);
  large_counts(comm, turn, counts, places, in, a, b, all);

  int *gives = malloc(sizeof(int) * (size_t)ranks), *starts = malloc(sizeof(int) * (size_t)ranks), to = 0, from = 0;
  for (int r = 0; r < ranks; ++r) {
    gives[r] = (rank * 3 + r * 5) % 7;
    counts[r] = (r * 3 + rank * 5) % 7;
    starts[r] = to;
    places[r] = from;
    to += gives[r];
    from += counts[r] + 1;
  }
  MPI_Alltoallv(in, gives, starts, MPI_DOUBLE, a, counts, places, MPI_DOUBLE, comm);
  PMPI_Alltoallv(in, gives, starts, MPI_DOUBLE, b, counts, places, MPI_DOUBLE, comm);
  same(a, b, all, "alltoallv", turn);
  free(gives);
  free(starts);
  free(counts);
  free(places);
  free(in);
  free(a);
  free(b);
}

/* Wild values wherever only the root's count. */
static void insignificant(MPI_Comm comm, int turn) {
  void* const wild = (void*)16;
  int in[64], root = turn % 2, me = rank == root;
  int *a = malloc(sizeof(int) * 64 * (size_t)ranks), *b = malloc(sizeof(int) * 64 * (size_t)ranks);
  const size_t all = sizeof(int) * 64 * (size_t)ranks;
  fill(in, sizeof(in), turn);
  fill(a, all, turn);
  memcpy(b, a, all);
  MPI_Gather(in, 64, MPI_INT, me ? a : wild, me ? 64 : -5, me ? MPI_INT : MPI_DATATYPE_NULL, root, comm);
  PMPI_Gather(in, 64, MPI_INT, me ? b : wild, me ? 64 : -5, me ? MPI_INT : MPI_DATATYPE_NULL, root, comm);
  same(a, b, all, "gather with arguments that mean nothing", turn);
  MPI_Scatter(me ? a : wild, me ? 64 : -5, me ? MPI_INT : MPI_DATATYPE_NULL, in, 64, MPI_INT, root, comm);
  int other[64];
  PMPI_Scatter(me ? b : wild, me ? 64 : -5, me ? MPI_INT : MPI_DATATYPE_NULL, other, 64, MPI_INT, root, comm);
  same(in, other, sizeof(in), "scatter with arguments that mean nothing", turn);
  free(a);
  free(b);
}

static void nothing(MPI_Comm comm) {
  int *zeros = calloc((size_t)ranks, sizeof(int)), none;
  MPI_Bcast(NULL, 0, MPI_INT, 0, comm);
  MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm);
  MPI_Allgatherv(NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, comm);
  MPI_Scatter(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, comm);
  MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, comm);
  MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm);
  MPI_Alltoallv(&none, zeros, zeros, MPI_INT, NULL, zeros, zeros, MPI_INT, comm);
  MPI_Datatype empty; /* elements without bytes */
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  MPI_Bcast(NULL, 7, empty, 0, comm);
  MPI_Type_free(&empty);
  free(zeros);
}

void test_irregular(MPI_Comm comm) {
  for (int shape = 0; shape < 3; ++shape)
    for (int turn = 0; turn < turns; ++turn) blocks(comm, turn, shape);
  for (int turn = 0; turn < turns; ++turn) insignificant(comm, turn);
  for (int turn = 0; turn < 4; ++turn) nothing(comm);
  far_apart(comm);
}
