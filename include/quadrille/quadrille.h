/* The C interface: collectives over MPI that are planned once and performed many times.
 *
 * Link with quadrille-mpi-openmpi or quadrille-mpi-mpich, whichever MPI the program is compiled for. Every function
 * returns QUADRILLE_OK or what went wrong, and quadrille_error_text() then says it in a line. Nothing is ever printed.
 */
#ifndef QUADRILLE_H
#define QUADRILLE_H

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum quadrille_status {
  QUADRILLE_OK = 0,
  QUADRILLE_ARGUMENT,  /* a value outside its domain, or ranks that ask for different things */
  QUADRILLE_ILLEGAL,   /* an algorithm that cannot run on this machine, topology or size */
  QUADRILLE_FORMAT,    /* text or a file that does not parse */
  QUADRILLE_BUDGET,    /* more work or memory than allowed */
  QUADRILLE_TRANSPORT, /* data could not be moved */
  QUADRILLE_INTERNAL   /* a mistake of the library */
};

typedef struct quadrille_communicator quadrille_communicator;
typedef struct quadrille_plan quadrille_plan;

/* "0.1.0" */
const char* quadrille_version(void);
/* The last error of the calling thread, one line; empty before the first. Valid until its next call. */
const char* quadrille_error_text(void);

/* Collective over `comm`, of 2 ranks or more, of which it keeps a private duplicate. `topology`, such as "torus:4x4",
 * has a node for every rank; also "torus:2x2@0,1,3,2", with the nodes of ranks 0, 1, ..., or a file that says so; NULL:
 * what MPI says of hosts: nodes around a switch where several ranks share some of several hosts, else a crossbar.
 * `machine`: a preset or a file; NULL: start-up, overheads and bandwidth are measured between two ranks, on two hosts
 * where there are two, and on one where ranks share hosts, in some 10 ms. Ranks that ask for different things all get
 * the same error. On any error *out is NULL. */
int quadrille_communicator_create(MPI_Comm comm, const char* topology, const char* machine,
                                  quadrille_communicator** out);
/* From now on plans are made for this network, such as "torus:2x2!0-1*2" once a link has failed; what was measured
 * stays. Collective. Plans made before go on as they were; quadrille_plan_renew() plans them anew. On any error nothing
 * has changed. */
int quadrille_communicator_change_network(quadrille_communicator* communicator, const char* topology);
/* Plans may outlive it. Free it and all its plans on all ranks before MPI_Finalize. NULL is ignored. */
void quadrille_communicator_free(quadrille_communicator* communicator);

/* Plans and compiles a collective; collective. `collective` is "bcast", "allgather", "scatter", "gather", "alltoall",
 * "transpose"; `bytes`: one block, as in MPI's count times size; `root`: 0 where there is none; `algorithm`: such as
 * "alltoall_mce:phases=2,1"; NULL: the one with the best predicted time. */
int quadrille_plan_create(quadrille_communicator* communicator, const char* collective, int64_t bytes, int64_t root,
                          const char* algorithm, quadrille_plan** out);
/* An allgather of unequal blocks: bytes[i] is what rank i gives, on all ranks the same list. Blocks of 0 bytes are
 * skipped; at least one is not. `out` of the plan holds the blocks one after another. */
int quadrille_plan_create_allgatherv(quadrille_communicator* communicator, const int64_t* bytes, const char* algorithm,
                                     quadrille_plan** out);
/* A reduction: `collective` is "reduce", "allreduce", "reduce_scatter", "scan" or "exscan", of `count` elements (of
 * each rank's block: reduce_scatter) of a committed type without gaps, by an operator of MPI's or of the program's.
 * Both must outlive the plan. */
int quadrille_plan_create_reduction(quadrille_communicator* communicator, const char* collective, int64_t count,
                                    MPI_Datatype type, MPI_Op op, int64_t root, const char* algorithm,
                                    quadrille_plan** out);
/* Plans anew what it was made for, on the network that its communicator is on now; where an algorithm was named, by
 * that one. Collective, and not while it is active. On any error the plan is what it was. */
int quadrille_plan_renew(quadrille_plan* plan);
/* Not while it is active. NULL is ignored. */
void quadrille_plan_free(quadrille_plan* plan);

/* Begins the collective on this rank's buffers, which mean what they mean in MPI: what the rank gives and what it gets.
 * `in` is NULL for bcast (the message is in `out`) and where the own block, or the vector of a reduction, is in place
 * in `out` already. Plans of one communicator are started in the same order on all ranks. */
int quadrille_start(quadrille_plan* plan, const void* in, void* out);
/* *done: whether the plan is over and the buffers may be used. */
int quadrille_test(quadrille_plan* plan, int* done);
int quadrille_wait(quadrille_plan* plan);

/* "alltoall_mce:phases=2,1"; valid until the plan is renewed or freed. */
const char* quadrille_plan_algorithm(const quadrille_plan* plan);
/* Seconds by the machine's constants: of the plan, and what no schedule beats. */
double quadrille_plan_predicted(const quadrille_plan* plan);
double quadrille_plan_bound(const quadrille_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
