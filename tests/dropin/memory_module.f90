! Memory that MPI is asked for from Fortran, by the module mpi.
program memory_module
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  integer, parameter :: n = 5000, turns = 24
  include "memory.inc"
end program memory_module
