#include "cli/options/transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "base/text.hpp"

namespace quadrille::cli {

namespace {

/// What each MPI's launcher tells the processes it starts. By PMIx alone SLURM starts programs of Open MPI, to which
/// only its own launcher tells the first; PMI_RANK, which SLURM has, too, is MPICH's.
struct Launcher {
  const char* mpi;
  const char* rank;
};
constexpr Launcher launchers[]{{"openmpi", "OMPI_COMM_WORLD_RANK"}, {"mpich", "PMI_RANK"}, {"openmpi", "PMIX_RANK"}};

}  // namespace

std::string launching_mpi() {
  for (const Launcher& l : launchers)
    if (std::getenv(l.rank) != nullptr) return l.mpi;
  throw Error(
      Error::Kind::argument,
      "--transport mpi: this process was not started by an MPI; start as many as the topology has ranks, such as "
      "'mpirun -n 8 quadrille run alltoall ring:8 --transport mpi ...'");
}

int launched_rank() {
  for (const Launcher& l : launchers)
    if (const char* const text = std::getenv(l.rank)) return std::atoi(text);
  return 0;
}

bool launched() {
  return std::any_of(std::begin(launchers), std::end(launchers),
                     [](const Launcher& l) { return std::getenv(l.rank) != nullptr; });
}

std::string usual_transport() { return launched() ? "mpi" : "threads"; }

void check_transport(const std::string& transport) {
  if (transport != "threads" && transport != "mpi" && transport != "openmpi" && transport != "mpich")
    base::unknown_name("--transport", transport, "transport", {"threads", "mpi", "openmpi", "mpich"});
}

Bytes parse_segment(const std::string& text) { return text.empty() ? -1 : base::parse_bytes(text, "--segment"); }

void check_started(const Topology& topology, const mpi::MpiLibrary& library) {
  if (topology.nodes() == library.ranks()) return;
  throw Error(Error::Kind::argument,
              fmt::format("{} has {} nodes, and {} MPI processes were started; start it with -n {}", topology.text(),
                          topology.nodes(), library.ranks(), topology.nodes()));
}

UsedOn used_on(mpi::MpiLibrary& library) {
  const std::vector<std::string> hosts = library.hosts();
  UsedOn use;
  use.transport = "mpi";
  use.hosts = std::ssize(std::set<std::string>(hosts.begin(), hosts.end()));
  return use;
}

}  // namespace quadrille::cli
