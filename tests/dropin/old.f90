! Conformance from Fortran, by mpif.h.
program old
  implicit none
  integer, parameter :: n = 700, turns = 12
  integer, allocatable, asynchronous :: mine(:), all(:), back(:), counts(:), places(:)
  integer :: rank, ranks, ierror, turn, root, i, one, bad, total
  double precision :: value
  include "mpif.h"
  integer :: comm
  include "body.inc"
end program old
