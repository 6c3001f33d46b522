/* Every name of a collective that MPI has, each called once. With "list" the names alone, one a line. With "between"
   those on an inter-communicator that MPI has there. */
#include "conformance.h"
#include "later.h"

enum { most = 64, root_of_others = 0 };

int rank, ranks, failures;

static int in[4 * most], out[4 * most], counts[most], places[most];
static MPI_Aint bytes[most];
static MPI_Datatype t[most];
static MPI_Comm comm, around; /* of all ranks; on a ring */
static int root;
static const MPI_Aint* const a = bytes;

struct Name {
  const char* name;
  int (*call)(void);
};

static int waited(int code, MPI_Request* request) {
  return code != MPI_SUCCESS ? code : MPI_Wait(request, MPI_STATUS_IGNORE);
}
static int freed(int code, MPI_Request* request) { return code != MPI_SUCCESS ? code : MPI_Request_free(request); }

#define FORMS(name, at_once, non_blocking, persistent, ...)                           \
  static int do_##at_once(void) { return MPI_##at_once(__VA_ARGS__); }                \
  static int do_##non_blocking(void) {                                                \
    MPI_Request request;                                                              \
    return waited(MPI_##non_blocking(__VA_ARGS__, &request), &request);               \
  }                                                                                   \
  static int do_##persistent(void) {                                                  \
    MPI_Request request;                                                              \
    return freed(OF_MPI(persistent)(__VA_ARGS__, MPI_INFO_NULL, &request), &request); \
  }

#if MPI_VERSION >= 4
#define OF_MPI(name) MPI_##name
#else
#define OF_MPI(name) MPIX_##name
#endif

#define n counts
#define d places
#define AT_ONCE(name, lower, ...) FORMS(name, name, I##lower, name##_init, __VA_ARGS__)
AT_ONCE(Barrier, barrier, comm)
#include "names.inc"
#undef AT_ONCE
#undef n
#undef d
#if MPI_VERSION >= 4
static MPI_Count large_counts[most];
static MPI_Aint large_places[most];
#define n large_counts
#define d large_places
#define AT_ONCE(name, lower, ...) FORMS(name, name##_c, I##lower##_c, name##_init_c, __VA_ARGS__)
#include "names.inc"
#undef AT_ONCE
#undef n
#undef d
#endif

#define TEXT(x) #x
#define NAMED(name) TEXT(name)
#define ROW(name) \
  { NAMED(MPI_##name), do_##name }
#define ROWS(name, lower) \
  ROW(name), ROW(I##lower), { NAMED(OF_MPI(name##_init)), do_##name##_init }
static const struct Name names[] = {
    ROWS(Barrier, barrier),
#define AT_ONCE(name, lower, ...) ROWS(name, lower),
#include "names.inc"
#undef AT_ONCE
#if MPI_VERSION >= 4
#define AT_ONCE(name, lower, ...) ROW(name##_c), ROW(I##lower##_c), {NAMED(MPI_##name##_init_c), do_##name##_init_c},
#include "names.inc"
#undef AT_ONCE
#endif
};
static const int all_names = sizeof names / sizeof *names;

/* Neighbours are none between groups, nor is there an order of ranks. Neither MPI has persistent ones there. */
static int is_between(const char* name) {
  return !strstr(name, "eighbor") && !strstr(name, "can") && !strstr(name, "_init");
}

static void call_all(int between) {
  for (int i = 0; i < all_names; ++i)
    if (!between || is_between(names[i].name)) expect(names[i].call() == MPI_SUCCESS, names[i].name, 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* part = argc > 1 ? argv[1] : "";
  for (int i = 0; i < most; ++i) {
    counts[i] = 1, places[i] = 4 * i, bytes[i] = (MPI_Aint)sizeof(int) * i, t[i] = MPI_INT;
#if MPI_VERSION >= 4
    large_counts[i] = 1, large_places[i] = 4 * i;
#endif
  }
  const int periods[] = {1};
  PMPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, periods, 0, &around);
  MPI_Comm half;
  PMPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (!strcmp(part, "list")) {
    for (int i = 0; rank == 0 && i < all_names; ++i) printf("name %s\n", names[i].name);
  } else if (!strcmp(part, "between")) {
    PMPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &comm);
    root = rank % 2 == 1 ? root_of_others : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    call_all(1);
    PMPI_Comm_free(&comm);
  } else {
    comm = MPI_COMM_WORLD;
    call_all(0);
  }
  PMPI_Comm_free(&half);
  PMPI_Comm_free(&around);
  int sum = 0;
  PMPI_Allreduce(&failures, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0 && sum == 0) printf("names: all called\n");
  return sum != 0;
}
