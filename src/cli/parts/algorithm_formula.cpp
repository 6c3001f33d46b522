#include "cli/parts/algorithm_formula.hpp"

#include <fmt/format.h>

namespace quadrille::cli {

std::string to_text(const ClosedForm& form) {
  if (form.startups.empty()) return std::string(form.where.text);
  const std::string further = form.further.empty() ? "" : fmt::format("; further messages {}", form.further);
  return fmt::format("start-ups {}; bytes {}{}; {}", form.startups, form.bytes, further, form.where.text);
}

std::string_view closed_form_letters() {
  return "P ranks, n = log2 P; m bytes of a block, of the message in sendrecv and bcast; nu packets; D links to the "
         "farthest rank or the target; torus of R x C or s x s ranks, V = floor(R/2), H = floor(C/2); k what a medium "
         "serves at once; p paths, L links of the longest, S those of all less p";
}

}  // namespace quadrille::cli
