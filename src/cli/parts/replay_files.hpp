// The text of an application's trace: one file, or as smpirun records it a list of files, one for each rank.
#pragma once

#include <string>

#include "files/mapped.hpp"

namespace quadrille::cli {

struct TraceText {
  files::MappedFile file;  ///< of one file
  std::string joined;      ///< of several
  std::string name;        ///< for messages
  std::string_view text() const { return joined.empty() ? file.text() : std::string_view(joined); }
};

/// A file whose first line names another file is a list of files, beside it or in the folder at hand: their text
/// follows one after the other. Throws Error(argument) for one that cannot be read, and Error(budget) for more text or
/// files than an application has.
TraceText read_trace(const std::string& path);

}  // namespace quadrille::cli
