/* Memory that the program asks MPI for: some ranks use it, some their own, and it comes and goes. */
#include "conformance.h"

enum { longest = 60000, calls = 22 };

static char* get(size_t bytes, int by_mpi) {
  char* memory = NULL;
  if (by_mpi)
    expect(MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &memory) == MPI_SUCCESS, "alloc_mem", 0);
  else
    memory = malloc(bytes);
  return memory;
}

static void give_back(char* memory, int by_mpi) {
  if (by_mpi)
    expect(MPI_Free_mem(memory) == MPI_SUCCESS, "free_mem", 0);
  else
    free(memory);
}

/* Some messages are long enough to be fetched, by turns others. */
static void ragged(MPI_Comm comm, int bytes, const char* in, char* out, char* expected, int turn) {
  int *counts = malloc(4 * sizeof(int) * (size_t)ranks), *places = counts + ranks, *takes = places + ranks,
      *from = takes + ranks;
  for (int r = 0; r < ranks; ++r) {
    counts[r] = bytes * ((rank + 2 * r + turn) % 3) / 2;
    takes[r] = bytes * ((r + 2 * rank + turn) % 3) / 2;
    places[r] = from[r] = r * bytes;
  }
  MPI_Alltoallv(in, counts, places, MPI_BYTE, out, takes, from, MPI_BYTE, comm);
  PMPI_Alltoallv(in, counts, places, MPI_BYTE, expected, takes, from, MPI_BYTE, comm);
  for (int r = 0; r < ranks; ++r)
    same(out + from[r], expected + from[r], (size_t)takes[r], "alltoallv of shared memory", turn);
  free(counts);
}

static void one_size(MPI_Comm comm, int bytes, int mine, int theirs) {
  const size_t block = (size_t)bytes, all = block * (size_t)ranks;
  char *in = get(all, mine), *out = get(all, theirs), *expected = malloc(all);
  for (int turn = 0; turn < calls; ++turn) {
    fill(in, all, turn);
    MPI_Alltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
    PMPI_Alltoall(in, bytes, MPI_BYTE, expected, bytes, MPI_BYTE, comm);
    same(out, expected, all, "alltoall", turn);
    MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
    PMPI_Allgather(in, bytes, MPI_BYTE, expected, bytes, MPI_BYTE, comm);
    same(out, expected, all, "allgather", turn);
    ragged(comm, bytes, in, out, expected, turn);
    memcpy(out, in, block);
    memcpy(expected, in, block);
    MPI_Bcast(out, bytes, MPI_BYTE, turn % ranks, comm);
    PMPI_Bcast(expected, bytes, MPI_BYTE, turn % ranks, comm);
    same(out, expected, block, "bcast", turn);
  }
  give_back(in, mine);
  give_back(out, theirs);
  free(expected);
}

static void hints_and_sizes(void) {
  MPI_Info info;
  char *empty = NULL, *some[40];
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_hint_that_anybody_knows", "1");
  expect(MPI_Alloc_mem(10000, info, &some[0]) == MPI_SUCCESS, "alloc_mem with a hint", 0);
  MPI_Info_free(&info);
  memset(some[0], 1, 10000);
  MPI_Free_mem(some[0]);
  expect(MPI_Alloc_mem(0, MPI_INFO_NULL, &empty) == MPI_SUCCESS, "alloc_mem of nothing", 0);
  if (empty) MPI_Free_mem(empty);
  for (int i = 0; i < 40; ++i) {
    some[i] = get((size_t)(i * 911 + 1), 1);
    memset(some[i], i, (size_t)(i * 911 + 1));
  }
  for (int i = 0; i < 40; ++i) {
    int good = 1;
    for (int k = 0; k <= i * 911; ++k) good &= some[i][k] == (char)i;
    expect(good, "allocations overlap", i);
    give_back(some[i], 1);
  }
}

/* Memory that others can read, long after plans were made without any: they are made anew where they do not know. */
static void asked_for_late(MPI_Comm world) {
  MPI_Comm comm;
  MPI_Comm_dup(world, &comm);
  const size_t all = (size_t)longest * (size_t)ranks;
  char* expected = malloc(all);
  for (int by_mpi = 0; by_mpi < 2; ++by_mpi) {
    char *in = get(all, by_mpi), *out = get(all, by_mpi);
    for (int turn = 0; turn < 150; ++turn) {
      fill(in, all, turn);
      ragged(comm, longest, in, out, expected, turn);
    }
    give_back(in, by_mpi);
    give_back(out, by_mpi);
  }
  free(expected);
  MPI_Comm_free(&comm);
}

void test_memory(MPI_Comm world) {
  asked_for_late(world);
  char* kept = get(5000, 1);
  hints_and_sizes();
  for (int way = 0; way < 3; ++way) {
    MPI_Comm comm;
    MPI_Comm_dup(world, &comm);
    const int mine = way == 0 || (way == 1 && rank % 2), theirs = way == 0 || (way == 2 && rank % 2);
    one_size(comm, 5000, mine, theirs);
    one_size(comm, longest, mine, theirs);
    MPI_Comm_free(&comm);
  }
  give_back(kept, 1);
}
