/* Another tool: it takes MPI_Start and MPI_Op_free before the drop-in, and passes them on to MPI. */
#include <mpi.h>

int MPI_Start(MPI_Request* request) { return PMPI_Start(request); }
int MPI_Op_free(MPI_Op* op) { return PMPI_Op_free(op); }
