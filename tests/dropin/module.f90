! Conformance from Fortran, by the module mpi.
program module_mpi
  use mpi
  implicit none
  integer, parameter :: n = 700, turns = 12
  integer, allocatable, asynchronous :: mine(:), all(:), back(:), counts(:), places(:)
  integer :: rank, ranks, ierror, turn, root, i, one, bad, total
  double precision :: value
  integer :: comm
  include "body.inc"
end program module_mpi
