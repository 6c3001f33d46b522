/* Calls in a row on one communicator after another, and how long they took: whether the drop-in makes a program slower.

   steady CALLS BYTES [DUPLICATES [LOAD]]: so many broadcasts of so many bytes on each of so many duplicates of
   MPI_COMM_WORLD, one after the other; beside them LOAD processes that do nothing but take a core, started by rank 0
   and ended at the end, or by themselves after a minute. */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { most_load = 8 };

static pid_t take_a_core(void) {
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(60);
  for (volatile unsigned i = 0;; ++i) {
  }
}

int main(int argc, char** argv) {
  const int calls = argc > 1 ? atoi(argv[1]) : 1, bytes = argc > 2 ? atoi(argv[2]) : 8;
  const int duplicates = argc > 3 ? atoi(argv[3]) : 1, load = argc > 4 ? atoi(argv[4]) : 0;
  const char* const of = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
  pid_t children[most_load];
  for (int i = 0; i < load && i < most_load; ++i) children[i] = of && atoi(of) == 0 ? take_a_core() : 0;
  MPI_Init(&argc, &argv);
  int rank, bad = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* const data = calloc(1, (size_t)bytes);
  const double begin = MPI_Wtime();
  for (int d = 0; d < duplicates; ++d) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < calls; ++i) {
      data[bytes - 1] = (char)(rank == 0 ? i % 100 : -1);
      MPI_Bcast(data, bytes, MPI_CHAR, 0, comm);
      bad += data[bytes - 1] != i % 100;
    }
    if (d % 2 == 0) MPI_Comm_free(&comm); /* every second one lives on */
  }
  PMPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("steady: %.6f s, %d bad\n", MPI_Wtime() - begin, bad);
  fflush(stdout);
  MPI_Finalize();
  for (int i = 0; i < load && i < most_load; ++i)
    if (children[i] > 0) kill(children[i], SIGKILL);
  return bad != 0;
}
