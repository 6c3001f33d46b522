/* Calls in close succession, of which not all are timed, but all are counted; types that come and go, whose handles MPI
   gives again to types of another size; two communicators in turn. */
#include "conformance.h"

static void bcast(MPI_Datatype type, MPI_Comm comm, int i) {
  int data[4] = {0, 0, 0, 0};
  if (rank == 0)
    for (int k = 0; k < 4; ++k) data[k] = i + k;
  MPI_Bcast(data, 1, type, 0, comm);
  if (data[0] != i) ++failures;
}

void test_counts(void) {
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  for (int i = 0; i < 5000; ++i) MPI_Barrier(i % 2 == 0 ? MPI_COMM_WORLD : other);
  for (int i = 0; i < 5000; ++i) bcast(MPI_INT, MPI_COMM_WORLD, i);
  for (int i = 0; i < 100; ++i)
    for (int elements = 2; elements <= 4; elements += 2) { /* classes 4 and 5 */
      MPI_Datatype type;
      MPI_Type_contiguous(elements, MPI_INT, &type);
      MPI_Type_commit(&type);
      bcast(type, other, i);
      MPI_Type_free(&type);
    }
  MPI_Comm_free(&other);
}
