/* Several threads with collectives that end later and at once, each on a communicator of its own. */
#include <pthread.h>

#include "conformance.h"
#include "later.h"

enum { threads = 3, n = 2000, rounds = 25 };

struct Work {
  MPI_Comm comm;
  int number, wrong;
};

static int right(const int* gathered, const int* reduced, int salt) {
  int good = 1;
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < n; ++i) good &= gathered[r * n + i] == 1000 * r + i + salt;
  for (int i = 0; i < n; ++i) good &= reduced[i] == 1000 * (ranks * (ranks - 1) / 2) + ranks * (i + salt);
  return good;
}

static void* work(void* given) {
  struct Work* const w = (struct Work*)given;
  int *own = calloc(n, sizeof(int)), *reduced = malloc(sizeof(int) * n);
  int* gathered = malloc(sizeof(int) * n * (size_t)ranks);
  int *counts = malloc(sizeof(int) * (size_t)ranks), *places = malloc(sizeof(int) * (size_t)ranks);
  MPI_Request lasting, requests[2];
  for (int r = 0; r < ranks; ++r) counts[r] = n, places[r] = r * n;
  INIT(Allreduce)(own, reduced, n, MPI_INT, MPI_SUM, w->comm, MPI_INFO_NULL, &lasting);
  for (int turn = 0; turn < rounds; ++turn) {
    const int salt = 100 * w->number + turn;
    for (int i = 0; i < n; ++i) own[i] = 1000 * rank + i + salt;
    memset(reduced, 0, sizeof(int) * n), memset(gathered, 0, sizeof(int) * n * (size_t)ranks);
    if (turn % 3 == 0) { /* blocking */
      MPI_Allgatherv(own, n, MPI_INT, gathered, counts, places, MPI_INT, w->comm);
      MPI_Allreduce(own, reduced, n, MPI_INT, MPI_SUM, w->comm);
    } else {
      MPI_Iallgather(own, n, MPI_INT, gathered, n, MPI_INT, w->comm, &requests[0]);
      requests[1] = lasting;
      if (turn % 3 == 1)
        MPI_Start(&requests[1]);
      else
        MPI_Iallreduce(own, reduced, n, MPI_INT, MPI_SUM, w->comm, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    w->wrong += !right(gathered, reduced, salt);
  }
  MPI_Request_free(&lasting);
  free(own), free(reduced), free(gathered), free(counts), free(places);
  return NULL;
}

void test_threads(void) {
  struct Work all[threads];
  pthread_t others[threads];
  int level;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) return;
  for (int i = 0; i < threads; ++i) {
    all[i] = (struct Work){.number = i};
    MPI_Comm_dup(MPI_COMM_WORLD, &all[i].comm);
    MPI_Barrier(all[i].comm);
  }
  for (int i = 1; i < threads; ++i) pthread_create(&others[i], NULL, work, &all[i]);
  work(&all[0]);
  for (int i = 1; i < threads; ++i) pthread_join(others[i], NULL);
  for (int i = 0; i < threads; ++i) {
    expect(all[i].wrong == 0, "collectives of several threads", i);
    MPI_Comm_free(&all[i].comm);
  }
}
