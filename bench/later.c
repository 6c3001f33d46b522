/* What the drop-in gives persistent collectives, and non-blocking ones while the program computes: by the names that it
   answers and by MPI's own, in turns. The median of the slowest rank's times.

   mpirun -n 8 env QUADRILLE=on LD_PRELOAD=build/libquadrille-openmpi.so build/bench/bench_later_openmpi
     -c alltoall,allgather,allreduce   collectives; allreduce: sums of integers; also halo, an alltoall among
                                       neighbours in a grid of two rows
     -p 64,256,1024,4096,16384         bytes of a block of persistent ones; of allreduce: of the vector
     -s 65536,262144                   bytes of non-blocking ones; - for none, as above
     -t 11                             turns
     -b 4                              calls before
     -k 1000                           microseconds of computation between two calls of MPI_Test; 0: none are made
     -B                                compute by keeping a core busy. Without it ranks sleep: where hosts of a lab
   share cores, computing on one of them is not to slow down the messages of the others -m ask for MPI_THREAD_MULTIPLE
     -o FILE                           the figures as CSV, added to what is there
     -q                                leave without MPI_Finalize, in which MPICH hangs over TCP; no report

   A persistent request of MPI's whose data are wrong when it is started again, as some of MPICH 4.0 are, is told and
   does not count. The computation is as long as the non-blocking call by its plan takes without any, the same for both.
   Overlap is what part of the shorter of both, call or computation, has been saved. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ending.h"

#if MPI_VERSION >= 4
#define INIT(prefix, name) prefix##_##name##_init
#else /* Open MPI 4.1 */
#include <mpi-ext.h>
#define INIT(prefix, name) prefix##X_##name##_init
#endif

enum { most_turns = 1001 };

static int rank, ranks, turns = 11, before = 4, slice = 1000, busy = 0;
static char *in, *out;

struct Collective {
  const char* name;
  void (*start)(int bytes, int native, MPI_Request* request);
  void (*init)(int bytes, int native, MPI_Request* request);
  void (*blocking)(int bytes, char* out); /* MPI's own */
};

/* Two rows of ranks, around the ends of rows. */
static MPI_Comm grid(void) {
  static MPI_Comm made = MPI_COMM_NULL;
  const int sides[2] = {2, ranks / 2}, around[2] = {0, 1};
  if (made == MPI_COMM_NULL) PMPI_Cart_create(MPI_COMM_WORLD, 2, sides, around, 0, &made);
  return made;
}

#define BLOCKS in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD
#define VECTOR in, out, bytes / (int)sizeof(int), MPI_INT, MPI_SUM, MPI_COMM_WORLD
#define HALO in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, grid()
#define COLLECTIVE(lower, name, iname, arguments)                                     \
  static void i##lower(int bytes, int native, MPI_Request* request) {                 \
    (native ? PMPI_##iname : MPI_##iname)(arguments, request);                        \
  }                                                                                   \
  static void init_##lower(int bytes, int native, MPI_Request* request) {             \
    (native ? INIT(PMPI, name) : INIT(MPI, name))(arguments, MPI_INFO_NULL, request); \
  }                                                                                   \
  static void blocking_##lower(int bytes, char* out) { PMPI_##name(arguments); }
COLLECTIVE(alltoall, Alltoall, Ialltoall, BLOCKS)
COLLECTIVE(allgather, Allgather, Iallgather, BLOCKS)
COLLECTIVE(allreduce, Allreduce, Iallreduce, VECTOR)
COLLECTIVE(halo, Neighbor_alltoall, Ineighbor_alltoall, HALO)

static const struct Collective collectives[] = {{"alltoall", ialltoall, init_alltoall, blocking_alltoall},
                                                {"allgather", iallgather, init_allgather, blocking_allgather},
                                                {"allreduce", iallreduce, init_allreduce, blocking_allreduce},
                                                {"halo", ihalo, init_halo, blocking_halo}};

static double now(void) { /* alike for all processes of a host, as MPI_Wtime need not be */
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* times) {
  qsort(times, (size_t)turns, sizeof(double), ascending);
  return times[turns / 2];
}

static double slowest(double seconds) {
  double most = seconds;
  PMPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static void compute_for(double seconds) {
  const double end = now() + seconds;
  if (busy) {
    while (now() < end) continue;
  } else {
    struct timespec nap = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&nap, NULL);
  }
}

static double with_computation(const struct Collective* c, int bytes, int native, double seconds) {
  MPI_Request request;
  int done = 0;
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begin = now();
  c->start(bytes, native, &request);
  const double end = now() + seconds;
  for (double left = seconds; left > 0; left = end - now()) {
    compute_for(slice > 0 && left > slice * 1e-6 ? slice * 1e-6 : left);
    if (slice > 0 && !done) (native ? PMPI_Test : MPI_Test)(&request, &done, MPI_STATUS_IGNORE);
  }
  if (!done) (native ? PMPI_Wait : MPI_Wait)(&request, MPI_STATUS_IGNORE);
  return slowest(now() - begin);
}

static void non_blocking(const struct Collective* c, int bytes, FILE* csv) {
  static double alone[2][most_turns], both[2][most_turns];
  for (int i = 0; i < before; ++i) with_computation(c, bytes, 0, 0);
  for (int i = 0; i < turns; ++i)
    for (int native = 0; native < 2; ++native) alone[native][i] = with_computation(c, bytes, native, 0);
  const double plan = median(alone[0]), mpi = median(alone[1]);
  for (int i = 0; i < turns; ++i)
    for (int turn = 0; turn < 2; ++turn) {
      const int native = (turn + i) % 2;
      both[native][i] = with_computation(c, bytes, native, plan);
    }
  const double plan_both = median(both[0]), mpi_both = median(both[1]);
  if (rank != 0) return;
  const double shorter = mpi < plan ? mpi : plan;
  printf(
      "non-blocking %-9s %2d ranks %8d B: alone MPI %9.2f ms, drop-in %9.2f ms; with %9.2f ms of computation MPI %9.2f "
      "ms (overlap %3.0f %%), drop-in %9.2f ms (%3.0f %%): %5.2f times as fast\n",
      c->name, ranks, bytes, mpi * 1e3, plan * 1e3, plan * 1e3, mpi_both * 1e3, 100 * (mpi + plan - mpi_both) / shorter,
      plan_both * 1e3, 100 * (2 * plan - plan_both) / plan, mpi_both / plan_both);
  fflush(stdout);
  if (csv != NULL)
    fprintf(csv, "non-blocking,%s,%d,%d,%.9f,%.9f,%.9f,%.9f\n", c->name, ranks, bytes, mpi, plan, mpi_both, plan_both);
}

static double started_and_ended(MPI_Request* request, int native) {
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begin = now();
  (native ? PMPI_Start : MPI_Start)(request);
  (native ? PMPI_Wait : MPI_Wait)(request, MPI_STATUS_IGNORE);
  return slowest(now() - begin);
}

/* Whether every rank gets from this request what MPI's blocking call gives. */
static int right(const struct Collective* c, int bytes, MPI_Request* request) {
  const size_t all = (size_t)bytes * (size_t)ranks;
  char* const expected = calloc(all, 1);
  for (size_t i = 0; i < all; ++i) in[i] = (char)(rank * 31 + (int)i * 7);
  c->blocking(bytes, expected);
  memset(out, 0, all);
  PMPI_Start(request);
  PMPI_Wait(request, MPI_STATUS_IGNORE);
  int good = memcmp(out, expected, all) == 0, all_good = 0;
  PMPI_Allreduce(&good, &all_good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  free(expected);
  return all_good;
}

/* How many times as fast; 0 where MPI's own is wrong. */
static double persistent(const struct Collective* c, int bytes, FILE* csv) {
  static double times[2][most_turns];
  MPI_Request requests[2];
  double made = now();
  c->init(bytes, 0, &requests[0]);
  made = slowest(now() - made);
  c->init(bytes, 1, &requests[1]);
  for (int i = 0; i < before; ++i)
    for (int native = 0; native < 2; ++native) started_and_ended(&requests[native], native);
  for (int i = 0; i < turns; ++i)
    for (int turn = 0; turn < 2; ++turn) {
      const int native = (turn + i) % 2;
      times[native][i] = started_and_ended(&requests[native], native);
    }
  const int good = right(c, bytes, &requests[1]);
  MPI_Request_free(&requests[0]);
  PMPI_Request_free(&requests[1]);
  const double plan = median(times[0]), mpi = median(times[1]), faster = good ? mpi / plan : 0;
  if (rank != 0) return faster;
  printf("persistent   %-9s %2d ranks %8d B: MPI %10.1f us, drop-in %10.1f us: ", c->name, ranks, bytes, mpi * 1e6,
         plan * 1e6);
  if (good)
    printf("%5.2f times as fast; made in %.1f ms\n", faster, made * 1e3);
  else
    printf("MPI's data are wrong\n");
  fflush(stdout);
  if (csv != NULL && good) fprintf(csv, "persistent,%s,%d,%d,%.9f,%.9f,,\n", c->name, ranks, bytes, mpi, plan);
  return faster;
}

static int named(const char* list, const char* name) {
  const size_t length = strlen(name);
  for (const char* at = strstr(list, name); at != NULL; at = strstr(at + 1, name))
    if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return 1;
  return 0;
}

static const char* after(const char* at) { return strchr(at, ',') ? strchr(at, ',') + 1 : NULL; }

static void all_calls(const char* chosen, const char* sizes, int lasting, FILE* csv) {
  double product = 1, least = 1e9;
  int count = 0;
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; ++i)
    for (const char* at = sizes; named(chosen, collectives[i].name) && *sizes != '-' && at != NULL; at = after(at)) {
      const int bytes = atoi(at);
      const size_t all = (size_t)bytes * (size_t)ranks;
      in = calloc(all, 1), out = calloc(all, 1);
      if (lasting) {
        const double times = persistent(&collectives[i], bytes, csv);
        if (times > 0) ++count, product *= times;
        if (times > 0 && times < least) least = times;
      } else {
        non_blocking(&collectives[i], bytes, csv);
      }
      free(in), free(out);
    }
  if (rank == 0 && count > 0) {
    printf("persistent   all of %d: %.2f times as fast in the geometric mean, %.2f at least\n", count,
           pow(product, 1.0 / count), least);
  }
}

int main(int argc, char** argv) {
  const char *chosen = "alltoall,allgather,allreduce", *small = "64,256,1024,4096,16384", *large = "65536,262144";
  const char* file = NULL;
  int quick = 0, threads = 0, level;
  for (int i = 1; i < argc; ++i) threads = threads || !strcmp(argv[i], "-m");
  MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int option; (option = getopt(argc, argv, "c:p:s:t:b:k:o:Bmq")) != -1;) {
    if (option == 'c') chosen = optarg;
    if (option == 'p') small = optarg;
    if (option == 's') large = optarg;
    if (option == 't') turns = atoi(optarg);
    if (option == 'b') before = atoi(optarg);
    if (option == 'k') slice = atoi(optarg);
    if (option == 'B') busy = 1;
    if (option == 'o') file = optarg;
    if (option == 'q') quick = 1;
  }
  if (turns < 1) turns = 1;
  if (turns > most_turns) turns = most_turns;
  FILE* const csv = file != NULL && rank == 0 ? fopen(file, "a") : NULL;
  all_calls(chosen, small, 1, csv);
  all_calls(chosen, large, 0, csv);
  if (csv != NULL) fclose(csv);
  return ending(quick);
}
