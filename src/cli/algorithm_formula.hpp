// The closed forms of the algorithms as text, for the overview. What the library prices with is Algorithm::cost; a test
// evaluates these texts against it.
#pragma once

#include <string_view>

namespace quadrille::cli {

/// Start-ups and bytes on the busiest link or port, on one kind of network; empty texts where both are counted.
struct ClosedForm {
  std::string_view algorithm;
  std::string_view startups, bytes;
  std::string_view where;  ///< network, and what else is meant: wires, parameters, divisibility
};

/// Throws std::out_of_range for a name that has none.
const ClosedForm& closed_form(std::string_view algorithm);

/// What the letters mean.
std::string_view closed_form_letters();

}  // namespace quadrille::cli
