/* When requests, communicators, types and operators may be freed, and what MPI refuses. */
#include "conformance.h"
#include "later.h"

enum { n = 4000 };

static int *in, *out, *expected;

static void allocate(void) {
  const size_t bytes = sizeof(int) * 4 * n * (size_t)ranks;
  in = malloc(bytes), out = malloc(bytes), expected = malloc(bytes);
  fill(in, bytes, 1);
  fill(out, bytes, 2);
  fill(expected, bytes, 2);
}
static void release(void) { free(in), free(out), free(expected); }

static void add(void* given, void* kept, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)kept)[i] += ((int*)given)[i];
}

/* All that a call needs goes, but its buffers, before it ends. */
static void freed_while_under_way(int turn) {
  MPI_Comm comm;
  MPI_Datatype gaps;
  MPI_Op own;
  MPI_Request requests[3];
  int sum[10], want[10];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Barrier(comm);
  MPI_Type_vector(n / 2, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  MPI_Op_create(add, 1, &own);
  PMPI_Alltoall(in, 1, gaps, expected, 1, gaps, comm);
  PMPI_Allreduce(in, want, 10, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < 4; ++i) { /* MPI's first, then plans' */
    MPI_Ialltoall(in, 1, gaps, out, 1, gaps, comm, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  MPI_Ialltoall(in, 1, gaps, out, 1, gaps, comm, &requests[0]);
  MPI_Iallreduce(in, sum, 10, MPI_INT, own, MPI_COMM_WORLD, &requests[1]); /* MPI's: Open MPI needs the communicator */
  MPI_Ibarrier(comm, &requests[2]);
  MPI_Type_free(&gaps);
  MPI_Op_free(&own);
  MPI_Comm_free(&comm);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  same(out, expected, sizeof(int) * n * (size_t)ranks, "a call whose communicator and type are freed", turn);
  same(sum, want, sizeof sum, "a call whose operator is freed", turn);
}

/* A persistent request outlives its communicator's handle, and may never be started. */
static void persistent_lives(int turn) {
  MPI_Comm comm;
  MPI_Request never, twice, many[20];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  INIT(Alltoall)(in, 20, MPI_INT, out, 20, MPI_INT, comm, MPI_INFO_NULL, &never);
  INIT(Alltoall)(in, 30, MPI_INT, out, 30, MPI_INT, comm, MPI_INFO_NULL, &twice);
  PMPI_Alltoall(in, 30, MPI_INT, expected, 30, MPI_INT, comm);
  MPI_Request_free(&never);
  expect(never == MPI_REQUEST_NULL, "a persistent request that was never started", turn);
  MPI_Comm_free(&comm);
  for (int i = 0; i < 2; ++i) {
    memset(out, 7, sizeof(int) * 30 * (size_t)ranks);
    MPI_Start(&twice);
    MPI_Wait(&twice, MPI_STATUS_IGNORE);
    same(out, expected, sizeof(int) * 30 * (size_t)ranks, "a persistent request without its communicator", turn);
  }
  MPI_Status status;
  int flag = 0;
  MPI_Test(&twice, &flag, &status); /* inactive */
  expect(flag == 1 && twice != MPI_REQUEST_NULL, "a test of an inactive request", turn);
  MPI_Request_free(&twice);
  for (int i = 0; i < 20; ++i)
    INIT(Allgather)(in, 10 + i, MPI_INT, out, 10 + i, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &many[i]);
  for (int i = 19; i >= 0; --i) {
    PMPI_Allgather(in, 10 + i, MPI_INT, expected, 10 + i, MPI_INT, MPI_COMM_WORLD);
    MPI_Start(&many[i]);
    MPI_Wait(&many[i], MPI_STATUS_IGNORE);
    same(out, expected, sizeof(int) * (size_t)((10 + i) * ranks), "one of many persistent requests", i);
    MPI_Request_free(&many[i]);
  }
}

void test_lives(void) {
  for (int turn = 0; turn < 4; ++turn) {
    allocate();
    freed_while_under_way(turn);
    persistent_lives(turn);
    release();
  }
}

static int handled;
static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handled;
}

typedef int (*Wrong)(int by_mpi, MPI_Comm comm, MPI_Request* request);
#define EITHER(name, ...) (by_mpi ? PMPI_##name(__VA_ARGS__) : MPI_##name(__VA_ARGS__))
#if MPI_VERSION >= 4
#define EITHER_INIT(name, ...) EITHER(name##_init, __VA_ARGS__)
#else
#define EITHER_INIT(name, ...) (by_mpi ? PMPIX_##name##_init(__VA_ARGS__) : MPIX_##name##_init(__VA_ARGS__))
#endif
#define WRONG(name, call) \
  static int name(int by_mpi, MPI_Comm comm, MPI_Request* request) { return call; }

WRONG(no_type, EITHER(Ialltoall, in, n, MPI_DATATYPE_NULL, out, n, MPI_INT, comm, request))
WRONG(less, EITHER(Iallgather, in, -1, MPI_INT, out, n, MPI_INT, comm, request))
WRONG(no_root, EITHER(Ibcast, in, n, MPI_INT, ranks, comm, request))
WRONG(no_op, EITHER(Iallreduce, in, out, n, MPI_INT, MPI_OP_NULL, comm, request))
WRONG(no_type_init, EITHER_INIT(Alltoall, in, n, MPI_DATATYPE_NULL, out, n, MPI_INT, comm, MPI_INFO_NULL, request))
WRONG(no_root_init, EITHER_INIT(Bcast, in, n, MPI_INT, -5, comm, MPI_INFO_NULL, request))
WRONG(less_init, EITHER_INIT(Reduce, in, out, -1, MPI_INT, MPI_SUM, 0, comm, MPI_INFO_NULL, request))

void test_refused_later(void) {
  static const struct {
    const char* what;
    Wrong wrong;
  } cases[] = {{"Ialltoall from no type", no_type},
               {"Iallgather of less than nothing", less},
               {"Ibcast from no rank", no_root},
               {"Iallreduce by no operator", no_op},
               {"Alltoall_init from no type", no_type_init},
               {"Bcast_init from no rank", no_root_init},
               {"Reduce_init of less than nothing", less_init}};
  MPI_Comm comm;
  MPI_Errhandler handler;
  allocate();
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    int class[2], calls[2];
    for (int by_mpi = 1; by_mpi >= 0; --by_mpi) {
      MPI_Request request = MPI_REQUEST_NULL;
      handled = 0;
      PMPI_Error_class(cases[i].wrong(by_mpi, comm, &request), &class[by_mpi]);
      calls[by_mpi] = handled;
    }
    expect(class[0] == class[1] && class[1] != MPI_SUCCESS, cases[i].what, class[0]);
    expect(calls[0] == calls[1], cases[i].what, calls[0]);
  }
  /* What follows works. */
  MPI_Request request;
  INIT(Allgather)(in, n, MPI_INT, out, n, MPI_INT, comm, MPI_INFO_NULL, &request);
  PMPI_Allgather(in, n, MPI_INT, expected, n, MPI_INT, comm);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  same(out, expected, sizeof(int) * n * (size_t)ranks, "a call after errors", 0);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
  release();
}
