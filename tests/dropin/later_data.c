/* Data of every kind of call, of the same call again and again. */
#include "conformance.h"
#include "later.h"

static int *in, *out, *expected;
static MPI_Request waiting;

/* Space between elements of a type with gaps is compared as well. */
static size_t room(const struct Kind* kind, int count, MPI_Datatype type, int all) {
  MPI_Aint low, extent;
  PMPI_Type_get_extent(type, &low, &extent);
  (void)kind;
  return (size_t)extent * (size_t)(2 * count) * (size_t)(all + 1) + 64;
}

static void lay(const struct Kind* kind, const struct Call* call, void* result, size_t bytes, int turn) {
  fill(result, bytes, turn + (call->in == MPI_IN_PLACE || kind->operation == kinds[1].operation ? 0 : 1000));
}

/* Persistent calls of one rank are MPI's, and MPICH 4.0 gathers wrongly then. */
static int mpi_is_wrong(enum How how, MPI_Comm comm) {
#ifdef MPICH_VERSION
  int all;
  MPI_Comm_size(comm, &all);
  return how == persistent && all == 1;
#else
  return (void)how, (void)comm, 0;
#endif
}

static void compare(const struct Kind* kind, enum How how, struct Call call, size_t bytes, int times,
                    const char* what) {
  char name[200];
  MPI_Request request = MPI_REQUEST_NULL;
  if (mpi_is_wrong(how, call.comm)) return;
  snprintf(name, sizeof name, "%s %s of %d, root %d, %s", how == persistent ? "persistent" : "non-blocking", kind->name,
           call.count, call.root, what);
  call.out = out;
  if (how == persistent) kind->operation(how, &call, &request);
  for (int turn = 0; turn < times; ++turn) {
    fill(in, bytes, turn + 500);
    lay(kind, &call, expected, bytes, turn);
    call.out = expected;
    kind->operation(blocking, &call, &waiting);
    lay(kind, &call, out, bytes, turn);
    call.out = out;
    if (how == persistent)
      MPI_Start(&request);
    else
      kind->operation(how, &call, &request);
    if (turn % 2 == 0) {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      int done = 0;
      while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    expect((request == MPI_REQUEST_NULL) == (how != persistent), name, turn);
    same(out, expected, bytes, name, turn);
  }
  if (how == persistent) MPI_Request_free(&request);
  expect(request == MPI_REQUEST_NULL, name, -1);
}

static void all_calls(MPI_Comm comm, MPI_Datatype type, int count, const char* what, int reductions) {
  int all;
  MPI_Comm_size(comm, &all);
  for (int k = 0; k < all_kinds; ++k) {
    const struct Kind* const kind = &kinds[k];
    if (!reductions && k >= 7) continue;
    const size_t bytes = room(kind, count, type, all);
    in = malloc(bytes), out = malloc(bytes), expected = malloc(bytes);
    for (int how = non_blocking; how <= persistent; ++how) {
      struct Call call = {in, out, count, type, all > 1 ? 1 : 0, comm};
      compare(kind, how, call, bytes, 6, what);
      call.root = 0;
      compare(kind, how, call, bytes, 6, what);
      call.in = MPI_IN_PLACE;
      if (kind->in_place) compare(kind, how, call, bytes, 6, "in place");
    }
    free(in), free(out), free(expected);
  }
}

static void kinds_of_types(MPI_Comm comm) {
  MPI_Datatype gaps, pairs;
  MPI_Type_vector(7, 2, 3, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  MPI_Type_contiguous(2, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  all_calls(comm, gaps, 30, "a type with gaps", 0);
  all_calls(comm, pairs, 100, "a type without gaps", 0);
  MPI_Type_free(&gaps);
  MPI_Type_free(&pairs);
}

void test_every_kind(void) {
  MPI_Comm half, copy;
  const int sizes[] = {0, 1, 5, 250, 6000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) all_calls(MPI_COMM_WORLD, MPI_INT, sizes[s], "ints", 1);
  kinds_of_types(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  for (int turn = 0; turn < 3; ++turn) { /* the third is behind a call in which ranks may wait */
    all_calls(half, MPI_INT, 100, "a half", 1);
    MPI_Barrier(half);
  }
  MPI_Comm_free(&half);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  all_calls(copy, MPI_INT, 77, "a copy", 1);
  MPI_Comm_free(&copy);
  all_calls(MPI_COMM_SELF, MPI_INT, 20, "one rank", 1);
}
