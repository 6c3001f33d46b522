// What is known of a run when it does not get to MPI_Finalize: ended by MPI_Abort, by a signal such as a scheduler's at
// the time limit, or by a crash. Nothing here knows MPI.
#pragma once

#include <string>

#include "dropin/report/file_state.hpp"

namespace quadrille::dropin {

/// A report as it would be written now.
struct Texts {
  std::string table = {}, json = {}, wisdom = {};  ///< empty: not written
  FileState wisdom_instead = {};                   ///< of this file; another one or a changed one stays
};

/// Keeps texts, and writes them when the program is ended by a signal or calls exit(). A handler may do little, so the
/// texts are ready before, and written by open, write and rename alone. The program's own handlers are called
/// afterwards; those that it installs later are left alone, and then nothing is written at their signals. A child of
/// fork() writes nothing.
namespace last_report {

/// From now on. An empty name: no such file. `first`: of all ranks, the one that SIGTERM and the like are meant for.
void begin(const std::string& report_file, const std::string& wisdom_file, bool first);
/// What would be written from now on. Called by one thread.
void prepare(Texts texts);
/// Writes it, once; nothing where nothing was prepared.
void write(const char* reason);
/// The run ends as it should: nothing is written any more, and the handlers that were there are back.
void end();

}  // namespace last_report

}  // namespace quadrille::dropin
