/* What the drop-in adds to a call that goes to MPI: calls on one rank by the name it answers and by MPI's own, in
   turns. Usage: mpirun -n 1 env LD_PRELOAD=build/libquadrille-openmpi.so build/bench/bench_interception_openmpi */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 51, calls = 20000 };

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values) {
  qsort(values, rounds, sizeof(double), ascending);
  return values[rounds / 2] / calls * 1e9;
}

int main(int argc, char** argv) {
  static double answered[rounds], alone[rounds];
  MPI_Comm comms[2];
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
  for (int several = 0; several < 2; ++several) {
    char data[8] = {0};
    for (int round = 0; round < rounds; ++round) {
      double begin = MPI_Wtime();
      for (int i = 0; i < calls; ++i) MPI_Bcast(data, 8, MPI_CHAR, 0, comms[several & i & 1]);
      answered[round] = MPI_Wtime() - begin;
      begin = MPI_Wtime();
      for (int i = 0; i < calls; ++i) PMPI_Bcast(data, 8, MPI_CHAR, 0, comms[several & i & 1]);
      alone[round] = MPI_Wtime() - begin;
    }
    const double with = median(answered), without = median(alone);
    printf("%s: %.0f ns a call, %.0f ns without: %.0f ns for the drop-in\n",
           several ? "two communicators in turn" : "one communicator", with, without, with - without);
  }
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return 0;
}
