// The table [measured] of a machine file.
#pragma once

#include "machine/place.hpp"
#include "quadrille/machine_file.hpp"

namespace quadrille::machine {

MeasuredOn read_measured(const toml::node& node, const Place& place);
/// "[measured]" and its lines; "" when nothing is known.
std::string measured_toml(const MeasuredOn& measured);
/// A TOML basic string.
std::string toml_string(std::string_view text);

}  // namespace quadrille::machine
