! Conformance from Fortran, by the module mpi_f08.
program module_f08
  use mpi_f08
  implicit none
  integer, parameter :: n = 700, turns = 12
  integer, allocatable, asynchronous :: mine(:), all(:), back(:), counts(:), places(:)
  integer :: rank, ranks, ierror, turn, root, i, one, bad, total
  double precision :: value
  type(MPI_Comm) :: comm
  include "body.inc"
end program module_f08
