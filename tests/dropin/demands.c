/* Exchanges in which ranks have as much for each other again and again, uneven: one has much for the rank across. Now
   and then some pair has more, and at last it always does. */
#include "conformance.h"

/* Ints that `from` gives to `to`. */
static int amount(int more, int from, int to) {
  if (from == to) return 7;
  if (from == 0 && to == ranks / 2) return 40000;
  if (more && from == 1 && to == ranks - 1) return 901;
  return (from + 1) % ranks == to ? 100 * (from + 1) : 0;
}

static void exchange(MPI_Comm comm, int turn, int more, int in_place) {
  const size_t room = 200000;
  int *counts = malloc(sizeof(int) * (size_t)ranks), *places = malloc(sizeof(int) * (size_t)ranks);
  int *takes = malloc(sizeof(int) * (size_t)ranks), *from = malloc(sizeof(int) * (size_t)ranks), out_at = 1, in_at = 0;
  char *in = malloc(room), *a = malloc(room), *b = malloc(room);
  for (int r = 0; r < ranks; ++r) {
    counts[r] = amount(more, rank, r);
    takes[r] = amount(more, r, rank);
    if (in_place)
      counts[r] = takes[r] = r == rank ? 7 : rank + r == 1 || rank + r == 3 ? 9000 : 50; /* alike on both sides */
    places[r] = in_at;
    from[r] = out_at;
    in_at += counts[r] + 2;
    out_at += takes[r] + r % 2;
  }
  fill(in, room, turn);
  fill(a, room, turn + 1);
  memcpy(b, a, room);
  const void* const given = in_place ? MPI_IN_PLACE : in;
  MPI_Alltoallv(given, counts, places, MPI_INT, a, takes, from, MPI_INT, comm);
  PMPI_Alltoallv(given, counts, places, MPI_INT, b, takes, from, MPI_INT, comm);
  same(a, b, room, in_place ? "alltoallv by demands, in place" : "alltoallv by demands", turn);
  free(in), free(a), free(b);
  free(counts), free(places), free(takes), free(from);
}

void test_demands(MPI_Comm world) {
  MPI_Comm comm;
  MPI_Comm_dup(world, &comm);
  for (int turn = 0; turn < all_turns; ++turn) exchange(comm, turn, 0, 0);
  MPI_Comm_free(&comm);
}

void test_changes(MPI_Comm world) {
  MPI_Comm comm;
  MPI_Comm_dup(world, &comm);
  for (int turn = 0; turn < all_turns; ++turn) exchange(comm, turn, 0, 0);
  for (int turn = 0; turn < 6; ++turn) exchange(comm, turn, turn % 2, 0);
  for (int turn = 0; turn < 3 * all_turns; ++turn) exchange(comm, turn, 1, 0);
  MPI_Comm_free(&comm);
  MPI_Comm_dup(world, &comm); /* others while both are compared */
  for (int turn = 0; turn < all_turns; ++turn) exchange(comm, turn, turn > 2, 0);
  MPI_Comm_free(&comm);
  MPI_Comm_dup(world, &comm);
  for (int turn = 0; turn < all_turns; ++turn) exchange(comm, turn, 0, 1);
  MPI_Comm_free(&comm);
}
