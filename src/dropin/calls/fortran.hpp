// Fortran's names of MPI's functions, for programs whose MPI goes past the names that C programs call: all of them
// under Open MPI, under MPICH those of mpi_f08 that take no buffer.
#pragma once

#include <mpi.h>

namespace quadrille::dropin::fortran {

using F = MPI_Fint*;  ///< whole numbers and handles come by address

inline MPI_Comm comm(const MPI_Fint* handle) { return PMPI_Comm_f2c(*handle); }
/// mpi_f08 may leave the error out.
inline void set(MPI_Fint* error, int code) {
  if (error != nullptr) *error = code;
}

#ifdef OMPI_MAJOR_VERSION
/// A buffer as C has it: Fortran's MPI_IN_PLACE and MPI_BOTTOM are addresses of its own.
void* buffer(void* address);
inline MPI_Datatype type(const MPI_Fint* handle) { return PMPI_Type_f2c(*handle); }
inline MPI_Op op(const MPI_Fint* handle) { return PMPI_Op_f2c(*handle); }
#endif

}  // namespace quadrille::dropin::fortran

// Defines what compilers make of MPI_BCAST in mpif.h and `use mpi`, and of MPI_Bcast in mpi_f08, by fortran_bcast.
#ifdef OMPI_MAJOR_VERSION
#define FORTRAN_NAMES(lower, upper, parameters, arguments)          \
  extern "C" {                                                      \
  void mpi_##lower parameters { fortran_##lower arguments; }        \
  void mpi_##lower##_ parameters { fortran_##lower arguments; }     \
  void mpi_##lower##__ parameters { fortran_##lower arguments; }    \
  void mpi_##lower##_f08_ parameters { fortran_##lower arguments; } \
  void MPI_##upper parameters { fortran_##lower arguments; }        \
  }
#else
#define FORTRAN_NAMES(lower, upper, parameters, arguments) \
  extern "C" void mpi_##lower##_f08_ parameters { fortran_##lower arguments; }
#endif
