// MPI's names for memory. What a program asks MPI for lies where the other ranks of its host can read it, so plans copy
// it once.
#include "dropin/session.hpp"
#include "mpi/arena.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

namespace {

/// Hints say what the program wants of MPI, which may know them.
bool hinted(MPI_Info info) {
  if (info == MPI_INFO_NULL) return false;
  int keys = 0;
  return PMPI_Info_get_nkeys(info, &keys) != MPI_SUCCESS || keys > 0;
}

}  // namespace

extern "C" {

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* base) {
  // Messages from less memory than this would not be fetched.
  if (watching && sharing && base != nullptr && size >= mpi::Neighbours::worth_it && !hinted(info))
    if (void* const memory = mpi::Arena::get().allocate(size)) {
      *static_cast<void**>(base) = memory;
      return MPI_SUCCESS;
    }
  return PMPI_Alloc_mem(size, info, base);
}

int MPI_Free_mem(void* base) {
  if (!sharing || !mpi::Arena::get().holds(base)) return PMPI_Free_mem(base);
  if (mpi::Arena::get().free(base)) return MPI_SUCCESS;
  PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_BASE);
  return MPI_ERR_BASE;
}

}  // extern "C"
