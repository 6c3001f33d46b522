/* Persistent exchanges: neighbourhood collectives, MPI_Alltoallv and MPI_Alltoallw, with each rank's data for the one
   across. */
#include "conformance.h"
#include "later.h"

enum { most = 8, room = 100000 };

static char *in, *a, *b;
static const int weights[] = {1};

/* A persistent call, started again with new data each time; MPI's own ends at once, and its arguments are the same. */
#define PERSISTENT(name, ...)                         \
  do {                                                \
    char* out = a;                                    \
    MPI_Request request;                              \
    INIT(name)(__VA_ARGS__, MPI_INFO_NULL, &request); \
    for (int turn = 0; turn < 6; ++turn) {            \
      out = b;                                        \
      fill(in, room, turn), fill(a, room, turn + 1);  \
      memcpy(b, a, room);                             \
      MPI_Start(&request);                            \
      PMPI_##name(__VA_ARGS__);                       \
      MPI_Wait(&request, MPI_STATUS_IGNORE);          \
      same(a, b, room, #name ", persistent", turn);   \
    }                                                 \
    MPI_Request_free(&request);                       \
  } while (0)

void test_exchanges(void) {
  MPI_Comm comm;
  const int n = 2500, other = (rank + ranks / 2) % ranks, back = (rank + ranks - ranks / 2) % ranks;
  const int counts[] = {n}, places[] = {7};
  const MPI_Aint far_places[] = {40};
  int far[most] = {0}, takes[most] = {0}, all[most] = {0};
  MPI_Datatype gaps, ints[most];
  MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &gaps);
  MPI_Type_commit(&gaps);
  in = malloc(room), a = malloc(room), b = malloc(room);
  for (int r = 0; r < ranks; ++r) ints[r] = r % 2 ? MPI_INT : MPI_INT32_T;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &back, weights, 1, &other, weights, MPI_INFO_NULL, 0, &comm);
  PERSISTENT(Neighbor_allgather, in, n, MPI_INT, out, n, MPI_INT, comm);
  PERSISTENT(Neighbor_allgatherv, in, n, MPI_INT, out, counts, places, MPI_INT, comm);
  PERSISTENT(Neighbor_alltoall, in, n, gaps, out, n, MPI_INT, comm);
  PERSISTENT(Neighbor_alltoallv, in, counts, places, MPI_INT, out, counts, places, gaps, comm);
  PERSISTENT(Neighbor_alltoallw, in, counts, far_places, ints, out, counts, far_places, &gaps, comm);
  all[other] = takes[back] = n;
  all[rank] = takes[rank] = 4;
  far[rank] = (int)sizeof(int) * n;
  PERSISTENT(Alltoallw, in, all, far, ints, out, takes, far, ints, MPI_COMM_WORLD);
  far[rank] = n;
  PERSISTENT(Alltoallv, in, all, far, MPI_INT, out, takes, far, MPI_INT, MPI_COMM_WORLD);
  MPI_Comm_free(&comm);
  free(in), free(a), free(b);
  MPI_Type_free(&gaps);
}
