/* Requests of collectives among others, several at once, and in the hands of who waits elsewhere. */
#include <unistd.h>

#include "conformance.h"
#include "later.h"

enum { n = 3000, of_each = 3 };

static int next(void) { return (rank + 1) % ranks; }
static int previous(void) { return (rank + ranks - 1) % ranks; }

/* By MPI's own, what an allgather and an allreduce give. */
static void check_all(const int* gathered, const int* reduced, int count, int turn, const char* what) {
  int good = 1;
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < count; ++i) good &= gathered[r * count + i] == 1000 * r + i + turn;
  expect(good, what, turn);
  for (int i = 0; good && i < count; ++i) {
    int sum = 0;
    for (int r = 0; r < ranks; ++r) sum += 1000 * r + i + turn;
    good &= reduced[i] == sum;
  }
  expect(good, what, turn);
}

static void lay(int* own, int count, int turn) {
  for (int i = 0; i < count; ++i) own[i] = 1000 * rank + i + turn;
}

/* Messages, a non-blocking, a persistent collective of ours and one of MPI's, waited for in every way. */
void test_mixed_requests(void) {
  static int own[n], reduced[n];
  int *gathered = malloc(sizeof(int) * n * (size_t)ranks), token = 0, got = 0;
  MPI_Request steady, of_mpi, lasting;
  INIT(Allreduce)(own, reduced, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &steady);
  MPI_Send_init(&token, 1, MPI_INT, next(), 3, MPI_COMM_WORLD, &lasting);
  for (int turn = 0; turn < 24; ++turn) {
    lay(own, n, turn);
    token = rank + turn;
    MPI_Request all[6] = {MPI_REQUEST_NULL};
    MPI_Status statuses[6];
    all[0] = steady;
    all[1] = lasting;
    all[5] = MPI_REQUEST_NULL;
    if (turn % 4 < 2)
      MPI_Startall(2, all);
    else
      MPI_Start(&all[0]), MPI_Start(&all[1]);
    MPI_Irecv(&got, 1, MPI_INT, previous(), 3, MPI_COMM_WORLD, &all[2]);
    MPI_Iallgather(own, n, MPI_INT, gathered, n, MPI_INT, MPI_COMM_WORLD, &all[3]);
    PMPI_Ibarrier(MPI_COMM_WORLD, &of_mpi);
    all[4] = of_mpi;
    int left = 5, flag = 0;
    switch (turn % 6) {
      case 0:
        MPI_Waitall(6, all, statuses);
        break;
      case 1:
        for (int index; left > 0; --left) {
          MPI_Waitany(6, all, &index, MPI_STATUS_IGNORE);
          expect(index >= 0 && index < 5, "an index of MPI_Waitany", turn);
        }
        break;
      case 2:
        for (int done, indices[6]; left > 0; left -= done) MPI_Waitsome(6, all, &done, indices, statuses);
        break;
      case 3:
        while (!flag) MPI_Testall(6, all, &flag, statuses);
        break;
      case 4:
        for (int done, indices[6]; left > 0; left -= done) MPI_Testsome(6, all, &done, indices, statuses);
        break;
      case 5:
        for (int i = 4; i >= 0; --i) {
          for (flag = 0; !flag;) MPI_Request_get_status(all[i], &flag, MPI_STATUS_IGNORE);
          MPI_Wait(&all[i], &statuses[i]);
        }
    }
    expect(all[0] == steady && all[1] == lasting && all[2] == MPI_REQUEST_NULL && all[3] == MPI_REQUEST_NULL &&
               all[4] == MPI_REQUEST_NULL,
           "requests after their ends", turn);
    expect(got == previous() + turn, "a message beside collectives", turn);
    check_all(gathered, reduced, n, turn, "collectives beside messages");
    MPI_Waitall(2, all, MPI_STATUSES_IGNORE); /* inactive: at once */
  }
  MPI_Request_free(&steady);
  MPI_Request_free(&lasting);
  free(gathered);
}

/* Calls of the same kind, waited for last first, with blocking ones and another communicator's between. */
void test_several_at_once(void) {
  MPI_Comm copy;
  static int own[5][n], reduced[5][n];
  int *gathered[5], shared[40];
  MPI_Request all[10], lasting[of_each];
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  for (int i = 0; i < 5; ++i) gathered[i] = malloc(sizeof(int) * n * (size_t)ranks);
  for (int i = 0; i < of_each; ++i)
    INIT(Allreduce)(own[i], reduced[i], n, MPI_INT, MPI_SUM, copy, MPI_INFO_NULL, &lasting[i]);
  for (int turn = 0; turn < 12; ++turn) {
    for (int i = 0; i < 5; ++i) {
      lay(own[i], n, turn + i);
      MPI_Iallgather(own[i], n, MPI_INT, gathered[i], n, MPI_INT, i % 2 ? copy : MPI_COMM_WORLD, &all[2 * i]);
      if (i < of_each) continue;
      MPI_Iallreduce(own[i], reduced[i], n, MPI_INT, MPI_SUM, copy, &all[2 * i + 1]);
    }
    /* Persistent ones may start in another order on each rank. */
    for (int i = 0; i < of_each; ++i) {
      const int at = rank % 2 ? of_each - 1 - i : i;
      MPI_Start(&lasting[at]);
      all[2 * at + 1] = lasting[at];
    }
    for (int i = 0; i < 40; ++i) shared[i] = rank == 0 ? i + turn : -1;
    MPI_Bcast(shared, 40, MPI_INT, 0, MPI_COMM_WORLD);
    expect(shared[39] == 39 + turn, "a blocking call between", turn);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
    expect(sum == ranks * (ranks - 1) / 2, "a blocking reduction between", turn);
    for (int i = 9; i >= 0; --i) MPI_Wait(&all[i], MPI_STATUS_IGNORE);
    for (int i = 0; i < 5; ++i) check_all(gathered[i], reduced[i], n, turn + i, "several at once");
  }
  for (int i = 0; i < of_each; ++i) MPI_Request_free(&lasting[i]);
  for (int i = 0; i < 5; ++i) free(gathered[i]);
  MPI_Comm_free(&copy);
}

/* A rank that has started its part goes on with it wherever it waits: others need it. Rank 0 waits for rank 1, which
   waits for the end of the collective first. */
static void wait_in(int where, int turn) {
  int word = turn;
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Status status;
  switch (where) {
    case 0:
      if (rank == 0)
        for (int r = 1; r < ranks; ++r) MPI_Recv(&word, 1, MPI_INT, r, 8, MPI_COMM_WORLD, &status);
      else
        MPI_Send(&word, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
      break;
    case 1:
      if (rank == 0)
        for (int r = 1; r < ranks; ++r) {
          MPI_Probe(r, 8, MPI_COMM_WORLD, &status);
          MPI_Recv(&word, 1, MPI_INT, r, 8, MPI_COMM_WORLD, &status);
        }
      else
        MPI_Ssend(&word, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
      break;
    case 2:
      MPI_Barrier(MPI_COMM_WORLD);
      break;
    case 3:
      MPI_Comm_dup(MPI_COMM_WORLD, &copy);
      MPI_Comm_free(&copy);
      break;
    case 4:
      MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      break;
    default:
      MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &copy);
      MPI_Comm_free(&copy);
  }
}

void test_waits_elsewhere(void) {
  enum { large = 40000 };
  int *own = malloc(sizeof(int) * large), *gathered = malloc(sizeof(int) * large * (size_t)ranks);
  int* reduced = malloc(sizeof(int) * large);
  MPI_Request requests[2];
  for (int turn = 0; turn < 30; ++turn) {
    lay(own, large, turn);
    MPI_Iallgather(own, large, MPI_INT, gathered, large, MPI_INT, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(own, reduced, large, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    if (rank == 0) wait_in(turn % 6, turn);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (rank != 0) wait_in(turn % 6, turn);
    check_all(gathered, reduced, large, turn, "somebody waits elsewhere");
  }
  free(own), free(gathered), free(reduced);
}

/* Data come while the program calls nothing of MPI's. */
void test_goes_on_alone(void) {
  static int own[n], reduced[n];
  volatile int* const last = &reduced[n - 1];
  MPI_Request request;
  for (int turn = 0; turn < 5; ++turn) {
    lay(own, n, turn);
    memset(reduced, 0, sizeof reduced);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iallreduce(own, reduced, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    int sum = 0;
    for (int r = 0; r < ranks; ++r) sum += 1000 * r + n - 1 + turn;
    for (int i = 0; i < 500 && *last != sum; ++i) usleep(10000);
    expect(*last == sum, "a call that goes on alone", turn);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}
