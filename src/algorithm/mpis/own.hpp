// Algorithms that Open MPI and MPICH have of their own, as schedules: "openmpi.bcast_chain:fanout=4:segment=8192". They
// can be asked for by name, and no plan proposes them.
#pragma once

#include <string_view>
#include <vector>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::mpis {

enum class Mpi { openmpi, mpich };

/// What rules for an MPI must know of one of its algorithms.
struct Own {
  Mpi mpi;
  int id;                                   ///< Open MPI's number in 4.1 to 6; MPICH has names only
  std::string_view name;                    ///< as the MPI calls it
  Algorithm algorithm;                      ///< named "openmpi.bcast_chain"
  std::string_view differs;                 ///< what the MPI does otherwise, in a sentence; empty: nothing that counts
  std::vector<std::int64_t> segments = {};  ///< sizes of segments that are worth trying; empty: it has none
  std::vector<std::int64_t> fanouts = {};   ///< the same of the parameter "fanout"
  /// Fails on communicators of other numbers of ranks, which an MPI's rules reach, too.
  bool here_only = false;
};
/// All of them, by MPI and collective, in the order of Open MPI's numbers.
const std::vector<Own>& all();
/// The algorithm of that name. Throws Error(argument) naming the known ones.
const Algorithm& find(std::string_view name);

constexpr std::string_view openmpi_prefix = "openmpi.", mpich_prefix = "mpich.";
inline bool is_own(std::string_view name) { return name.starts_with(openmpi_prefix) || name.starts_with(mpich_prefix); }

}  // namespace quadrille::algorithm::mpis
