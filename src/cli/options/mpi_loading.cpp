// The library for an MPI, loaded when it is asked for: nobody else needs an MPI.
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "cli/options/transport.hpp"
#include "console/command.hpp"
#include "quadrille/version.hpp"

namespace quadrille::cli {

namespace {

namespace fs = std::filesystem;

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

mpi::MpiLibrary* open_transport(const std::string& transport, console::Context& context) {
  if (transport == "threads") return nullptr;
  const std::string mpi = transport == "mpi" ? launching_mpi() : transport;
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
