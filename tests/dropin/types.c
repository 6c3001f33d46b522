/* Derived datatypes: the same data may lie otherwise on every rank, gaps must not be written, order is the type's. */
#include "conformance.h"

enum { elements = 40, room = 4096 }; /* ints of a block; bytes that any layout of one block spans at most */

/* Layouts of `elements` ints: as they are, with gaps, backwards, moved below the buffer's address, two levels. */
static MPI_Datatype layout(int kind, int* count, int* origin) {
  MPI_Datatype type = MPI_INT, inner;
  *count = 1;
  *origin = 0;
  switch (kind % 6) {
    case 0:
      *count = elements;
      return MPI_INT;
    case 1:
      MPI_Type_vector(elements / 2, 2, 5, MPI_INT, &type);
      break;
    case 2: {
      int lengths[elements], places[elements];
      for (int i = 0; i < elements; ++i) {
        lengths[i] = 1;
        places[i] = elements - 1 - i;
      }
      MPI_Type_indexed(elements, lengths, places, MPI_INT, &type);
      break;
    }
    case 3:
      MPI_Type_create_resized(MPI_INT, -4, 12, &inner);
      MPI_Type_contiguous(elements, inner, &type);
      MPI_Type_free(&inner);
      *origin = 4;
      break;
    case 4:
      MPI_Type_contiguous(4, MPI_INT, &inner);
      MPI_Type_dup(inner, &type);
      MPI_Type_free(&inner);
      *count = elements / 4;
      break;
    default:
      MPI_Type_vector(2, 1, 3, MPI_INT, &inner);
      MPI_Type_create_hvector(elements / 2, 1, 40, inner, &type);
      MPI_Type_free(&inner);
  }
  MPI_Type_commit(&type);
  return type;
}

static void release(MPI_Datatype* type) {
  if (*type != MPI_INT) MPI_Type_free(type);
}

static void mixed(MPI_Comm comm, int turn, int kind) {
  const size_t all = (size_t)room * (size_t)ranks;
  char *in = malloc(all), *a = malloc(all), *b = malloc(all);
  int ni, no, oi, oo;
  MPI_Datatype from = layout(kind + rank, &ni, &oi), to = layout(kind + rank + 1, &no, &oo);
  const int root = kind % ranks;
  fill(in, all, turn);
  fill(a, all, turn + 1);
  memcpy(b, a, all);

  MPI_Bcast(a + oo, no, to, root, comm);
  PMPI_Bcast(b + oo, no, to, root, comm);
  same(a, b, all, "bcast of mixed types", turn);
  MPI_Allgather(in + oi, ni, from, a + oo, no, to, comm);
  PMPI_Allgather(in + oi, ni, from, b + oo, no, to, comm);
  same(a, b, all, "allgather of mixed types", turn);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, a + oo, no, to, comm);
  PMPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, b + oo, no, to, comm);
  same(a, b, all, "allgather of mixed types in place", turn);
  MPI_Scatter(in + oi, ni, from, a + oo, no, to, root, comm);
  PMPI_Scatter(in + oi, ni, from, b + oo, no, to, root, comm);
  same(a, b, all, "scatter of mixed types", turn);
  MPI_Gather(in + oi, ni, from, a + oo, no, to, root, comm);
  PMPI_Gather(in + oi, ni, from, b + oo, no, to, root, comm);
  same(a, b, all, "gather of mixed types", turn);
  fill(a, all, turn + 2);
  memcpy(b, a, all);
  MPI_Gather(rank == root ? MPI_IN_PLACE : in + oi, ni, from, a + oo, no, to, root, comm);
  PMPI_Gather(rank == root ? MPI_IN_PLACE : in + oi, ni, from, b + oo, no, to, root, comm);
  same(a, b, all, "gather of mixed types in place", turn);
  MPI_Alltoall(in + oi, ni, from, a + oo, no, to, comm);
  PMPI_Alltoall(in + oi, ni, from, b + oo, no, to, comm);
  same(a, b, all, "alltoall of mixed types", turn);

  /* Open MPI 4.1 hangs in an allgatherv of its own where counts and types differ between ranks, legal as that is. */
  release(&from);
  release(&to);
  from = layout(kind, &ni, &oi);
  to = layout(kind + 1, &no, &oo);
  int* counts = malloc(sizeof(int) * (size_t)ranks);
  int* places = malloc(sizeof(int) * (size_t)ranks);
  for (int r = 0; r < ranks; ++r) {
    counts[r] = no;
    places[r] = (ranks - 1 - r) * no;
  }
  MPI_Allgatherv(in + oi, ni, from, a + oo, counts, places, to, comm);
  PMPI_Allgatherv(in + oi, ni, from, b + oo, counts, places, to, comm);
  same(a, b, all, "allgatherv of mixed types", turn);

  free(counts);
  free(places);
  release(&from);
  release(&to);
  free(in);
  free(a);
  free(b);
}

static void pairs_and_bottom(MPI_Comm comm, int turn) {
  struct {
    double value;
    int place;
  } a[30], b[30];
  memset(a, 0, sizeof(a));
  fill(a, sizeof(a), turn);
  memcpy(b, a, sizeof(a));
  MPI_Bcast(a, 30, MPI_DOUBLE_INT, 0, comm);
  PMPI_Bcast(b, 30, MPI_DOUBLE_INT, 0, comm);
  same(a, b, sizeof(a), "bcast of pairs", turn);

  int x[3], y[50], x2[3], y2[50];
  fill(x, sizeof(x), turn);
  fill(y, sizeof(y), turn + 1);
  memcpy(x2, x, sizeof(x));
  memcpy(y2, y, sizeof(y));
  int lengths[] = {50, 3};
  MPI_Datatype type;
  MPI_Aint places[2];
  MPI_Get_address(y, &places[0]);
  MPI_Get_address(x, &places[1]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Bcast(MPI_BOTTOM, 1, type, 0, comm);
  MPI_Type_free(&type);
  PMPI_Bcast(x2, 3, MPI_INT, 0, comm);
  PMPI_Bcast(y2, 50, MPI_INT, 0, comm);
  same(x, x2, sizeof(x), "bcast from MPI_BOTTOM", turn);
  same(y, y2, sizeof(y), "bcast from MPI_BOTTOM", turn);
}

void test_types(MPI_Comm comm) {
  for (int turn = 0; turn < turns; ++turn) mixed(comm, turn, turn % 6);
  for (int turn = 0; turn < turns; ++turn) pairs_and_bottom(comm, turn);
}
