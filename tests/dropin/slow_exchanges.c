/* An MPI whose exchanges take 60 ms more than they need, and that has no persistent ones: a plan wins its trial. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#define SLOW(name, parameters, arguments)                                   \
  int PMPI_##name parameters {                                              \
    static int(*of_mpi) parameters;                                         \
    if (of_mpi == NULL) *(void**)&of_mpi = dlsym(RTLD_NEXT, "PMPI_" #name); \
    usleep(60000);                                                          \
    return of_mpi arguments;                                                \
  }

SLOW(Alltoallv,
     (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], const int g[],
      MPI_Datatype h, MPI_Comm i),
     (a, b, c, d, e, f, g, h, i))
SLOW(Alltoallw,
     (const void* a, const int b[], const int c[], const MPI_Datatype d[], void* e, const int f[], const int g[],
      const MPI_Datatype h[], MPI_Comm i),
     (a, b, c, d, e, f, g, h, i))
SLOW(Neighbor_allgather, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
     (a, b, c, d, e, f, g))
SLOW(Neighbor_allgatherv,
     (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g, MPI_Comm h),
     (a, b, c, d, e, f, g, h))
SLOW(Neighbor_alltoall, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
     (a, b, c, d, e, f, g))
SLOW(Neighbor_alltoallv,
     (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], const int g[],
      MPI_Datatype h, MPI_Comm i),
     (a, b, c, d, e, f, g, h, i))
SLOW(Neighbor_alltoallw,
     (const void* a, const int b[], const MPI_Aint c[], const MPI_Datatype d[], void* e, const int f[],
      const MPI_Aint g[], const MPI_Datatype h[], MPI_Comm i),
     (a, b, c, d, e, f, g, h, i))

#if MPI_VERSION >= 4
#define INIT_OF_MPI(name) PMPI_##name##_init
#else
#define INIT_OF_MPI(name) PMPIX_##name##_init
#endif
#define NONE(name)                                                                                           \
  int INIT_OF_MPI(name)(const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[], \
                        const int g[], MPI_Datatype h, MPI_Comm i, MPI_Info j, MPI_Request* k) {             \
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i, (void)j, (void)k;       \
    return MPI_ERR_OTHER;                                                                                    \
  }
NONE(Alltoallv)
NONE(Neighbor_alltoallv)
