/* Neighbourhood collectives in graphs and grids, and MPI_Alltoallw: as much in every call, and now and then more. */
#include "conformance.h"

enum { most = 8, room = 150000 };

/* A call's blocks: places in ints, in ints with gaps, and in bytes. */
static int counts[most], places[most], gap_places[most];
static MPI_Aint far_places[most];
static MPI_Datatype plain[most], split[most]; /* ints, and the same ints with gaps */
static MPI_Datatype gaps;
static char *in, *a, *b;
static const int weights[] = {1, 1, 1};

static void lay_out(int blocks, int count) {
  for (int i = 0, at = 1; i < blocks; ++i) {
    counts[i] = count;
    places[i] = 3 * at;
    gap_places[i] = at;
    far_places[i] = 3 * (MPI_Aint)sizeof(int) * at;
    plain[i] = MPI_INT;
    split[i] = gaps;
    at += counts[i] + 1;
  }
}

static void begin(int turn) {
  fill(in, room, turn);
  fill(a, room, turn + 1);
  memcpy(b, a, room);
}

/* By the drop-in and by MPI. */
#define BOTH(name, ...)            \
  do {                             \
    char* out = a;                 \
    begin(turn);                   \
    MPI_##name(__VA_ARGS__);       \
    out = b;                       \
    PMPI_##name(__VA_ARGS__);      \
    same(a, b, room, #name, turn); \
  } while (0)

/* `blocks` for and from this rank's neighbours, of `n` ints; a block of an allgather is everybody's. */
static void every_call(MPI_Comm comm, int turn, int blocks, int n) {
  lay_out(blocks, n);
  BOTH(Neighbor_allgather, in, n, MPI_INT, out, n, MPI_INT, comm);
  BOTH(Neighbor_allgatherv, in, n, MPI_INT, out, counts, places, MPI_INT, comm);
  BOTH(Neighbor_alltoall, in, n, gaps, out, n, MPI_INT, comm);
  BOTH(Neighbor_alltoallv, in, counts, places, MPI_INT, out, counts, gap_places, gaps, comm);
  BOTH(Neighbor_alltoallw, in, counts, far_places, plain, out, counts, far_places, split, comm);
}

/* Each rank with the one across: messages that go straight leave half of a ring idle. */
static void across(MPI_Comm world) {
  MPI_Comm comm;
  const int other = (rank + ranks / 2) % ranks, back = (rank + ranks - ranks / 2) % ranks;
  MPI_Dist_graph_create_adjacent(world, 1, &back, weights, 1, &other, weights, MPI_INFO_NULL, 0, &comm);
  for (int turn = 0; turn < 12; ++turn) every_call(comm, turn, 1, 2500);
  for (int turn = 0; turn < 10; ++turn) every_call(comm, turn, 1, 2500 + turn % 2);
  for (int turn = 0; turn < 14; ++turn) every_call(comm, turn, 1, 2501);
  MPI_Comm_free(&comm);
}

/* Two blocks for one rank, and one for itself, which are in order. */
static void twice(MPI_Comm world) {
  MPI_Comm comm;
  const int other = (rank + ranks / 2) % ranks, back = (rank + ranks - ranks / 2) % ranks;
  const int to[3] = {other, rank, other}, from[3] = {back, rank, back};
  MPI_Dist_graph_create_adjacent(world, 3, from, weights, 3, to, weights, MPI_INFO_NULL, 0, &comm);
  for (int turn = 0; turn < 12; ++turn) every_call(comm, turn, 3, 900);
  MPI_Comm_free(&comm);
}

/* A line and a ring of ranks, where the line's ends have nobody on one side. */
static void in_grid(MPI_Comm world, int around) {
  MPI_Comm comm;
  MPI_Cart_create(world, 1, &ranks, &around, 0, &comm);
  for (int turn = 0; turn < 10; ++turn) every_call(comm, turn, 2, 500);
  MPI_Comm_free(&comm);
}

/* The oldest kind of graph: a star around rank 0, without rank 1, which has no neighbours. */
static void in_star(MPI_Comm world) {
  MPI_Comm comm;
  int ends[most] = {0}, edges[2 * most], at = 0;
  for (int i = 2; i < ranks; ++i) edges[at++] = i;
  ends[0] = ends[1] = at;
  for (int i = 2; i < ranks; ++i) edges[at++] = 0, ends[i] = at;
  MPI_Graph_create(world, ranks, ends, edges, 0, &comm);
  const int blocks = rank == 0 ? ranks - 2 : rank == 1 ? 0 : 1;
  for (int turn = 0; turn < 10; ++turn) every_call(comm, turn, blocks, turn == 7 ? 2001 : 2000);
  MPI_Comm_free(&comm);
}

/* An MPI_Alltoallw in which each rank has much for the one across, and a type of its own for every other. */
static void of_types(MPI_Comm comm, int in_place) {
  for (int turn = 0; turn < 24; ++turn) {
    int far[most], outs[most], out_far[most];
    MPI_Datatype* const types = turn % 2 ? plain : split;
    lay_out(ranks, 0);
    for (int r = 0, at = 4; r < ranks; ++r) {
      counts[r] = (r + ranks / 2) % ranks == rank || in_place ? 2500 : r == rank ? 3 : 0;
      outs[r] = (rank + ranks / 2) % ranks == r ? 2500 : r == rank ? 3 : 0;
      far[r] = out_far[r] = at;
      if (counts[r] + outs[r] == 0) plain[r] = split[r] = MPI_DOUBLE; /* of no element */
      if (r % 2 == 0) plain[r] = MPI_INT;
      at += 3 * (int)sizeof(int) * (in_place ? 1201 : counts[r] + outs[r] + 1);
    }
    if (in_place)
      for (int r = 0; r < ranks; ++r) outs[r] = 1200;
    if (in_place)
      BOTH(Alltoallw, MPI_IN_PLACE, NULL, NULL, NULL, out, outs, out_far, types, comm);
    else
      BOTH(Alltoallw, in, counts, far, types, out, outs, out_far, types, comm);
  }
}

static void prepare(void) {
  MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &gaps);
  MPI_Type_commit(&gaps);
  in = malloc(room), a = malloc(room), b = malloc(room);
}

static void clean_up(void) {
  free(in), free(a), free(b);
  MPI_Type_free(&gaps);
}

void test_across(MPI_Comm world) {
  prepare();
  across(world);
  of_types(world, 0);
  clean_up();
}

void test_neighbours(MPI_Comm world) {
  prepare();
  across(world);
  twice(world);
  in_grid(world, 0);
  in_grid(world, 1);
  in_star(world);
  of_types(world, 0);
  of_types(world, 1);
  clean_up();
}
