// The algorithms that Open MPI and MPICH have of their own, priced as schedules of ours, and files that make them
// choose.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithm.hpp"

namespace quadrille::incumbents {

enum class Mpi { openmpi, mpich };

/// One of an MPI's algorithms, and the choice of ours that sends the same messages in the same rounds.
struct Incumbent {
  Mpi mpi;
  Collective collective;
  int id;                     ///< Open MPI's number; MPICH has names only
  std::string_view name;      ///< as the MPI calls it
  std::string_view choice;    ///< ours
  Bytes segment = 0;          ///< of messages that it cuts: packets of this size
  bool power_of_two = false;  ///< on other numbers of ranks it does otherwise than ours
};
const std::vector<Incumbent>& incumbents();

/// From so many bytes of a block on, this one.
struct Rule {
  Bytes from = 0;
  const Incumbent* use = nullptr;
  Seconds time = 0;  ///< of a block of `from` bytes; of the first, of the smallest that was priced
};
struct Rules {
  Collective collective = Collective::bcast;
  Rank ranks = 0;
  std::vector<Rule> rules;  ///< increasing; the first is from 0
};

/// The time of an incumbent's algorithm on the network: ours for any network of as many ranks, its messages counted on
/// this network's routes. None where it does otherwise on so many ranks.
std::optional<Seconds> price_of(const Incumbent& incumbent, const Spec& spec, const Machine& machine);

/// The best of an MPI's own for every size from 8 bytes to `most`, by powers of two, for every collective that has
/// several. Throws Error(illegal) where nodes that are no ranks take part.
std::vector<Rules> best_rules(Mpi mpi, const TopologyPtr& topology, const Machine& machine, Bytes most);

/// A rules file of Open MPI's coll/tuned, 4.1 and 5.0. `comment` goes into its first line.
std::string openmpi_text(const std::vector<Rules>& rules, std::string_view comment);
/// Throws Error(format) with the line for what such a file must not have; Open MPI itself takes a file with a number
/// too few, and means something else by it.
void check_openmpi_text(std::string_view text);

/// The selection of MPICH 4.0: all its collectives, as one that is missing aborts where it is called.
std::string mpich_text(const std::vector<Rules>& rules);

}  // namespace quadrille::incumbents
