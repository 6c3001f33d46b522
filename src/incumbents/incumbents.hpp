// Which of its own algorithms an MPI should take on a network, and files that make it do so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithm/mpis/own.hpp"

namespace quadrille::incumbents {

using algorithm::mpis::Mpi;
using algorithm::mpis::Own;

/// One of an MPI's algorithms with values for what its rules can say of it.
struct Candidate {
  const Own* own = nullptr;
  Params params = {};
  Bytes segment() const { return params.get("segment", 0); }
  std::int64_t fanout() const { return params.get("fanout", 0); }
  std::string choice() const { return to_text(own->algorithm, params); }
  bool operator==(const Candidate&) const = default;
};
/// Every algorithm of the MPI for the collective, with each segment and fan-out that is worth trying.
std::vector<Candidate> candidates(Mpi mpi, Collective collective);

/// From so many bytes of a block on, this one.
struct Rule {
  Bytes from = 0;
  Candidate use;
  Seconds time = 0;  ///< of the smallest size of those that were tried for which it is the best
};
struct Rules {
  Collective collective = Collective::bcast;
  Rank ranks = 0;
  std::vector<Rule> rules;  ///< increasing; the first is from 0
};

/// By what an algorithm's time is known: its price, or a simulation in which ranks go on when their own messages are
/// through, and messages share links.
enum class By { price, simulation };
/// Infinite where it cannot run, or takes longer than `enough`.
Seconds time_of(const Candidate& candidate, const Spec& spec, const Machine& machine, By by, Seconds enough);

struct Asked {
  Mpi mpi;
  TopologyPtr topology;
  Machine machine;
  Bytes most = Bytes{4} << 20;
  By by = By::price;
};
/// The best for every size from 8 bytes to `most`, by powers of two; between them where two curves cross. Throws
/// Error(illegal) where nodes that are no ranks take part.
std::vector<Rules> best_rules(const Asked& asked);
/// The one that is best for all sizes alike: the least geometric mean of its time over the best one's.
std::vector<Rules> best_for_all_sizes(const Asked& asked);

/// A rules file of Open MPI's coll/tuned, 4.1 and 5.0. `comment` goes into its first line.
std::string openmpi_text(const std::vector<Rules>& rules, std::string_view comment);
/// The same as JSON, which Open MPI 6 reads.
std::string openmpi_json(const std::vector<Rules>& rules);

/// The selection of MPICH 4.0: all its collectives, as one that is missing aborts where it is called.
std::string mpich_text(const std::vector<Rules>& rules);
/// Settings of MPICH, one a line: an algorithm for all sizes.
std::string mpich_settings(const std::vector<Rules>& rules);

}  // namespace quadrille::incumbents
