/* How programs that measure end. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

/* Of main(). Quick: without MPI_Finalize, which of some MPIs does not end on slow networks. */
static int ending(int quick) {
  if (quick) {
    fflush(NULL);
    PMPI_Barrier(MPI_COMM_WORLD);
    usleep(200000);
    _exit(0);
  }
  MPI_Finalize();
  return 0;
}
