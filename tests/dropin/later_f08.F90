! Persistent and non-blocking collectives from Fortran, by the module mpi_f08.
#define F08
#include "later_names.inc"
program later_f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  use mpi_f08
#ifdef OPEN_MPI
  use mpi_f08_ext
#endif
  implicit none
  integer, parameter :: n = 700, turns = 10
  integer, allocatable, asynchronous :: mine(:), all(:), counts(:), places(:), bytes(:), equal(:)
  integer :: rank, ranks, ierror, turn, root, how, i, at, bad, total, sum_of_all
  type(MPI_Datatype), allocatable, asynchronous :: types(:)
  integer(MPI_ADDRESS_KIND) :: addresses(1)
  type(MPI_Request) :: request, requests(1)
  type(MPI_Datatype) :: absolute
  type(MPI_Op) :: own
#include "later_body.inc"
end program later_f08
