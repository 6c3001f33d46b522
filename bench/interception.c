/* What the drop-in adds to a call that goes to MPI: calls on one rank by the name it answers and by MPI's own, in
   turns. Usage: mpirun -n 1 env LD_PRELOAD=build/libquadrille-openmpi.so build/bench/bench_interception_openmpi
   With more ranks, each calls alone. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 51, calls = 20000 };

static MPI_Comm comms[2];
static char data[8];
static int answer;

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

static const struct {
  const char* name;
  void (*answered)(int comm);
  void (*alone)(int comm);
} kinds[] = {{"MPI_Bcast", bcast, bcast_alone},
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
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
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
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return 0;
}
