/* Exchanges in which no rank knows the lengths of others' blocks: matrices drawn by chance, sparse and full, in place,
   derived types that differ between ranks, one communicator with calls of all sizes. */
#include "conformance.h"

static unsigned mixed(unsigned seed, int from, int to) {
  unsigned state = seed * 2654435761u + (unsigned)from * 40503u + (unsigned)to * 104729u + 977u;
  for (int i = 0; i < 3; ++i) state = (state ^ (state >> 15)) * 2246822519u;
  return state ^ (state >> 13);
}

/* Elements that `from` gives to `to`. */
static int amount(int kind, unsigned seed, int from, int to) {
  const unsigned chance = mixed(seed, from, to);
  switch (kind) {
    case 0: /* ragged, a third of it empty */
      return chance % 3 == 0 ? 0 : (int)(chance / 3 % 90);
    case 1: /* long and short, on both sides of any threshold */
      return chance % 4 == 0 ? (int)(chance / 4 % 30000) : (int)(chance % 5);
    case 2: /* one rank gives to all */
      return from == (int)(seed % (unsigned)ranks) ? 1 + (int)(chance % 700) : 0;
    case 3: /* one rank takes from all, itself among them */
      return to == (int)(seed % (unsigned)ranks) ? 1 + (int)(chance % 700) : 0;
    case 4: /* neighbours in a ring, the same ones each time */
      return (from + 1) % ranks == to ? 2000 : 0;
    case 5: /* to itself alone */
      return from == to ? 50 : 0;
    default: /* nothing */
      return 0;
  }
}

/* Layouts of one element of six ints: together, with gaps, backwards, in two levels; others on each rank and side. */
static MPI_Datatype element(int kind) {
  MPI_Datatype type, inner;
  if (kind % 4 == 0) {
    MPI_Type_contiguous(6, MPI_INT, &type);
  } else if (kind % 4 == 1) {
    MPI_Type_vector(3, 2, 3, MPI_INT, &type);
  } else if (kind % 4 == 2) {
    const int places[] = {5, 4, 3, 2, 1, 0};
    MPI_Type_create_indexed_block(6, 1, places, MPI_INT, &type);
  } else {
    MPI_Type_vector(3, 1, 2, MPI_INT, &inner);
    MPI_Type_create_hvector(2, 1, 28, inner, &type);
    MPI_Type_free(&inner);
  }
  MPI_Type_commit(&type);
  return type;
}

static int *gives, *takes, *starts, *places;

/* Blocks one after the other, backwards, or with gaps between them; the elements that all of it spans. */
static int lay(const int* counts, int* at, int order) {
  int end = 0;
  for (int i = 0; i < ranks; ++i) {
    const int r = order % 2 ? ranks - 1 - i : i;
    at[r] = end;
    end += counts[r] + (order > 1 ? r % 3 : 0);
  }
  return end;
}

static void one(MPI_Comm comm, int kind, unsigned seed, int turn, int types) {
  for (int r = 0; r < ranks; ++r) {
    gives[r] = amount(kind, seed, rank, r);
    takes[r] = amount(kind, seed, r, rank);
  }
  MPI_Datatype from = types < 0 ? MPI_DOUBLE_INT : element(types + rank),
               to = types < 0 ? MPI_DOUBLE_INT : element(types + 2 * rank + 1);
  MPI_Aint low, wide, broad;
  MPI_Type_get_extent(from, &low, &wide);
  MPI_Type_get_extent(to, &low, &broad);
  const size_t given = ((size_t)lay(gives, starts, turn % 4) + 2) * (size_t)wide,
               taken = ((size_t)lay(takes, places, (turn + rank) % 4) + 2) * (size_t)broad;
  char *in = malloc(given), *a = malloc(taken), *b = malloc(taken);
  fill(in, given, turn);
  fill(a, taken, turn + 1);
  memcpy(b, a, taken);
  for (int again = 0; again < 2; ++again) { /* the same buffers and lengths, too */
    MPI_Alltoallv(in, gives, starts, from, a, takes, places, to, comm);
    PMPI_Alltoallv(in, gives, starts, from, b, takes, places, to, comm);
    same(a, b, taken, "ragged alltoallv", turn);
  }
  if (types >= 0) MPI_Type_free(&from), MPI_Type_free(&to);
  free(in);
  free(a);
  free(b);
}

/* What ranks swap in place is as long both ways. */
static void in_place(MPI_Comm comm, unsigned seed, int turn, int types) {
  for (int r = 0; r < ranks; ++r) takes[r] = amount(turn % 2, seed, r < rank ? r : rank, r < rank ? rank : r);
  MPI_Datatype type = types < 0 ? MPI_INT : element(types); /* Open MPI swaps other types than equal ones wrongly */
  MPI_Aint low, broad;
  MPI_Type_get_extent(type, &low, &broad);
  const size_t taken = ((size_t)lay(takes, places, turn % 4) + 2) * (size_t)broad;
  char *a = malloc(taken), *b = malloc(taken);
  fill(a, taken, turn + 1);
  memcpy(b, a, taken);
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, a, takes, places, type, comm);
  PMPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, b, takes, places, type, comm);
  same(a, b, taken, "ragged alltoallv in place", turn);
  if (types >= 0) MPI_Type_free(&type);
  free(a);
  free(b);
}

/* Addresses in the type, none in the buffer. */
static void from_bottom(MPI_Comm comm, int turn) {
  int *in = malloc(sizeof(int) * (size_t)ranks), *a = calloc((size_t)ranks, sizeof(int)),
      *b = calloc((size_t)ranks, sizeof(int));
  MPI_Aint where[2];
  MPI_Datatype from, to;
  fill(in, sizeof(int) * (size_t)ranks, turn);
  MPI_Get_address(in, &where[0]);
  MPI_Get_address(a, &where[1]);
  MPI_Type_create_hindexed_block(1, 1, &where[0], MPI_INT, &from);
  MPI_Type_create_hindexed_block(1, 1, &where[1], MPI_INT, &to);
  MPI_Type_commit(&from);
  MPI_Type_commit(&to);
  for (int r = 0; r < ranks; ++r) gives[r] = takes[r] = 1, starts[r] = places[r] = r;
  MPI_Alltoallv(MPI_BOTTOM, gives, starts, from, MPI_BOTTOM, takes, places, to, comm);
  PMPI_Alltoallv(in, gives, starts, MPI_INT, b, takes, places, MPI_INT, comm);
  same(a, b, sizeof(int) * (size_t)ranks, "alltoallv from MPI_BOTTOM", turn);
  MPI_Type_free(&from);
  MPI_Type_free(&to);
  free(in);
  free(a);
  free(b);
}

static int said;
static void count_said(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++said;
}

/* Arguments that are wrong on all ranks: the same class of error, once, whoever answers the calls. */
static void wrong_arguments(MPI_Comm comm) {
  MPI_Errhandler handler;
  int *data = malloc(sizeof(int) * (size_t)ranks), *out = malloc(sizeof(int) * (size_t)ranks), class;
  MPI_Comm_create_errhandler(count_said, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  for (int r = 0; r < ranks; ++r) gives[r] = 1, takes[r] = -1, starts[r] = data[r] = r;
  said = 0;
  MPI_Error_class(MPI_Alltoallv(data, gives, starts, MPI_INT, out, takes, starts, MPI_INT, comm), &class);
  expect(said == 1 && class == MPI_ERR_COUNT, "alltoallv of less than nothing", 0);
  MPI_Error_class(MPI_Alltoallv(data, gives, starts, MPI_DATATYPE_NULL, out, gives, starts, MPI_INT, comm), &class);
  expect(said == 2 && class == MPI_ERR_TYPE, "alltoallv without a type", 0);
  int code = PMPI_Alltoallv(data, gives, starts, MPI_INT, MPI_IN_PLACE, gives, starts, MPI_INT, comm), want;
  MPI_Error_class(code, &want);
  MPI_Error_class(MPI_Alltoallv(data, gives, starts, MPI_INT, MPI_IN_PLACE, gives, starts, MPI_INT, comm), &class);
  expect(said == 4 && class == want, "alltoallv into MPI_IN_PLACE", 0);
#ifdef MPICH
  MPI_Error_class(MPI_Alltoallv(NULL, gives, starts, MPI_INT, out, gives, starts, MPI_INT, comm), &class);
  expect(said == 5 && class == MPI_ERR_BUFFER, "alltoallv of nowhere", 0);
#endif
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  free(data);
  free(out);
}

/* Types without a name that are MPI's own, as Fortran asks for them by precision. */
static void by_precision(MPI_Comm comm, int turn) {
  MPI_Datatype one, two;
  MPI_Type_create_f90_real(12, MPI_UNDEFINED, &one);
  MPI_Type_contiguous(2, one, &two);
  MPI_Type_commit(&two);
  double *in = malloc(16 * (size_t)ranks), *a = malloc(16 * (size_t)ranks), *b = malloc(16 * (size_t)ranks);
  fill(in, 16 * (size_t)ranks, turn);
  for (int r = 0; r < ranks; ++r) gives[r] = 1, starts[r] = r;
  MPI_Alltoallv(in, gives, starts, two, a, gives, starts, two, comm);
  PMPI_Alltoallv(in, gives, starts, two, b, gives, starts, two, comm);
  same(a, b, 16 * (size_t)ranks, "alltoallv of reals by their precision", turn);
  MPI_Type_free(&two);
  free(in);
  free(a);
  free(b);
}

/* Other communicators: of half the ranks, between halves, of one rank. */
static void elsewhere(void) {
  MPI_Comm half, across;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  int me, size, others;
  MPI_Comm_rank(half, &me);
  MPI_Comm_size(half, &size);
  int* data = malloc(sizeof(int) * 2 * (size_t)ranks);
  for (int turn = 0; turn < all_turns; ++turn) {
    for (int r = 0; r < size; ++r)
      gives[r] = takes[r] = 1, starts[r] = r, places[r] = size + r, data[r] = 1000 * me + r + turn;
    MPI_Alltoallv(data, gives, starts, MPI_INT, data, takes, places, MPI_INT, half);
    for (int r = 0; r < size; ++r) expect(data[size + r] == 1000 * r + me + turn, "alltoallv in a half", turn);
  }
  if (ranks > 1) {
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0 ? ranks - 1 - ranks % 2 : ranks - 2 + ranks % 2, 9,
                         &across);
    MPI_Comm_remote_size(across, &others);
    for (int turn = 0; turn < turns; ++turn) {
      for (int r = 0; r < others; ++r)
        gives[r] = takes[r] = 1, starts[r] = r, places[r] = ranks + r, data[r] = 1000 * me + r + turn;
      MPI_Alltoallv(data, gives, starts, MPI_INT, data, takes, places, MPI_INT, across);
      for (int r = 0; r < others; ++r)
        expect(data[ranks + r] == 1000 * r + me + turn, "alltoallv between groups", turn);
    }
    MPI_Comm_free(&across);
  }
  MPI_Comm_free(&half);
  free(data);
}

void test_ragged(MPI_Comm world) {
  int** const lists[] = {&gives, &takes, &starts, &places};
  for (int i = 0; i < 4; ++i) *lists[i] = malloc(sizeof(int) * (size_t)(ranks + 1));
  MPI_Comm comm;
  MPI_Comm_dup(world, &comm);
  for (int turn = 0; turn < 6 * turns; ++turn) {
    one(comm, turn % 7, (unsigned)turn, turn, turn % 5 - 1);
    in_place(comm, (unsigned)turn, turn, turn % 3 - 1);
    if (turn % 7 == 0) from_bottom(comm, turn), by_precision(comm, turn);
  }
  for (int turn = 0; turn < all_turns; ++turn) one(comm, 0, 7, turn, 0); /* until all look at sizes again */
  wrong_arguments(comm);
  one(comm, 0, 8, 0, 0);
  MPI_Comm_free(&comm);
  elsewhere();
  for (int i = 0; i < 4; ++i) free(*lists[i]);
}
