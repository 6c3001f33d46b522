// How the program `quadrille`, which is linked with no MPI, gets at one: it opens the library that belongs to the MPI
// it was started by, and finds this. See docs/decisions/0010-one-program-any-mpi.md.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/run.hpp"

namespace quadrille::mpi {

/// MPI as long as it lives, with all processes that were started together.
class MpiLibrary {
 public:
  virtual ~MpiLibrary() = default;
  virtual Rank rank() const = 0;
  virtual Rank ranks() const = 0;
  virtual std::string_view name() const = 0;  ///< "Open MPI v4.1.4"
  /// As Peers::agree: throws the same Error on all ranks when `prepare` throws on one, or gives other text there.
  virtual void agree(const std::function<std::string()>& prepare) = 0;
  /// Seconds since the library was opened, by the clock of the rank where most have passed; the same on all ranks.
  virtual Seconds elapsed() = 0;
  /// What every rank calls the computer it is on. Of all ranks together.
  virtual std::vector<std::string> hosts() = 0;
  /// The text of rank 0 on all ranks.
  virtual std::string from_first(std::string text) = 0;
  /// As communicator::run, on the spec's topology, with messages in pieces of `segment` bytes; 0: whole; -1: the usual.
  /// What goes wrong on one rank alone ends all processes, with a line on stderr and exit status 1.
  virtual RunResult run(const Spec& spec, const Schedule& schedule, const RunOptions& options, Bytes segment) = 0;
  /// What a call of MPI's own takes with control variables of its tools interface set: the median over some repetitions
  /// of the slowest rank's time, the same on all ranks. Infinite where it has no such variable or refuses the value. A
  /// call that takes longer than four times `enough` is timed once.
  using Settings = std::vector<std::pair<std::string, int>>;
  virtual Seconds time_native(Collective collective, Bytes block, const Settings& settings, Seconds enough) = 0;
};

/// The library's entry: starts MPI. Null when the library is of another version than the program.
using OpenLibrary = MpiLibrary* (*)(const char* version);
constexpr const char* open_library_name = "quadrille_mpi_open";

}  // namespace quadrille::mpi
