/* What tests of persistent and non-blocking collectives share: every operation with one set of arguments. */
#ifndef QUADRILLE_LATER_H
#define QUADRILLE_LATER_H

#include <mpi.h>

#if MPI_VERSION >= 4
#define INIT(name) MPI_##name##_init
#else /* Open MPI 4.1 */
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#endif

/* How a call is made: by MPI's own blocking name, or by those that are tested. */
enum How { blocking, non_blocking, persistent };

struct Call {
  const void* in;
  void* out;
  int count; /* of a block; of a vector */
  MPI_Datatype type;
  int root;
  MPI_Comm comm;
};

/* Counts of ranks in calls whose blocks differ: count, 0, 2 * count, count, 0, ... */
const int* counts_of(int count, int of_ranks);
const int* displaces_of(int count, int of_ranks);
int all_of(int count, int of_ranks);

typedef int (*Operation)(enum How how, const struct Call* call, MPI_Request* request);
struct Kind {
  const char* name;
  Operation operation;
  int gives_all, takes_all; /* blocks of all ranks, not one */
  int in_place;             /* MPI_IN_PLACE may be `in`, on every rank */
  int blocks_differ;
};
extern const struct Kind kinds[];
extern const int all_kinds;

void test_every_kind(void);      /* data, types, roots, in place */
void test_mixed_requests(void);  /* with messages, in one array */
void test_several_at_once(void); /* and blocking calls between */
void test_waits_elsewhere(void); /* in other calls than those of the request */
void test_operators(void);       /* of the program's own */
void test_threads(void);         /* several, each on a communicator of its own */
void test_lives(void);           /* of requests, communicators, types and operators */
void test_exchanges(void);
void test_refused_later(void);
void test_goes_on_alone(void); /* where there is a thread for that */

#endif
