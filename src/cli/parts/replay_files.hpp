// The text of an application's trace: one file, or as smpirun records it a list of files, one for each rank.
#pragma once

#include <string>

namespace quadrille::cli {

struct TraceText {
  std::string text;
  std::string name;  ///< for messages
};

/// A file whose first line names another file is a list of files, beside it or in the folder at hand: their text
/// follows one after the other. Throws Error(argument) for one that cannot be read, and Error(budget) for more text or
/// files than an application has.
TraceText read_trace(const std::string& path);

}  // namespace quadrille::cli
