/* What the drop-in gives a program: collectives by the name that it answers and by MPI's own, in turns. The median of
   the slowest rank's times, and the time that a tenth of the calls stay below, where others use the machine as well.

   mpirun -n 4 env QUADRILLE=trial QUADRILLE_BUDGET=off LD_PRELOAD=build/libquadrille-openmpi.so
     build/bench/bench_dropin_openmpi
     -c bcast,allgather,alltoall,scatter,gather   collectives; also alltoallv, with equal blocks, and ragged, an
                                                  alltoallv with blocks from none to twice as long; halo, an
                                                  alltoall among neighbours in a grid of two rows; allreduce,
                                                  reduce, reduce_scatter, scan and exscan, sums of doubles; barrier
     -s 65536,262144                              bytes of a block; of a reduction: of the whole vector
     -t 21                                        turns
     -b 70                                        calls before; a trial is over after 66, of calls below 5 ms after
                                                  162, below 0.5 ms after 194, and of blocks of up to
                                                  1 KiB after 226 at the latest
     -r 1                                         calls in a row for one time
     -w                                           times from the first rank's begin to the last one's end, of ranks of
                                                  one host: with more ranks than cores some leave the barrier before
                                                  when others have done their part, and wait for nobody in the call
     -m both                                      where buffers lie: malloc, MPI_Alloc_mem, both
     -o FILE                                      the figures as CSV, added to what is there
     -q                                           leave without MPI_Finalize, in which MPICH hangs over TCP; no report
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ending.h"

enum { most_turns = 1001, most_ranks = 1024 };

static int rank, ranks, turns = 21, before = 70, row = 1, whole = 0;
static MPI_Comm comm; /* another for shared memory: decisions are kept by communicator */
static char *in, *out;

static void alltoall(int bytes, int native) {
  (native ? PMPI_Alltoall : MPI_Alltoall)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
}
static void allgather(int bytes, int native) {
  (native ? PMPI_Allgather : MPI_Allgather)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
}
static void scatter(int bytes, int native) {
  (native ? PMPI_Scatter : MPI_Scatter)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, comm);
}
static void gather(int bytes, int native) {
  (native ? PMPI_Gather : MPI_Gather)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, comm);
}
static void bcast(int bytes, int native) { (native ? PMPI_Bcast : MPI_Bcast)(out, bytes, MPI_BYTE, 0, comm); }

/* Blocks of 0, 1/2, 1, 3/2 or 2 times the bytes, as both ranks know, or all alike. */
static void exchange(int bytes, int native, int uneven) {
  static int counts[2][most_ranks], places[2][most_ranks];
  for (int side = 0; side < 2; ++side)
    for (int r = 0, at = 0; r < ranks; ++r) {
      const int from = side == 0 ? rank : r, to = side == 0 ? r : rank;
      counts[side][r] = uneven ? bytes / 2 * ((from * 3 + to * 7) % 5) : bytes;
      places[side][r] = at;
      at += counts[side][r];
    }
  (native ? PMPI_Alltoallv : MPI_Alltoallv)(in, counts[0], places[0], MPI_BYTE, out, counts[1], places[1], MPI_BYTE,
                                            comm);
}
static void alltoallv(int bytes, int native) { exchange(bytes, native, 0); }
static void ragged(int bytes, int native) { exchange(bytes, native, 1); }

/* Around the ends of rows, not of columns, which are two ranks. */
static void halo(int bytes, int native) {
  static MPI_Comm grid = MPI_COMM_NULL;
  if (grid == MPI_COMM_NULL) {
    const int sides[2] = {2, ranks / 2}, around[2] = {0, 1};
    PMPI_Cart_create(comm, 2, sides, around, 0, &grid);
  }
  (native ? PMPI_Neighbor_alltoall : MPI_Neighbor_alltoall)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, grid);
}

/* Sums of as many doubles as there is room for. */
static void allreduce(int bytes, int native) {
  (native ? PMPI_Allreduce : MPI_Allreduce)(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, comm);
}
static void reduce(int bytes, int native) {
  (native ? PMPI_Reduce : MPI_Reduce)(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, comm);
}
static void reduce_scatter(int bytes, int native) {
  (native ? PMPI_Reduce_scatter_block : MPI_Reduce_scatter_block)(in, out, bytes / 8 / ranks, MPI_DOUBLE, MPI_SUM,
                                                                  comm);
}
static void scan(int bytes, int native) {
  (native ? PMPI_Scan : MPI_Scan)(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, comm);
}
static void exscan(int bytes, int native) {
  (native ? PMPI_Exscan : MPI_Exscan)(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM, comm);
}
static void barrier(int bytes, int native) {
  (void)bytes;
  (native ? PMPI_Barrier : MPI_Barrier)(comm);
}

static const struct {
  const char* name;
  void (*call)(int bytes, int native);
} collectives[] = {{"bcast", bcast},
                   {"allgather", allgather},
                   {"alltoall", alltoall},
                   {"scatter", scatter},
                   {"gather", gather},
                   {"alltoallv", alltoallv},
                   {"ragged", ragged},
                   {"halo", halo},
                   {"allreduce", allreduce},
                   {"reduce", reduce},
                   {"reduce_scatter", reduce_scatter},
                   {"scan", scan},
                   {"exscan", exscan},
                   {"barrier", barrier}};

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double now(void) { /* alike for all processes of a host, as MPI_Wtime need not be */
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double timed(void (*call)(int, int), int bytes, int native) {
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begin = now();
  for (int i = 0; i < row; ++i) call(bytes, native);
  const double end = now();
  double most[2] = {whole ? -begin : 0, whole ? end : end - begin};
  PMPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return (most[0] + most[1]) / row;
}

static void compare(const char* name, void (*call)(int, int), int bytes, const char* memory, FILE* csv) {
  static double answered[most_turns], native[most_turns];
  for (int i = 0; i < before; ++i) call(bytes, 0);
  for (int i = 0; i < turns; ++i) {
    if (i % 2 == 0) native[i] = timed(call, bytes, 1);
    answered[i] = timed(call, bytes, 0);
    if (i % 2 == 1) native[i] = timed(call, bytes, 1);
  }
  qsort(answered, (size_t)turns, sizeof(double), ascending);
  qsort(native, (size_t)turns, sizeof(double), ascending);
  if (rank != 0) return;
  const int middle = turns / 2, tenth = turns / 10;
  printf(
      "%-14s %2d ranks %8d B %-13s MPI %10.1f us, drop-in %10.1f us: %5.2f times as fast; a tenth %10.1f, %10.1f: "
      "%5.2f\n",
      name, ranks, bytes, memory, native[middle] * 1e6, answered[middle] * 1e6, native[middle] / answered[middle],
      native[tenth] * 1e6, answered[tenth] * 1e6, native[tenth] / answered[tenth]);
  fflush(stdout);
  if (csv == NULL) return;
  fprintf(csv, "%s,%d,%d,%s,%.9f,%.9f,%.9f,%.9f\n", name, ranks, bytes, memory, native[middle], answered[middle],
          native[tenth], answered[tenth]);
  fflush(csv);
}

static int named(const char* list, const char* name) {
  const size_t length = strlen(name);
  for (const char* at = strstr(list, name); at != NULL; at = strstr(at + 1, name))
    if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return 1;
  return 0;
}

static void all_sizes(const char* chosen, const char* sizes, int shared, FILE* csv) {
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (const char* at = sizes; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    const int bytes = atoi(at);
    const size_t all = 2 * (size_t)bytes * (size_t)ranks;
    if (shared) {
      MPI_Alloc_mem((MPI_Aint)all, MPI_INFO_NULL, &in);
      MPI_Alloc_mem((MPI_Aint)all, MPI_INFO_NULL, &out);
    } else {
      in = malloc(all), out = malloc(all);
    }
    memset(in, rank, all), memset(out, rank, all); /* doubles that are nearly 0 */
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; ++i)
      if (named(chosen, collectives[i].name))
        compare(collectives[i].name, collectives[i].call, bytes, shared ? "MPI_Alloc_mem" : "malloc", csv);
    if (shared)
      MPI_Free_mem(in), MPI_Free_mem(out);
    else
      free(in), free(out);
  }
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  const char *chosen = "bcast,allgather,alltoall,scatter,gather", *sizes = "64,1024,16384,65536,262144,1048576";
  const char *memory = "malloc", *file = NULL;
  int quick = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > most_ranks) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int option; (option = getopt(argc, argv, "b:c:r:s:t:m:o:qw")) != -1;) {
    if (option == 'c') chosen = optarg;
    if (option == 'r') row = atoi(optarg);
    if (option == 's') sizes = optarg;
    if (option == 'b') before = atoi(optarg);
    if (option == 't') turns = atoi(optarg);
    if (option == 'm') memory = optarg;
    if (option == 'q') quick = 1;
    if (option == 'w') whole = 1;
    if (option == 'o') file = optarg;
  }
  if (turns < 1) turns = 1;
  if (turns > most_turns) turns = most_turns;
  FILE* const csv = file != NULL && rank == 0 ? fopen(file, "a") : NULL;
  if (strcmp(memory, "MPI_Alloc_mem") != 0) all_sizes(chosen, sizes, 0, csv);
  if (strcmp(memory, "malloc") != 0) all_sizes(chosen, sizes, 1, csv);
  if (csv != NULL) fclose(csv);
  return ending(quick);
}
