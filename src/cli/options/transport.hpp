// Which ranks move the data: threads of this process, or the processes that an MPI has started together.
#pragma once

#include <string>

#include "mpi/mpi_library.hpp"
#include "quadrille/machine_file.hpp"

namespace quadrille::console {
class Context;
}

namespace quadrille::cli {

/// The rank this process has among those that were started together, by the environment of either MPI; 0: none told.
int launched_rank();

/// "openmpi" or "mpich". Throws Error(argument) where none has started this process.
std::string launching_mpi();
/// Whether one of them has started this process.
bool launched();
/// "mpi" in a process that was launched, else "threads".
std::string usual_transport();

/// Throws Error(argument) for a name that is none of "threads", "mpi", "openmpi", "mpich".
void check_transport(const std::string& transport);

/// Of --segment: -1, the usual one, for no text.
Bytes parse_segment(const std::string& text);

/// Throws Error(argument) unless as many processes were started as the network has nodes.
void check_started(const Topology& topology, const mpi::MpiLibrary& library);

/// How many computers the processes are on. Of all processes together.
UsedOn used_on(mpi::MpiLibrary& library);

/// Opens the library for "mpi", which is the MPI that started this process, or "openmpi", "mpich". Null for "threads".
/// It is open until the answer is written. Throws Error(argument) when nobody has started the process, or there is no
/// library.
mpi::MpiLibrary* open_transport(const std::string& transport, console::Context& context);

}  // namespace quadrille::cli
