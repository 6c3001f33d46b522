// How the command prints what an algorithm says of its closed form.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/algorithm.hpp"

namespace quadrille::cli {

/// "start-ups ...; bytes ...; further messages ...; where", as much of it as there is.
std::string to_text(const ClosedForm& form);
/// What the letters mean.
std::string_view closed_form_letters();

}  // namespace quadrille::cli
