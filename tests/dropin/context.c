/* What surrounds collectives: communicators of all kinds, messages in flight, attributes, errors, threads. */
#include <pthread.h>
#include <unistd.h>

#include "conformance.h"

static void bcasts(MPI_Comm comm, int times, const char* what) {
  int me;
  MPI_Comm_rank(comm, &me);
  for (int turn = 0; turn < times; ++turn) {
    int data[300];
    for (int i = 0; i < 300; ++i) data[i] = me == 0 ? i + turn : -1;
    MPI_Bcast(data, 300, MPI_INT, 0, comm);
    int good = 1;
    for (int i = 0; i < 300; ++i) good &= data[i] == i + turn;
    expect(good, what, turn);
  }
}

/* Ours must neither take these messages nor be taken for them. */
static void messages_in_flight(MPI_Comm comm) {
  int token = -1, next = (rank + 1) % ranks, mine = rank, shared = rank == 0 ? 42 : 0;
  MPI_Request any, meanwhile;
  MPI_Status status;
  MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &any);
  MPI_Ibcast(&shared, 1, MPI_INT, 0, comm, &meanwhile);
  bcasts(comm, turns, "bcast with a wildcard receive posted");
  MPI_Send(&mine, 1, MPI_INT, next, 5, comm);
  MPI_Wait(&any, &status);
  expect(token == (rank + ranks - 1) % ranks && status.MPI_TAG == 5, "wildcard receive", 0);
  MPI_Wait(&meanwhile, MPI_STATUS_IGNORE);
  expect(shared == 42, "bcast that was in flight", 0);
}

static void kinds_of_communicators(void) {
  MPI_Comm half, grid, across, one;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  bcasts(half, turns, "bcast in a half");
  int sides[] = {ranks}, periods[] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, sides, periods, 0, &grid);
  bcasts(grid, turns, "bcast on a grid");
  bcasts(MPI_COMM_SELF, turns, "bcast to oneself");
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, 0, &one);
  if (one != MPI_COMM_NULL) bcasts(one, 3, "bcast of one rank");
  if (ranks > 1) {
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0 ? ranks - 1 - ranks % 2 : ranks - 2 + ranks % 2, 9,
                         &across);
    for (int turn = 0; turn < 6; ++turn) {
      int data = 7 * turn, sum = 0, want = 0, other;
      int low;
      MPI_Comm_rank(half, &low);
      const int leader = low == 0;
      int value = leader && rank % 2 == 0 ? 1234 + turn : 0;
      MPI_Bcast(&value, 1, MPI_INT, rank % 2 == 1 ? 0 : leader ? MPI_ROOT : MPI_PROC_NULL, across);
      expect(rank % 2 == 0 || value == 1234 + turn, "bcast between groups", turn);
      MPI_Allreduce(&data, &sum, 1, MPI_INT, MPI_SUM, across);
      MPI_Comm_remote_size(across, &other);
      want = data * other;
      expect(sum == want, "allreduce between groups", turn);
      int* all = malloc(sizeof(int) * (size_t)other);
      MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, across);
      for (int i = 0; i < other; ++i) expect(all[i] % 2 != rank % 2, "allgather between groups", turn);
      free(all);
    }
    MPI_Comm_free(&across);
  }
  if (one != MPI_COMM_NULL) MPI_Comm_free(&one);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&half);
}

/* More communicators, one after the other, than an MPI has numbers for. */
static void many_communicators(void) {
  for (int i = 0; i < 300; ++i) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    bcasts(copy, i % 100 == 0 ? turns : 3, "bcast on a short-lived communicator");
    MPI_Comm_free(&copy);
  }
}

/* More at once than the drop-in makes partners for. */
static void communicators_at_once(void) {
  MPI_Comm all[80];
  for (int i = 0; i < 80; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
    bcasts(all[i], 4, "bcast on one of many communicators");
  }
  for (int i = 0; i < 80; ++i) MPI_Comm_free(&all[i]);
}

static int copies;
static int count_copy(MPI_Comm comm, int key, void* state, void* in, void* out, int* flag) {
  (void)comm, (void)key, (void)state;
  *(void**)out = in;
  ++copies;
  *flag = 1;
  return MPI_SUCCESS;
}

static void attributes(void) {
  MPI_Comm comm, copy;
  int key, found, value = 3, *got;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(comm, key, &value);
  bcasts(comm, turns, "bcast with an attribute");
  expect(copies == 0, "attributes are copied", 0);
  MPI_Comm_dup(comm, &copy);
  expect(copies == 1, "attributes are not copied", 0);
  MPI_Comm_get_attr(copy, key, &got, &found);
  expect(found && got == &value, "attribute of a copy", 0);
  bcasts(copy, turns, "bcast on a copy");
  MPI_Comm_free(&copy);
  bcasts(comm, 3, "bcast after its copy is freed");
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
}

static int errors;
static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++errors;
}

static void error_handlers(void) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  int data = 0, class;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  bcasts(comm, turns, "bcast before errors");
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int code = MPI_Bcast(&data, 1, MPI_INT, ranks + 3, comm);
  MPI_Error_class(code, &class);
  expect(class == MPI_ERR_ROOT, "class of a wrong root", 0);
  code = MPI_Bcast(&data, -1, MPI_INT, 0, comm);
  MPI_Error_class(code, &class);
  expect(class == MPI_ERR_COUNT, "class of a negative count", 0);
  code = MPI_Bcast(&data, 1, MPI_DATATYPE_NULL, 0, comm);
  MPI_Error_class(code, &class);
  expect(class == MPI_ERR_TYPE, "class of a missing type", 0);
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Bcast(&data, 1, MPI_INT, -17, comm);
  expect(errors == 1, "an error handler is called once", 0);
  bcasts(comm, 3, "bcast after errors");
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

static void* in_thread(void* comm) {
  bcasts(*(MPI_Comm*)comm, 20, "bcast in a thread");
  return NULL;
}

/* What a communicator leaves to the next one of the same ranks, other threads want as well, and at the same time: in
   the third call. Nothing is known yet of ranks in this order, so that trials go on from one to the next. */
static pthread_barrier_t all_threads;
static void* in_short_lived(void* comm) {
  for (int i = 0; i < 30; ++i) {
    MPI_Comm copy;
    MPI_Comm_split(*(MPI_Comm*)comm, 0, -rank, &copy);
    bcasts(copy, 2, "bcast on a short-lived communicator of a thread");
    pthread_barrier_wait(&all_threads);
    bcasts(copy, 2, "bcast of several threads at once");
    MPI_Comm_free(&copy);
  }
  return NULL;
}

static void threads_that(void* (*work)(void*)) {
  MPI_Comm comms[3];
  pthread_t others[2];
  for (int i = 0; i < 3; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < 2; ++i) pthread_create(&others[i], NULL, work, &comms[i]);
  work(&comms[2]);
  for (int i = 0; i < 2; ++i) pthread_join(others[i], NULL);
  for (int i = 0; i < 3; ++i) MPI_Comm_free(&comms[i]);
}

static void threads(void) {
  int level;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) return;
  threads_that(in_thread);
  pthread_barrier_init(&all_threads, NULL, 3);
  threads_that(in_short_lived);
  pthread_barrier_destroy(&all_threads);
}

/* A rank that is late is told by those who wait; a later communicator must not take that for its own. For two ranks. */
void test_late(void) {
  int data[600];
  for (int late = 1; late >= 0; --late) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int turn = 0; turn < 8; ++turn) {
      if (turn == 5 && rank == late) sleep(3);
      for (int i = 0; i < 600; ++i) data[i] = rank == 0 ? turn + i : 0;
      MPI_Bcast(data, 300 + 300 * late, MPI_INT, 0, comm);
      expect(data[299] == turn + 299, "bcast of a late rank", turn);
    }
    MPI_Comm_free(&comm);
  }
}

/* Ranks that were started later, and without the drop-in. */
void test_spawned(const char* program) {
  MPI_Comm parent, between, all;
  char* arguments[] = {"spawned", NULL};
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL)
    MPI_Comm_spawn(program, arguments, ranks, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
  else
    between = parent;
  MPI_Intercomm_merge(between, parent != MPI_COMM_NULL, &all);
  bcasts(all, turns, "bcast to ranks that were spawned");
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&between);
}

void test_context(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  messages_in_flight(comm);
  MPI_Comm_free(&comm);
  kinds_of_communicators();
  many_communicators();
  communicators_at_once();
  attributes();
  error_handlers();
  threads();
  MPI_Pcontrol(1);
#if MPI_VERSION >= 4
  int data[5] = {rank == 0, 2, 3, 4, 5};
  for (int turn = 0; turn < turns; ++turn) {
    MPI_Bcast_c(data, 5, MPI_INT, 0, MPI_COMM_WORLD);
    expect(data[0] == 1, "bcast with a large count's type", turn);
  }
#endif
}
