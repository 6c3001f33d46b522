#include "cli/options/transport.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "console/command.hpp"
#include "quadrille/version.hpp"

namespace quadrille::cli {

namespace {

namespace fs = std::filesystem;

/// What each MPI's launcher tells the processes it starts.
struct Launcher {
  const char* mpi;
  const char* rank;
};
constexpr Launcher launchers[]{{"openmpi", "OMPI_COMM_WORLD_RANK"}, {"mpich", "PMI_RANK"}};

std::string who_started_us() {
  for (const Launcher& l : launchers)
    if (std::getenv(l.rank) != nullptr) return l.mpi;
  throw Error(
      Error::Kind::argument,
      "--transport mpi: this process was not started by an MPI; start as many as the topology has ranks, such as "
      "'mpirun -n 8 quadrille run alltoall ring:8 --transport mpi ...'");
}

/// Where the library may be: beside the program, where it is installed, and wherever the loader looks.
std::vector<std::string> places(const std::string& file) {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none).parent_path();
  std::vector<std::string> all;
  for (const fs::path& folder : {program, program / QUADRILLE_LIBRARIES})
    if (fs::exists(folder / file, none)) all.push_back((folder / file).string());
  all.push_back(file);
  return all;
}

void* load(const std::string& mpi) {
  constexpr std::string_view version = QUADRILLE_VERSION;  // development files are not needed for a name without it
  const std::string file = fmt::format("libquadrille-mpi-{}.so.{}", mpi, version.substr(0, version.rfind('.')));
  std::string reason;
  for (const std::string& place : places(file)) {
    // Global, since an MPI loads parts of itself, which look for the rest.
    if (void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
    if (reason.empty()) reason = dlerror();
  }
  throw Error(Error::Kind::argument,
              fmt::format("no library for this MPI, {}; build Quadrille where its development files are installed "
                          "({})",
                          mpi, reason));
}

}  // namespace

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

mpi::MpiLibrary* open_transport(const std::string& transport, console::Context& context) {
  if (transport == "threads") return nullptr;
  const std::string mpi = transport == "mpi" ? who_started_us() : transport;
  void* const file = load(mpi);
  const auto open = reinterpret_cast<mpi::OpenLibrary>(dlsym(file, mpi::open_library_name));
  mpi::MpiLibrary* const library = open == nullptr ? nullptr : open(QUADRILLE_VERSION);
  if (library == nullptr)
    throw Error(Error::Kind::argument,
                fmt::format("the library for {} is of another version than this program, {}", mpi, QUADRILLE_VERSION));
  context.closed_last = std::shared_ptr<mpi::MpiLibrary>(library);
  return library;
}

}  // namespace quadrille::cli
