/* What memory that ranks of a host share gives: collectives by the name that the drop-in answers and by MPI's own, in
   turns, with buffers of this process alone and with buffers of MPI_Alloc_mem. The median of the slowest rank's times,
   and the time that a tenth of the calls stay below, where others use the machine as well.
   Usage: mpirun -n 4 env QUADRILLE=trial LD_PRELOAD=build/libquadrille-openmpi.so
   build/bench/bench_shared_memory_openmpi */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rounds = 101, before = 24 }; /* before: calls until a trial is over */

static int rank, ranks;
static MPI_Comm comm; /* another for shared memory: decisions are kept by communicator */
static char *in, *out;

static void alltoall(int bytes, int native) {
  (native ? PMPI_Alltoall : MPI_Alltoall)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
}
static void allgather(int bytes, int native) {
  (native ? PMPI_Allgather : MPI_Allgather)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
}
static void bcast(int bytes, int native) { (native ? PMPI_Bcast : MPI_Bcast)(out, bytes, MPI_BYTE, 0, comm); }

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double timed(void (*call)(int, int), int bytes, int native) {
  PMPI_Barrier(MPI_COMM_WORLD);
  double took = -PMPI_Wtime();
  call(bytes, native);
  took += PMPI_Wtime();
  PMPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return took;
}

static void compare(const char* name, void (*call)(int, int), int bytes, const char* where) {
  double answered[rounds], native[rounds];
  for (int i = 0; i < before; ++i) call(bytes, 0);
  for (int i = 0; i < rounds; ++i) {
    answered[i] = timed(call, bytes, 0);
    native[i] = timed(call, bytes, 1);
  }
  qsort(answered, rounds, sizeof(double), ascending);
  qsort(native, rounds, sizeof(double), ascending);
  if (rank == 0)
    printf("%-9s %d ranks %8d B %-13s MPI %8.1f us, drop-in %8.1f us: %.2f times as fast; a tenth %8.1f, %8.1f: %.2f\n",
           name, ranks, bytes, where, native[rounds / 2] * 1e6, answered[rounds / 2] * 1e6,
           native[rounds / 2] / answered[rounds / 2], native[rounds / 10] * 1e6, answered[rounds / 10] * 1e6,
           native[rounds / 10] / answered[rounds / 10]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int shared = 0; shared < 2; ++shared) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int bytes = 16 << 10; bytes <= 4 << 20; bytes *= 4) {
      const size_t all = (size_t)bytes * (size_t)ranks;
      if (shared) {
        MPI_Alloc_mem((MPI_Aint)all, MPI_INFO_NULL, &in);
        MPI_Alloc_mem((MPI_Aint)all, MPI_INFO_NULL, &out);
      } else {
        in = malloc(all), out = malloc(all);
      }
      memset(in, rank, all), memset(out, rank, all);
      const char* const where = shared ? "MPI_Alloc_mem" : "malloc";
      compare("alltoall", alltoall, bytes, where);
      compare("allgather", allgather, bytes, where);
      compare("bcast", bcast, bytes, where);
      if (shared)
        MPI_Free_mem(in), MPI_Free_mem(out);
      else
        free(in), free(out);
    }
    MPI_Comm_free(&comm);
  }
  MPI_Finalize();
  return 0;
}
