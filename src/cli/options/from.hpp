// Requests that come from finished answers: --from FILE, for report and plot.
#pragma once

#include <string>
#include <vector>

#include "cli/options/request.hpp"
#include "report/answers.hpp"

namespace quadrille::cli {

/// A request, typed or read from files, and what is shown beside it.
struct Source {
  Request request;
  std::vector<std::string> from;
  std::string measured;
  CLI::App* command = nullptr;
};
/// The options of a request, --from and --measured. COLLECTIVE and TOPOLOGY are required without --from.
void add_source(CLI::App& command, Source& source);

/// What was asked, and every time that was read.
struct Subject {
  Task task;
  Choice choice;  ///< asked for, or the only one in the files; without an algorithm: none
  std::vector<Measurement> times;
  std::vector<std::string> notes;
  std::vector<report::FinishedFile> files;
};
Subject read(const Source& source);

/// The options as typed, for the line that does it again.
std::string words(const Source& source);

}  // namespace quadrille::cli
