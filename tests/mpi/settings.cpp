// What forces an MPI's own algorithms. Without arguments: one line for each, "variable name value". With a variable:
// its value, as MPI_T has it. With "call" and settings such as "variable=value": one exchange of 64 bytes with them.
#include "incumbents/settings.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "mpi/native_call.hpp"

namespace {

using quadrille::incumbents::Mpi;

#ifdef OMPI_MAJOR_VERSION
constexpr Mpi mpi = Mpi::openmpi;
#else
constexpr Mpi mpi = Mpi::mpich;
#endif

void list() {
  for (const auto& own : quadrille::algorithm::mpis::all()) {
    if (own.mpi != mpi) continue;
    const auto settings = settings_for(quadrille::incumbents::Candidate{&own, {}});
    fmt::print("{} {} {}\n", settings.front().name, own.name, settings.front().value);
  }
}

int value_of(const char* name) {
  int index = 0, count = 0, value = -1, level = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return -1;
  MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count);
  MPI_T_cvar_read(handle, &value);
  return value;
}

bool call(int argc, char** argv) {
  quadrille::mpi::Settings settings;
  for (int i = 2; i < argc; ++i) {
    const std::string text = argv[i];
    settings.emplace_back(text.substr(0, text.find('=')), std::atoi(text.substr(text.find('=') + 1).c_str()));
  }
  const quadrille::mpi::Peers peers(MPI_COMM_WORLD);
  const quadrille::mpi::Forced forced(peers, settings);
  if (forced.comm() == MPI_COMM_NULL) return false;
  std::string in(64 * static_cast<std::size_t>(peers.ranks()), 'x'), out = in;
  MPI_Alltoall(in.data(), 64, MPI_BYTE, out.data(), 64, MPI_BYTE, forced.comm());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) return list(), 0;
  if (std::string(argv[1]) != "call") return fmt::print("{}\n", value_of(argv[1])), 0;
  MPI_Init(&argc, &argv);
  const bool done = call(argc, argv);
  MPI_T_finalize();  // which the library leaves to others, and Open MPI waits for before it tells what it has counted
  MPI_Finalize();
  return done ? 0 : 1;
}
