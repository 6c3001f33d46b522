#include "cli/parts/measured_rules.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "cli/options/transport.hpp"

namespace quadrille::cli {

namespace {

using incumbents::Mpi;

/// The versions whose numbers of algorithms a test compares. Open MPI 5.0 gives calls between nodes to another
/// component, which would not heed what is forced.
void check_known(Mpi mpi, std::string_view library) {
  const std::string_view expected = mpi == Mpi::openmpi ? "Open MPI v4.1" : "MPICH Version: 4.0";
  if (!library.starts_with(expected))
    throw Error(Error::Kind::argument, fmt::format("--effort measure: the processes run {}; expected {}", library,
                                                   mpi == Mpi::openmpi ? "Open MPI 4.1" : "MPICH 4.0"));
}

}  // namespace

MeasuredHere measure_rules(Mpi mpi, Bytes most, Seconds seconds, console::Context& context) {
  if (!launched())
    throw Error(Error::Kind::argument,
                "--effort measure: this process was not started by an MPI; expected 'mpirun -n 8 quadrille rules ...'");
  // Open MPI reads this when it starts, and only then lets algorithms be forced.
  if (mpi == Mpi::openmpi) setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
  mpi::MpiLibrary* const library = open_transport("mpi", context);
  context.quiet = library->rank() != 0;
  context.colour = false;  // as in quadrille run
  library->agree([&] {
    check_known(mpi, library->name());
    if (library->ranks() < 2) throw Error(Error::Kind::argument, "nothing to choose for one rank; start more");
    return fmt::format("rules up to {} B in {} s", most, seconds);
  });
  incumbents::Measuring how;
  how.mpi = mpi;
  how.ranks = library->ranks();
  how.most = most;
  how.time = [&](const std::vector<incumbents::Setting>& settings, Collective c, Bytes block, Seconds enough) {
    mpi::MpiLibrary::Settings list;
    for (const incumbents::Setting& s : settings) list.emplace_back(s.name, s.value);
    return library->time_native(c, block, list, enough);
  };
  std::optional<Seconds> ties;  // when near ties were begun with
  how.over = [&] {
    const Seconds now = library->elapsed();
    if (!ties) ties = now;
    return now > *ties + seconds;
  };
  how.begun = [&](Collective c) { context.progress(fmt::format("measuring {}", to_string(c))); };
  return {incumbents::measured_rules(how), library->ranks(), std::string(library->name())};
}

}  // namespace quadrille::cli
