/* An allgather that goes on when links of its network fail: planned anew as soon as a file names another network.
 *   build/quadrille-lab up 'torus:2x2*2'
 *   build/quadrille-lab mpirun openmpi replan_openmpi /run/quadrille-lab/default/topology 20
 *   build/quadrille-lab fail 0-1          # meanwhile
 * Who runs the network writes that file: the lab does.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "quadrille/quadrille.h"

enum { bytes = 1 << 16, longest = 512 };

static void stop_unless_ok(int status) {
  if (status == QUADRILLE_OK) return;
  fprintf(stderr, "%s\n", quadrille_error_text());
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static double seconds(struct timespec t) { return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec; }

/* Seconds since the file was written, by the clock that stamps files. */
static double age_of(const char* file) {
  struct stat found;
  struct timespec now;
  if (stat(file, &found) != 0) return 0;
  clock_gettime(CLOCK_REALTIME, &now);
  return seconds(now) - seconds(found.st_mtim);
}

/* What rank 0 reads; the same on all ranks. Empty where there is no such file. */
static void read_network(const char* name, int rank, char* network) {
  memset(network, 0, longest);
  if (rank == 0) {
    FILE* file = fopen(name, "r");
    if (file != NULL) {
      if (fgets(network, longest, file) != NULL) network[strcspn(network, "\n")] = 0;
      fclose(file);
    }
  }
  MPI_Bcast(network, longest, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static int wrong_blocks(const char* out, int ranks) {
  int from, wrong = 0;
  for (from = 0; from < ranks; ++from)
    wrong += out[(size_t)from * bytes] != (char)from || out[(size_t)(from + 1) * bytes - 1] != (char)from;
  return wrong;
}

int main(int argc, char** argv) {
  int rank, ranks, calls = 0, wrong = 0;
  char network[longest], now[longest], *in, *out;
  double begin, longest_call = 0, end = argc > 2 ? atof(argv[2]) : 10;
  quadrille_communicator* all;
  quadrille_plan* plan;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 2) {
    if (rank == 0) fprintf(stderr, "expected FILE [SECONDS]: the file names the network, as in torus:2x2*2\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  read_network(argv[1], rank, network);
  stop_unless_ok(quadrille_communicator_create(MPI_COMM_WORLD, network, NULL, &all));
  stop_unless_ok(quadrille_plan_create(all, "allgather", bytes, 0, NULL, &plan));
  if (rank == 0) printf("%s: %s\n", network, quadrille_plan_algorithm(plan));
  fflush(stdout);
  in = malloc(bytes);
  out = malloc((size_t)bytes * (size_t)ranks);
  memset(in, rank, bytes);

  for (begin = MPI_Wtime(); end > 0; ++calls) {
    const double start = MPI_Wtime();
    double left = begin + end - start;
    stop_unless_ok(quadrille_start(plan, in, out));
    stop_unless_ok(quadrille_wait(plan));
    wrong += wrong_blocks(out, ranks);
    if (MPI_Wtime() - start > longest_call) longest_call = MPI_Wtime() - start;

    read_network(argv[1], rank, now);
    if (strcmp(now, network) != 0) {
      const double noticed = age_of(argv[1]);
      strcpy(network, now);
      stop_unless_ok(quadrille_communicator_change_network(all, network));
      stop_unless_ok(quadrille_plan_renew(plan));
      if (rank == 0)
        printf("%s: %s; %d calls before, the longest %.3f s; noticed %.3f s after the change, planned after %.3f s\n",
               network, quadrille_plan_algorithm(plan), calls + 1, longest_call, noticed, age_of(argv[1]));
      fflush(stdout);
      longest_call = 0;
    }
    MPI_Bcast(&left, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (left <= 0) break;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d calls, the longest of the last plan %.3f s, %d blocks wrong\n", calls, longest_call, wrong);

  free(in);
  free(out);
  quadrille_plan_free(plan);
  quadrille_communicator_free(all);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
