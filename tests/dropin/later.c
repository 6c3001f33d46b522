/* Persistent and non-blocking collectives: what they give is what MPI's own blocking ones give, with the drop-in and
   without, whatever is under way at once and whoever waits where. Arguments: the part to run, or all; and "single" for
   a program that asks for no threads. */
#include "later.h"

#include "conformance.h"

int rank, ranks, failures;

int main(int argc, char** argv) {
  int level;
  const char* part = argc > 1 ? argv[1] : "";
  if (argc > 2 && !strcmp(argv[2], "single"))
    MPI_Init(&argc, &argv);
  else
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int all = !*part || !strcmp(part, "all");
  if (all || !strcmp(part, "every")) test_every_kind();
  if (all || !strcmp(part, "mixed")) test_mixed_requests();
  if (all || !strcmp(part, "at-once")) test_several_at_once();
  if (all || !strcmp(part, "elsewhere")) test_waits_elsewhere();
  if (all || !strcmp(part, "operators")) test_operators();
  if (all || !strcmp(part, "threads")) test_threads();
  if (all || !strcmp(part, "lives")) test_lives();
  if (all || !strcmp(part, "refused")) test_refused_later();
  if (!strcmp(part, "exchanges")) test_exchanges();
  if (!strcmp(part, "alone")) test_goes_on_alone();
  int sum = 0;
  PMPI_Allreduce(&failures, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0 && sum == 0) printf("later: all as without\n");
  return sum == 0 ? 0 : 1;
}
