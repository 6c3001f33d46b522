/* Programs that are wrong: they must end no later with the drop-in than without, and say why. */
#include <unistd.h>

#include "conformance.h"

static void bcast(int n) {
  int* data;
  MPI_Alloc_mem((MPI_Aint)((size_t)n * sizeof(int)), MPI_INFO_NULL, &data);
  memset(data, 0, (size_t)n * sizeof(int));
  MPI_Bcast(data, n, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Free_mem(data);
}

/* A trial is under way for both sizes when one rank takes the wrong one. */
void go_wrong_by_size(void) {
  for (int turn = 0; turn < 8; ++turn) bcast(2000), bcast(3000);
  bcast(rank == 0 ? 2000 : 3000);
  bcast(3000);
}

void go_wrong_by_exit(void) {
  for (int turn = 0; turn < 8; ++turn) bcast(2000);
  if (rank == 1) _exit(3);
  for (int turn = 0; turn < 8; ++turn) bcast(2000);
}
