// MPI's names for the begin and end of a program and of its communicators.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "dropin/session.hpp"

using namespace quadrille::dropin;

#undef MPI_Abort  // the library's own calls have another name (pmpi.hpp); here it is the program's

namespace {

/// A library made for one MPI is no use with the other.
bool right_mpi() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  PMPI_Get_library_version(text, &length);
  const bool is_open =
      std::string_view(text, static_cast<std::size_t>(length)).find("Open MPI") != std::string_view::npos;
#ifdef OMPI_MAJOR_VERSION
  constexpr bool for_open = true;
#else
  constexpr bool for_open = false;
#endif
  if (is_open == for_open) return true;
  const char* rank = std::getenv(is_open ? "OMPI_COMM_WORLD_RANK" : "PMI_RANK");
  if (rank == nullptr) rank = std::getenv("PMIX_RANK");  // as SLURM starts it
  if (rank == nullptr || std::string_view(rank) == "0")
    std::fputs(fmt::format("quadrille: the program uses {}; preload libquadrille-{}.so instead\n",
                           is_open ? "Open MPI" : "MPICH", is_open ? "openmpi" : "mpich")
                   .c_str(),
               stderr);
  if (is_open) std::exit(1);  // its handles are wider than those that this library passes on
  return false;
}

int started(int code, bool right) {
  if (code == MPI_SUCCESS && right) Session::get().start();
  return code;
}

int freed(MPI_Comm* comm, int (*native)(MPI_Comm*)) {
  const MPI_Comm handle = comm == nullptr ? MPI_COMM_NULL : *comm;
  const int code = native(comm);
  if (watching && code == MPI_SUCCESS) Session::get().freed(handle);
  return code;
}

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  const bool right = right_mpi();
  return started(PMPI_Init(argc, argv), right);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const bool right = right_mpi();
  return started(PMPI_Init_thread(argc, argv, required, provided), right);
}

int MPI_Finalize() {
  if (watching) Session::get().finish();
  return PMPI_Finalize();
}

int MPI_Abort(MPI_Comm comm, int code) {
  if (watching) Session::get().aborting();
  return PMPI_Abort(comm, code);
}

int MPI_Comm_free(MPI_Comm* comm) { return freed(comm, PMPI_Comm_free); }

int MPI_Comm_disconnect(MPI_Comm* comm) { return freed(comm, PMPI_Comm_disconnect); }

}  // extern "C"
