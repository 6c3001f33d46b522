// Rules files that others wrote: what they make an MPI do, and where they make it do something else than is meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::incumbents {

/// From so many bytes on, in a communicator of so many ranks, this algorithm.
struct Said {
  std::string collective, ranks, from;  ///< "bcast", "8 and more", "4096 bytes of the message"
  std::string algorithm, details;       ///< "pipeline (3)", "segments of 64KiB"
};
struct Explained {
  std::string form;                   ///< "rules of Open MPI 4.1 and 5.0"
  std::vector<Said> says;             ///< in the file's order
  std::vector<std::string> mistakes;  ///< with the line or the place; an MPI aborts, or does otherwise
  std::vector<std::string> remarks;   ///< what is allowed and may surprise
};

/// Tells the forms apart: integers, JSON with "collectives", JSON with "collective=..." keys. Throws Error(format) for
/// what is none of them.
Explained explain(const std::string& text);

Explained explain_openmpi_text(std::string_view text);
Explained explain_openmpi_json(const std::string& text);
Explained explain_mpich(const std::string& text);

}  // namespace quadrille::incumbents
