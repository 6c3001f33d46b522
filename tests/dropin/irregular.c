/* Blocks of different lengths, of no length, and arguments that MPI says mean nothing here. */
#include "conformance.h"

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
}
