// Programs started on the hosts of a lab, and both MPIs across them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab.hpp"

namespace quadrille::lab {

enum class Mpi { openmpi, mpich };
Mpi parse_mpi(std::string_view text);

struct Launch {
  int ranks = 0;                         ///< 0: all. Rank i is on host i / Wiring::per_host
  bool eager = false;                    ///< no handshake before large messages
  bool yields = true;                    ///< with the library that makes waiting ranks sleep
  std::vector<std::string> preload;      ///< more libraries for LD_PRELOAD, before that one
  std::vector<std::string> environment;  ///< NAME=VALUE for every rank
};

/// Options by which mpirun.openmpi or mpiexec.mpich, started on a host, starts its ranks on the others.
std::vector<std::string> mpi_flags(const Lab& lab, Mpi mpi, bool eager);
/// The whole command, to be run on host 0. Throws Error(argument) for more ranks than hosts have.
std::vector<std::string> mpi_command(const Lab& lab, Mpi mpi, const Launch& launch,
                                     const std::vector<std::string>& program);
/// The shared library beside this program that makes ranks without work sleep instead of poll.
std::string poll_library();

/// Replaces this process by a program on a node.
[[noreturn]] void run_on(const Lab& lab, int node, const std::vector<std::string>& command);
/// Runs a program on host 0 for at most so many seconds (0: as long as it takes), then ends every process of the lab.
/// Returns its exit status; 124 when it took too long, 128 + the signal when one ended it.
int run_for(const Lab& lab, double seconds, const std::vector<std::string>& command);

/// What mpirun starts ranks by: arguments "[-options] HOST WORD...", the words being a line for the shell.
[[noreturn]] void serve_rsh(int argc, char** argv);

/// TCP between two hosts: how fast, and how long a byte takes there and back.
struct Probe {
  double bits_per_second = 0;
  double round_trip = 0;  ///< seconds, the median of 21
};
Probe probe(const Lab& lab, int from, int to, Bytes bytes);

}  // namespace quadrille::lab
