// Algorithms and topologies of your own in a shared library, which programs load: the command by --plugin FILE.
//
//   #include "quadrille/plugin.hpp"
//   static void mine(quadrille::Plugin& plugin) { plugin.algorithms.push_back({...}); }
//   QUADRILLE_PLUGIN(mine)
//
// It is linked with the library quadrille, and works with programs of the same version only.
#pragma once

#include <string>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/topology.hpp"
#include "quadrille/version.hpp"

namespace quadrille {

/// What a plug-in adds. Texts live as long as the program.
struct Plugin {
  /// The name of each begins with that of its collective: "allgather_mine". All functions but the optional are there.
  std::vector<Algorithm> algorithms;
  std::vector<TopologyFamily> families;
};

/// Loads a plug-in, for good: algorithms() and topology_families() have what it adds. Call it before anything is asked,
/// as places in these lists move. Throws Error(argument) for a file that is none, Error(illegal) for one that was made
/// for another version, for names that are taken, and for functions that are missing. Then nothing was added.
void load_plugin(const std::string& path);

}  // namespace quadrille

/// In one source of the plug-in.
#define QUADRILLE_PLUGIN(describe)                                                \
  extern "C" const char* quadrille_plugin_version() { return QUADRILLE_VERSION; } \
  extern "C" void quadrille_plugin(quadrille::Plugin* plugin) { (describe)(*plugin); }
