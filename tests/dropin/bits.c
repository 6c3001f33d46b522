/* Results that might have other bits by another plan: whoever answers the first call answers all. */
#include "conformance.h"

static char *in, *a, *b;
static MPI_Comm comm;

/* Sums of numbers that are rounded: in one run they keep their bits, and all ranks have the same. */
static void rounded(int n) {
  double *x = (double*)in, *y = (double*)a, *before = (double*)b, *of_root = malloc((size_t)n * sizeof(double));
  for (int i = 0; i < n; ++i) x[i] = 1.0 / (3 + rank * 7 + i % 11);
  for (int turn = 0; turn < whole_trial; ++turn) {
    MPI_Allreduce(x, y, n, MPI_DOUBLE, MPI_SUM, comm);
    memcpy(of_root, y, (size_t)n * sizeof(double));
    PMPI_Bcast(of_root, n, MPI_DOUBLE, 0, comm);
    same(of_root, y, (size_t)n * sizeof(double), "a rounded sum on another rank", turn);
    if (turn > 0) same(before, y, (size_t)n * sizeof(double), "a rounded sum in another call", turn);
    memcpy(before, y, (size_t)n * sizeof(double));
  }
  free(of_root);
}

/* Integers on which MPIs do not agree: sums that wrap or saturate, unsigned numbers beyond the signed ones. Whoever
   answers first answers all, so MPI must answer all where plans are on trial. */
static void extreme(MPI_Datatype type, MPI_Op op, int width, const char* what, int mpi_first) {
  enum { bytes = 1000 };
  for (int i = 0; i < bytes; ++i) in[i] = (char)((i * 37 + rank * 59 + 200) * 2654435761u >> 13);
  for (int turn = 0; turn < whole_trial; ++turn) {
    MPI_Allreduce(in, a, bytes / width, type, op, comm);
    if (turn == 0) PMPI_Allreduce(in, b, bytes / width, type, op, comm);
    if (turn == 0 && !mpi_first) memcpy(b, a, bytes);
    same(a, b, bytes, what, turn);
  }
}

static void extremes(int mpi_first) {
  extreme(MPI_UNSIGNED_CHAR, MPI_SUM, 1, "a sum of bytes that are too large", mpi_first);
  extreme(MPI_SHORT, MPI_SUM, 2, "a sum of short integers that are too large", mpi_first);
  extreme(MPI_UNSIGNED, MPI_MAX, 4, "the largest unsigned integer", mpi_first);
  extreme(MPI_UNSIGNED_LONG, MPI_MIN, 8, "the smallest unsigned long integer", mpi_first);
}

/* An operator that commutes by the program's word, but keeps the label of either of two equal keys: any label is right,
   and all ranks must have the same. MPICH's own answers have not, so there plans cannot be told from them. */
struct labelled {
  int key, label;
};

static void larger_key(void* given, void* inout, int* n, MPI_Datatype* type) {
  const struct labelled* const x = (const struct labelled*)given;
  struct labelled* const y = (struct labelled*)inout;
  (void)type;
  for (int i = 0; i < *n; ++i)
    if (x[i].key >= y[i].key) y[i] = x[i];
}

/* Whether what each rank has is what rank 0 has. */
static int alike_on_ranks(const void* data, int bytes, MPI_Comm over) {
  int mine, all;
  void* const of_root = malloc((size_t)bytes);
  memcpy(of_root, data, (size_t)bytes);
  PMPI_Bcast(of_root, bytes, MPI_BYTE, 0, over);
  mine = !memcmp(of_root, data, (size_t)bytes);
  PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, over);
  free(of_root);
  return all;
}

void test_ties(MPI_Comm over) {
  enum { most = 100 };
  struct labelled mine[most], largest[most];
  int natively;
  MPI_Datatype two;
  MPI_Op op;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_commit(&two);
  MPI_Op_create(larger_key, 1, &op);
  for (int i = 0; i < most; ++i) mine[i] = (struct labelled){i, rank};
  PMPI_Allreduce(mine, largest, most, two, op, over);
  natively = alike_on_ranks(largest, sizeof largest, over);
  for (int turn = 0; turn < turns; ++turn) {
    MPI_Allreduce(mine, largest, most, two, op, over);
    expect(alike_on_ranks(largest, sizeof largest, over) || !natively, "the label of equal keys on all ranks", turn);
    for (int i = 0; i < most; ++i) expect(largest[i].key == i, "the largest key", turn);
  }
  MPI_Op_free(&op);
  MPI_Type_free(&two);
}

void test_extremes(MPI_Comm over) {
  const char* const mode = getenv("QUADRILLE");
  comm = over;
  in = calloc(1000, 1), a = calloc(1000, 1), b = calloc(1000, 1);
  extremes(mode != NULL && !strcmp(mode, "trial"));
  free(in);
  free(a);
  free(b);
}

void test_rounded(MPI_Comm over) {
  comm = over;
  in = calloc(1000, sizeof(double)), a = calloc(1000, sizeof(double)), b = calloc(1000, sizeof(double));
  rounded(1);
  rounded(1000);
  free(in);
  free(a);
  free(b);
}
