// What persistent and non-blocking calls need from the begin of a program on.
#include <dlfcn.h>
#include <sched.h>

#include <fstream>
#include <functional>
#include <string>

#include "dropin/session.hpp"

namespace quadrille::dropin {

namespace {

/// What this rank's processor can do, as a number: libraries of mathematics choose by it.
std::int64_t kind_of_processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("flags") || line.starts_with("Features"))
      return static_cast<std::int64_t>(std::hash<std::string>()(line) >> 2);
  return 0;
}

/// Whether the program's calls of this function come here. Another tool that is found first passes them on to MPI, past
/// this library.
bool comes_here(const char* function) {
  Dl_info found{}, here{};
  void* const first = dlsym(RTLD_DEFAULT, function);
  return first != nullptr && dladdr(first, &found) != 0 &&
         dladdr(reinterpret_cast<void*>(&kind_of_processor), &here) != 0 && found.dli_fbase == here.dli_fbase;
}

/// Collective: whether every rank may use twice as many cores as there are ranks on its host.
bool cores_to_spare(const topology::Hosts& hosts, MPI_Comm all, int rank) {
  MPI_Comm here = MPI_COMM_NULL;
  PMPI_Comm_split(all, static_cast<int>(hosts.host(rank)), rank, &here);
  int ranks = 1;
  PMPI_Comm_size(here, &ranks);
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  PMPI_Allreduce(MPI_IN_PLACE, &set, sizeof set, MPI_BYTE, MPI_BOR, here);
  PMPI_Comm_free(&here);
  int enough = CPU_COUNT(&set) >= 2 * ranks ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MIN, all);
  return enough != 0;
}

}  // namespace

/// Collective: why there is no thread for calls; empty: there can be one.
std::string Session::no_thread() const {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  int least = level;
  PMPI_Allreduce(&level, &least, 1, MPI_INT, MPI_MIN, program_.notices->comm());
  const bool spare = cores_to_spare(program_.hosts, program_.notices->comm(), rank_);
  if (least < MPI_THREAD_MULTIPLE) return "the program does not ask for MPI_THREAD_MULTIPLE";
  if (!spare) return "there are no two cores for each rank";
#ifdef OMPI_MAJOR_VERSION
  return {};
#else
  return "MPICH keeps other threads out for long while one waits";
#endif
}

/// Collective: whether persistent and non-blocking calls may be planned, and where they go on.
void Session::settle_later() {
  const Settings& s = program_.settings;
  if (!program_.notices || s.progress == Progress::off) return;
  bool thread = s.progress == Progress::thread;
  if (thread) {
    const std::string why_not = no_thread();
    thread = why_not.empty();
    if (!thread && rank_ == 0)
      say(fmt::format("QUADRILLE_PROGRESS=thread: {}; calls go on within calls of MPI alone", why_not));
  }
  const bool opened = Engine::get().open(thread);
  const std::int64_t kind = kind_of_processor();
  std::vector<std::int64_t> said{opened ? 0 : 1, kind, -kind, comes_here("MPI_Start") ? 0 : 1,
                                 comes_here("MPI_Op_free") && comes_here("MPI_Type_free") ? 0 : 1};
  PMPI_Allreduce(MPI_IN_PLACE, said.data(), static_cast<int>(said.size()), MPI_INT64_T, MPI_MAX,
                 program_.notices->comm());
  if (said[0] != 0) return Engine::get().close();
  program_.processors_alike = said[1] == -said[2];
  program_.starts_come_here = said[3] == 0;
  program_.frees_come_here = said[4] == 0;
  ProgramCommunicator* const all = communicator(MPI_COMM_WORLD);
  if (all != nullptr && all->deciding()) all->open_first();
}

}  // namespace quadrille::dropin
