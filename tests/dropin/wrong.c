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

/* Ranks are ready to take more than they are given: MPI lets them. */
void go_wrong_by_length(void) {
  int counts[2] = {400, 400}, places[2] = {0, 1000}, more[2] = {700, 700}, in[2000], out[2000];
  for (int turn = 0; turn < 12; ++turn) {
    for (int i = 0; i < 2000; ++i) in[i] = rank * 10000 + turn;
    more[rank] = counts[rank];
    MPI_Alltoallv(in, counts, places, MPI_INT, out, more, places, MPI_INT, MPI_COMM_WORLD);
    expect(out[places[1 - rank] + 399] == (1 - rank) * 10000 + turn, "alltoallv with room to spare", turn);
  }
}

void go_wrong_by_exit(void) {
  for (int turn = 0; turn < 8; ++turn) bcast(2000);
  if (rank == 1) _exit(3);
  for (int turn = 0; turn < 8; ++turn) bcast(2000);
}

/* The root takes less than it is given. MPI says so, and what it did not take stays where it is. */
void go_wrong_by_truncation(void) {
  int *all = calloc((size_t)ranks * 10, sizeof(int)), own[10] = {0};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int code = MPI_Gather(own, 10, MPI_INT, all, rank == 0 ? 1 : 10, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) expect(code != MPI_SUCCESS, "a gather with too little room", 0);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  free(all);
}
