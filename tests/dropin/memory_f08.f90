! Memory that MPI is asked for from Fortran, by the module mpi_f08.
program memory_f08
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  integer, parameter :: n = 5000, turns = 24
  include "memory.inc"
end program memory_f08
