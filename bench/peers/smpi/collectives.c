/* Under SMPI: "collectives bcast:1024 ..." prints the simulated seconds of one call of each, from a common start to the
   last rank's end. All ranks are threads of one process and share one pair of buffers, so that nothing is copied: the
   data is meaningless, the times are not. A collective is called once before, as MPIs prepare communicators then. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *sent, *got;
static double* ends;

/* As many integers for every rank as fit `bytes`. */
static const int* blocks_of(int bytes) {
  static int counts[4096];
  int i;
  for (i = 0; i < 4096; i++) counts[i] = bytes / (int)sizeof(int);
  return counts;
}

static void call(const char* collective, int bytes) {
  if (!strcmp(collective, "bcast"))
    MPI_Bcast(sent, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  else if (!strcmp(collective, "allgather"))
    MPI_Allgather(sent, bytes, MPI_BYTE, got, bytes, MPI_BYTE, MPI_COMM_WORLD);
  else if (!strcmp(collective, "alltoall"))
    MPI_Alltoall(sent, bytes, MPI_BYTE, got, bytes, MPI_BYTE, MPI_COMM_WORLD);
  else if (!strcmp(collective, "allreduce"))
    MPI_Allreduce(sent, got, bytes / (int)sizeof(int), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  else if (!strcmp(collective, "reduce_scatter"))
    MPI_Reduce_scatter(sent, got, blocks_of(bytes), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  else
    MPI_Abort(MPI_COMM_WORLD, 2);
}

/* All ranks go on at the same whole second of simulated time. */
static double start_together(void) {
  const double now = MPI_Wtime(), then = ceil(now + 0.001);
  const struct timespec rest = {(time_t)(then - now), (long)((then - now - floor(then - now)) * 1e9)};
  nanosleep(&rest, NULL);
  return MPI_Wtime();
}

int main(int argc, char** argv) {
  int rank, ranks, i, r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    size_t most = 16;
    for (i = 1; i < argc; i++) {
      const size_t bytes = strtoul(strchr(argv[i], ':') + 1, NULL, 10);
      if (bytes > most) most = bytes;
    }
    sent = SMPI_SHARED_MALLOC(most * ranks);
    got = SMPI_SHARED_MALLOC(most * ranks);
    ends = calloc(ranks, sizeof *ends);
  }
  start_together();
  for (i = 1; i < argc; i++) {
    char collective[32];
    int bytes = 0;
    double start, last = 0;
    if (sscanf(argv[i], "%31[^:]:%d", collective, &bytes) != 2) MPI_Abort(MPI_COMM_WORLD, 2);
    call(collective, 16);
    start = start_together();
    call(collective, bytes);
    ends[rank] = MPI_Wtime() - start;
    start_together();
    for (r = 0; r < ranks; r++) last = ends[r] > last ? ends[r] : last;
    if (rank == 0) printf("%s %d %.9g\n", collective, bytes, last);
  }
  MPI_Finalize();
  return 0;
}
