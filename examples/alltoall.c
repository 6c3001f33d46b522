/* A complete exchange on a hypercube, or on whatever the first argument names, planned once and performed many times.
 *   mpirun -n 4 alltoall_mpich hypercube:2
 */
#include <stdio.h>
#include <stdlib.h>

#include "quadrille/quadrille.h"

enum { words = 64 };

static void stop_unless_ok(int status) {
  if (status == QUADRILLE_OK) return;
  fprintf(stderr, "%s\n", quadrille_error_text());
  MPI_Abort(MPI_COMM_WORLD, 2);
}

int main(int argc, char** argv) {
  int rank, ranks, round, from, i, wrong = 0;
  int *in, *out;
  quadrille_communicator* all;
  quadrille_plan* plan;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  stop_unless_ok(quadrille_communicator_create(MPI_COMM_WORLD, argc > 1 ? argv[1] : NULL, NULL, &all));
  stop_unless_ok(quadrille_plan_create(all, "alltoall", words * (int)sizeof(int), 0, NULL, &plan));

  in = malloc(sizeof(int) * words * (size_t)ranks);
  out = malloc(sizeof(int) * words * (size_t)ranks);
  for (round = 0; round < 100; ++round) {
    for (i = 0; i < words * ranks; ++i) in[i] = rank * 1000 + i / words + round;
    stop_unless_ok(quadrille_start(plan, in, out));
    stop_unless_ok(quadrille_wait(plan));
    for (from = 0; from < ranks; ++from)
      for (i = 0; i < words; ++i) wrong += out[from * words + i] != from * 1000 + rank + round;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %.2f us predicted, %d words wrong\n", quadrille_plan_algorithm(plan),
           quadrille_plan_predicted(plan) * 1e6, wrong);

  free(in);
  free(out);
  quadrille_plan_free(plan);
  quadrille_communicator_free(all);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
