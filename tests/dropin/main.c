/* Conformance of the drop-in: the same program with it and without must find nothing. Prints one line when all is well;
   exit status 1 when not. An argument names the one part to run. */
#include "conformance.h"

int rank, ranks, failures;

static int last_words(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)state;
  int data = rank == 0 ? 77 : 0; /* MPI is still there, and the drop-in says nothing of this any more */
  MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
  *(int*)value = data;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int level, key, said = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* part = argc > 1 ? argv[1] : "";
  if (!*part || !strcmp(part, "regular")) test_regular(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "types")) test_types(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "irregular")) test_irregular(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "ragged")) test_ragged(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "demands")) test_demands(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "changes")) test_changes(MPI_COMM_WORLD);
  if (!strcmp(part, "across")) test_across(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "neighbours")) test_neighbours(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "reductions")) test_reductions(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "rounded")) test_rounded(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "extremes")) test_extremes(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "ties")) test_ties(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "memory")) test_memory(MPI_COMM_WORLD);
  if (!*part || !strcmp(part, "context")) test_context();
  if (!*part || !strcmp(part, "refused")) test_refused();
  if (!strcmp(part, "counts")) test_counts();
  if (!strcmp(part, "late")) test_late();
  if (!strcmp(part, "spawned")) test_spawned(argv[0]);
  if (!strcmp(part, "mismatch")) go_wrong_by_size();
  if (!strcmp(part, "lengths")) go_wrong_by_length();
  if (!strcmp(part, "truncation")) go_wrong_by_truncation();
  if (!strcmp(part, "exit")) go_wrong_by_exit();
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last_words, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &said);
  int all = 0;
  PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("conformance: %d differences\n", all);
  fflush(stdout); /* some MPI_Finalize never ends */
  MPI_Finalize();
  if (rank == 0 && all == 0 && said == 77) printf("conformance: all as without\n");
  return all == 0 && said == 77 ? 0 : 1;
}
