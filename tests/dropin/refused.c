/* Calls that MPI refuses are refused in the same way, and what follows them works. */
#include "conformance.h"

enum { n = 500 }; /* ints of a block */

static int *in, *out, *expected, *counts, *places, handled;
static MPI_Datatype loose, loose_gaps; /* of a block, not committed */

#define EITHER(name, ...) (native ? PMPI_##name(__VA_ARGS__) : MPI_##name(__VA_ARGS__))

static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handled;
}

typedef void (*Right)(int native, void* result, MPI_Comm comm);
typedef int (*Wrong)(int native, MPI_Comm comm);

static void right_bcast(int native, void* result, MPI_Comm comm) {
  memcpy(result, in, n * sizeof(int));
  EITHER(Bcast, result, n, MPI_INT, 0, comm);
}
static void right_allgather(int native, void* result, MPI_Comm comm) {
  EITHER(Allgather, in, n, MPI_INT, result, n, MPI_INT, comm);
}
static void right_allgatherv(int native, void* result, MPI_Comm comm) {
  EITHER(Allgatherv, in, n, MPI_INT, result, counts, places, MPI_INT, comm);
}
static void right_scatter(int native, void* result, MPI_Comm comm) {
  EITHER(Scatter, in, n, MPI_INT, result, n, MPI_INT, 0, comm);
}
static void right_gather(int native, void* result, MPI_Comm comm) {
  EITHER(Gather, in, n, MPI_INT, result, n, MPI_INT, 0, comm);
}
static void right_alltoall(int native, void* result, MPI_Comm comm) {
  EITHER(Alltoall, in, n, MPI_INT, result, n, MPI_INT, comm);
}
static void right_alltoallv(int native, void* result, MPI_Comm comm) {
  EITHER(Alltoallv, in, counts, places, MPI_INT, result, counts, places, MPI_INT, comm);
}

static void works(Right right, const char* what, int times, MPI_Comm comm) {
  const size_t all = (size_t)(n * ranks) * sizeof(int);
  for (int turn = 0; turn < times; ++turn) {
    fill(in, all, turn);
    memset(out, 1, all);
    memset(expected, 1, all);
    right(0, out, comm);
    right(1, expected, comm);
    same(out, expected, all, what, turn);
  }
}

#define WRONG(name, call) \
  static int name(int native, MPI_Comm comm) { return EITHER call; }

WRONG(bcast_place, (Bcast, MPI_IN_PLACE, n, MPI_INT, 0, comm))
WRONG(bcast_loose, (Bcast, out, 1, loose, 0, comm))
WRONG(bcast_gaps, (Bcast, out, 1, loose_gaps, 0, comm))
WRONG(allgather_place, (Allgather, in, n, MPI_INT, MPI_IN_PLACE, n, MPI_INT, comm))
WRONG(allgather_out, (Allgather, in, n, MPI_INT, out, 1, loose, comm))
WRONG(allgather_in, (Allgather, in, 1, loose_gaps, out, n, MPI_INT, comm))
WRONG(allgather_none, (Allgather, in, n, MPI_DATATYPE_NULL, out, n, MPI_INT, comm))
WRONG(allgather_less, (Allgather, in, -n, MPI_INT, out, n, MPI_INT, comm))
WRONG(allgatherv_place, (Allgatherv, in, n, MPI_INT, MPI_IN_PLACE, counts, places, MPI_INT, comm))
WRONG(allgatherv_in, (Allgatherv, in, 1, loose, out, counts, places, MPI_INT, comm))
WRONG(allgatherv_none, (Allgatherv, in, n, MPI_DATATYPE_NULL, out, counts, places, MPI_INT, comm))
WRONG(scatter_place, (Scatter, MPI_IN_PLACE, n, MPI_INT, out, n, MPI_INT, 0, comm))
WRONG(scatter_others, (Scatter, in, n, MPI_INT, MPI_IN_PLACE, n, MPI_INT, 0, comm))
WRONG(scatter_in, (Scatter, in, 1, loose, out, n, MPI_INT, 0, comm))
WRONG(scatter_out, (Scatter, in, n, MPI_INT, out, 1, loose_gaps, 0, comm))
WRONG(gather_place, (Gather, in, n, MPI_INT, MPI_IN_PLACE, n, MPI_INT, 0, comm))
WRONG(gather_others, (Gather, MPI_IN_PLACE, n, MPI_INT, out, n, MPI_INT, 0, comm))
WRONG(gather_in, (Gather, in, 1, loose_gaps, out, n, MPI_INT, 0, comm))
WRONG(gather_out, (Gather, in, n, MPI_INT, out, 1, loose, 0, comm))
WRONG(gather_less, (Gather, in, -n, MPI_INT, out, n, MPI_INT, 0, comm))
WRONG(alltoall_place, (Alltoall, in, n, MPI_INT, MPI_IN_PLACE, n, MPI_INT, comm))
WRONG(alltoall_out, (Alltoall, in, n, MPI_INT, out, 1, loose_gaps, comm))
WRONG(alltoall_in, (Alltoall, in, 1, loose, out, n, MPI_INT, comm))
WRONG(alltoall_none, (Alltoall, in, n, MPI_DATATYPE_NULL, out, n, MPI_INT, comm))
WRONG(alltoallv_place, (Alltoallv, in, counts, places, MPI_INT, MPI_IN_PLACE, counts, places, MPI_INT, comm))
WRONG(alltoallv_out, (Alltoallv, in, counts, places, MPI_INT, out, counts, places, loose, comm))
WRONG(alltoallv_in, (Alltoallv, in, counts, places, loose, out, counts, places, MPI_INT, comm))
WRONG(alltoallv_none, (Alltoallv, in, counts, places, MPI_DATATYPE_NULL, out, counts, places, MPI_INT, comm))
/* Read and written at once: */
WRONG(allgather_same, (Allgather, out + rank * n, n, MPI_INT, out, n, MPI_INT, comm))
WRONG(allgatherv_same, (Allgatherv, out + rank * n, n, MPI_INT, out, counts, places, MPI_INT, comm))
WRONG(scatter_same, (Scatter, out, n, MPI_INT, out, n, MPI_INT, 0, comm))
WRONG(gather_same, (Gather, out, n, MPI_INT, out, n, MPI_INT, 0, comm))
WRONG(alltoall_same, (Alltoall, out, n, MPI_INT, out, n, MPI_INT, comm))
WRONG(alltoallv_same, (Alltoallv, out, counts, places, MPI_INT, out, counts, places, MPI_INT, comm))

enum Who { all, root, others };
enum By { both, openmpi, mpich }; /* who refuses it; the other takes it, or crashes */
static const struct {
  const char* what;
  Right right;
  Wrong wrong;
  enum Who who;
  enum By by;
} cases[] = {{"bcast into MPI_IN_PLACE", right_bcast, bcast_place, all, openmpi},
             {"bcast of a type that is not committed", right_bcast, bcast_loose, all, both},
             {"bcast of a type with gaps that is not committed", right_bcast, bcast_gaps, all, both},
             {"allgather into MPI_IN_PLACE", right_allgather, allgather_place, all, both},
             {"allgather into a type that is not committed", right_allgather, allgather_out, all, mpich},
             {"allgather from a type that is not committed", right_allgather, allgather_in, all, both},
             {"allgather from no type", right_allgather, allgather_none, all, both},
             {"allgather of less than nothing", right_allgather, allgather_less, all, both},
             {"allgather where a block is its own copy", right_allgather, allgather_same, all, mpich},
             {"allgatherv into MPI_IN_PLACE", right_allgatherv, allgatherv_place, all, both},
             {"allgatherv from a type that is not committed", right_allgatherv, allgatherv_in, all, both},
             {"allgatherv from no type", right_allgatherv, allgatherv_none, all, both},
             {"allgatherv where a block is its own copy", right_allgatherv, allgatherv_same, all, mpich},
             {"scatter from MPI_IN_PLACE", right_scatter, scatter_place, root, both},
             {"scatter into MPI_IN_PLACE", right_scatter, scatter_others, others, openmpi},
             {"scatter from a type that is not committed", right_scatter, scatter_in, root, mpich},
             {"scatter into a type that is not committed", right_scatter, scatter_out, others, mpich},
             {"scatter where a block is its own copy", right_scatter, scatter_same, root, mpich},
             {"gather into MPI_IN_PLACE", right_gather, gather_place, root, both},
             {"gather from MPI_IN_PLACE", right_gather, gather_others, others, openmpi},
             {"gather from a type that is not committed", right_gather, gather_in, others, both},
             {"gather into a type that is not committed", right_gather, gather_out, root, mpich},
             {"gather of less than nothing", right_gather, gather_less, others, both},
             {"gather where a block is its own copy", right_gather, gather_same, root, mpich},
             {"alltoall into MPI_IN_PLACE", right_alltoall, alltoall_place, all, both},
             {"alltoall into a type that is not committed", right_alltoall, alltoall_out, all, both},
             {"alltoall from a type that is not committed", right_alltoall, alltoall_in, all, both},
             {"alltoall from no type", right_alltoall, alltoall_none, all, both},
             {"alltoall where a block is its own copy", right_alltoall, alltoall_same, all, mpich},
             {"alltoallv into MPI_IN_PLACE", right_alltoallv, alltoallv_place, all, both},
             {"alltoallv into a type that is not committed", right_alltoallv, alltoallv_out, all, both},
             {"alltoallv from a type that is not committed", right_alltoallv, alltoallv_in, all, both},
             {"alltoallv from no type", right_alltoallv, alltoallv_none, all, both},
             {"alltoallv where a block is its own copy", right_alltoallv, alltoallv_same, all, mpich}};

static void compare(Wrong wrong, const char* what, MPI_Comm comm) {
  int class[2], calls[2];
  for (int native = 1; native >= 0; --native) {
    handled = 0;
    PMPI_Error_class(wrong(native, comm), &class[native]);
    calls[native] = handled;
  }
  if (getenv("SHOW_REFUSED") && rank < 2)
    fprintf(stderr, "rank %d: %s: class %d, handler called %d times\n", rank, what, class[1], calls[1]);
  expect(class[0] == class[1] && class[1] != MPI_SUCCESS, what, class[0]);
  expect(calls[0] == calls[1], what, calls[0]);
}

#ifdef MPICH_VERSION

enum { is_mpich = 1 };
WRONG(on_freed, (Bcast, in, n, MPI_INT, 0, comm))

static void freed_communicators(void) {
  MPI_Comm comm, gone, next[4];
  int again = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  works(right_bcast, "bcast before a communicator is freed", turns, comm);
  gone = comm;
  MPI_Comm_free(&comm);
  compare(on_freed, "bcast on a communicator that was freed", gone);
  for (int i = 0; i < 4; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &next[i]);
  for (int i = 0; i < 4; ++i) {
    works(right_bcast, "bcast on a communicator that may have the handle of one before", turns, next[i]);
    again += next[i] == gone;
  }
  expect(again == 1, "MPICH gives the handle to another communicator", 0);
  for (int i = 0; i < 4; ++i) MPI_Comm_free(&next[i]);
}

#else

enum { is_mpich = 0 };
static void freed_communicators(void) {} /* Open MPI finds whatever is in memory there by then */

#endif

void test_refused(void) {
  const size_t bytes = (size_t)(n * ranks) * 2 * sizeof(int); /* gaps, too */
  MPI_Comm comm;
  MPI_Errhandler handler;
  in = malloc(bytes), out = malloc(bytes), expected = malloc(bytes);
  counts = malloc(sizeof(int) * (size_t)ranks), places = malloc(sizeof(int) * (size_t)ranks);
  for (int r = 0; r < ranks; ++r) counts[r] = n, places[r] = n * r;
  MPI_Type_contiguous(n, MPI_INT, &loose);
  MPI_Type_vector(n / 2, 2, 3, MPI_INT, &loose_gaps);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);  /* where MPICH raises errors without a communicator */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler); /* where Open MPI raises some of alltoall */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (cases[i].by == (is_mpich ? openmpi : mpich)) continue;
    works(cases[i].right, cases[i].what, i == 0 || cases[i].right != cases[i - 1].right ? all_turns : 3, comm);
    if (cases[i].who == all || (rank == 0) == (cases[i].who == root)) compare(cases[i].wrong, cases[i].what, comm);
  }
  works(right_bcast, "bcast after errors", 3, comm);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
  freed_communicators();
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&loose), MPI_Type_free(&loose_gaps);
  free(in), free(out), free(expected), free(counts), free(places);
}
