// An MPI_Finalize that never ends, as MPICH's sometimes does over TCP; for LD_PRELOAD.
#include <unistd.h>

extern "C" __attribute__((visibility("default"))) int MPI_Finalize() {
  for (;;) pause();
}
