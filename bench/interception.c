/* What the drop-in adds to a call that goes to MPI: calls on one rank by the name it answers and by MPI's own, in
   turns. Usage: mpirun -n 1 env LD_PRELOAD=build/libquadrille-openmpi.so build/bench/bench_interception_openmpi
   With more ranks, each calls alone, and at last all of them together. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 51, calls = 20000, most = 4096 };

static MPI_Comm comms[2];
static char data[most], answers[most];
static int answer, bytes;

static void bcast(int i) { MPI_Bcast(data, 8, MPI_CHAR, 0, comms[i]); }
static void bcast_alone(int i) { PMPI_Bcast(data, 8, MPI_CHAR, 0, comms[i]); }
static void ibcast(int i) {
  MPI_Request request;
  MPI_Ibcast(data, 8, MPI_CHAR, 0, comms[i], &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void ibcast_alone(int i) {
  MPI_Request request;
  PMPI_Ibcast(data, 8, MPI_CHAR, 0, comms[i], &request);
  PMPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void iallreduce(int i) {
  MPI_Request request;
  MPI_Iallreduce(data, &answer, 1, MPI_INT, MPI_SUM, comms[i], &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void iallreduce_alone(int i) {
  MPI_Request request;
  PMPI_Iallreduce(data, &answer, 1, MPI_INT, MPI_SUM, comms[i], &request);
  PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void allreduce(int i) { MPI_Allreduce(data, &answer, 1, MPI_INT, MPI_SUM, comms[i]); }
static void allreduce_alone(int i) { PMPI_Allreduce(data, &answer, 1, MPI_INT, MPI_SUM, comms[i]); }
static void together(int i) {
  (void)i;
  MPI_Allreduce(data, answers, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void together_alone(int i) {
  (void)i;
  PMPI_Allreduce(data, answers, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static const struct {
  const char* name;
  void (*answered)(int comm);
  void (*alone)(int comm);
} kinds[] = {{"MPI_Bcast", bcast, bcast_alone},
             {"MPI_Allreduce", allreduce, allreduce_alone},
             {"MPI_Ibcast and MPI_Wait", ibcast, ibcast_alone},
             {"MPI_Iallreduce and MPI_Wait", iallreduce, iallreduce_alone}};

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values) {
  qsort(values, rounds, sizeof(double), ascending);
  return values[rounds / 2] / calls * 1e9;
}

static double timed(void (*call)(int), int several) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) call(several & i & 1);
  return MPI_Wtime() - begin;
}

int main(int argc, char** argv) {
  static double answered[rounds], alone[rounds];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; ++kind)
    for (int several = 0; several < 2; ++several) {
      for (int round = 0; round < rounds; ++round) {
        answered[round] = timed(kinds[kind].answered, several);
        alone[round] = timed(kinds[kind].alone, several);
      }
      const double with = median(answered), without = median(alone);
      if (rank == 0)
        printf("%s, %s: %.0f ns a call, %.0f ns without: %.0f ns for the drop-in\n", kinds[kind].name,
               several ? "two communicators in turn" : "one communicator", with, without, with - without);
    }
  if (ranks > 1)
    for (bytes = 8; bytes <= most; bytes *= bytes < 64 ? 8 : 4) {
      for (int i = 0; i < calls; ++i) together(0); /* decisions are made, and calls are known to follow closely */
      for (int round = 0; round < rounds; ++round) {
        answered[round] = timed(together, 0);
        alone[round] = timed(together_alone, 0);
      }
      const double with = median(answered), without = median(alone);
      if (rank == 0)
        printf("MPI_Allreduce of %d B by all %d ranks: %.0f ns a call, %.0f ns without: %.2f times as fast\n", bytes,
               ranks, with, without, without / with);
    }
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return 0;
}
