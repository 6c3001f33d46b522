! Persistent and non-blocking collectives from Fortran, by mpif.h.
#include "later_names.inc"
program later_old
  implicit none
  integer, parameter :: n = 700, turns = 10
  integer, allocatable, asynchronous :: mine(:), all(:), counts(:), places(:), bytes(:), equal(:)
  integer :: rank, ranks, ierror, turn, root, how, i, at, bad, total, sum_of_all
  include "mpif.h"
  integer, allocatable, asynchronous :: types(:)
  integer(MPI_ADDRESS_KIND) :: addresses(1)
  integer :: request, requests(1), absolute, own
#include "later_body.inc"
end program later_old
