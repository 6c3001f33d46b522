// The closed forms of the algorithms as text, for the overview. What the library prices with is Algorithm::cost; a test
// evaluates these texts against it.
#pragma once

#include <string>
#include <string_view>

namespace quadrille::cli {

/// Start-ups and bytes on the busiest link or port, on one kind of network; empty texts where both are counted.
struct ClosedForm {
  std::string_view algorithm;
  std::string_view startups, bytes;
  std::string_view where;  ///< network, and what else is meant: wires, parameters, divisibility
  /// Messages that the busiest rank of a round sends or receives beyond its first, over all rounds; empty: none.
  std::string_view further = {};
};
/// What `further` says where it is found by looking at the ranks.
inline constexpr std::string_view counted = "counted";
/// "start-ups ...; bytes ...; further messages ...", as much of it as there is.
std::string to_text(const ClosedForm& form);

/// Throws std::out_of_range for a name that has none.
const ClosedForm& closed_form(std::string_view algorithm);

/// What the letters mean.
std::string_view closed_form_letters();

}  // namespace quadrille::cli
