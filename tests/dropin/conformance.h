/* What the conformance programs share: every call is made twice, by the name that the drop-in answers and by the one
   that only MPI has, and every byte of both results must be equal, those between the data too. */
#ifndef QUADRILLE_CONFORMANCE_H
#define QUADRILLE_CONFORMANCE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  turns = 10,
  all_turns = 70,   /* an alltoallv is compared, and its sizes are looked at again */
  whole_trial = 170 /* a trial is over, however long it goes on, and its winner used */
};

extern int rank, ranks, failures;

/* New data each turn, others on each rank. */
static inline void fill(void* data, size_t bytes, int turn) {
  unsigned char* p = (unsigned char*)data;
  unsigned state = (unsigned)(turn * 7919 + rank * 104729 + 12345);
  for (size_t i = 0; i < bytes; ++i) p[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
}

static inline void expect(int good, const char* what, int turn) {
  if (good) return;
  if (++failures <= 10) fprintf(stderr, "rank %d: %s, turn %d: differs from MPI\n", rank, what, turn);
}

static inline void same(const void* a, const void* b, size_t bytes, const char* what, int turn) {
  expect(memcmp(a, b, bytes) == 0, what, turn);
}

void test_regular(MPI_Comm comm);    /* every collective, many sizes, roots, in place */
void test_types(MPI_Comm comm);      /* derived datatypes, others on each rank */
void test_ragged(MPI_Comm comm);     /* alltoallv */
void test_demands(MPI_Comm comm);    /* alltoallv whose lengths stay */
void test_changes(MPI_Comm comm);    /* ... and at last are others */
void test_neighbours(MPI_Comm comm); /* neighbourhood collectives and alltoallw, whose lengths stay, and change */
void test_across(MPI_Comm comm);     /* some of them, whose plans gain */
void test_irregular(MPI_Comm comm);  /* allgatherv, alltoallv, zero counts, arguments that are not significant */
void test_reductions(MPI_Comm comm); /* operators, types, in place, bits */
void test_rounded(MPI_Comm comm);    /* sums whose bits must not change in one run */
void test_extremes(MPI_Comm comm);   /* integers whose bits are MPI's own: these, too */
void test_ties(MPI_Comm comm);       /* an operator that commutes but for ties */
void test_memory(MPI_Comm comm);     /* MPI_Alloc_mem */
void test_context(void);             /* communicators, messages, attributes, errors, threads */
void test_refused(void);             /* what MPI refuses */
void test_counts(void);
void test_late(void);
void test_spawned(const char* program);

void go_wrong_by_size(void); /* what MPI forbids */
void go_wrong_by_length(void);
void go_wrong_by_truncation(void);
void go_wrong_by_exit(void);

#endif
