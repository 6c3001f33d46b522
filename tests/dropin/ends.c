/* Programs that end early, and calls that are counted alone.

   ends HOW: abort, abort1 (by rank 1), term (rank 0 gets SIGTERM), segv, segv1, exit, handled (the program's own
   handler of SIGTERM, installed before MPI_Init, ends it with status 7), later (one installed after), counted (ends
   well). */
#include <mpi.h>
#if MPI_VERSION < 4
#include <mpi-ext.h> /* what Open MPI 4.1 has of MPI 4 */
#endif
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void seven(int number) {
  (void)number;
  _exit(7);
}

static void calls(int rank) {
  int one = 1, sum = 0, data = rank, left = -1;
  const int many[2] = {1, 2}, lengths[2] = {1, 1}, starts[2] = {0, 1}; /* of two ranks */
  MPI_Request request;
  for (int i = 0; i < 300; ++i) {
    MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (i % 3 == 0) {
      MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    const struct timespec pause = {0, 1000000}; /* some calls come after others were looked at */
    nanosleep(&pause, NULL);
  }
  MPI_Scatterv(many, lengths, starts, MPI_INT, &left, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Comm ring;
  int size, period = 1, from[2];
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &ring);
  for (int i = 0; i < 20; ++i) {
    MPI_Request request;
    MPI_Ineighbor_allgather(&one, 1, MPI_INT, from, 1, MPI_INT, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&ring);
  MPI_Comm between;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 7, &between);
  for (int i = 0; i < 3; ++i) MPI_Barrier(between);
  MPI_Comm_free(&between);
#if MPI_VERSION >= 4
  MPI_Bcast_init(&data, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#else
  MPIX_Bcast_init(&data, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#endif
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "counted";
  if (!strcmp(how, "handled")) signal(SIGTERM, seven);
  MPI_Init(&argc, &argv);
  if (!strcmp(how, "later")) signal(SIGTERM, seven);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  calls(rank);
  const int last = how[strlen(how) - 1] == '1';
  if (!strcmp(how, "counted")) return MPI_Finalize();
  if (rank == last) {
    if (!strncmp(how, "abort", 5)) MPI_Abort(MPI_COMM_WORLD, 9);
    if (!strcmp(how, "term") || !strcmp(how, "handled") || !strcmp(how, "later")) raise(SIGTERM);
    if (!strncmp(how, "segv", 4)) raise(SIGSEGV);
    if (!strcmp(how, "exit")) exit(3);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  sleep(20);
  return MPI_Finalize();
}
