// Tasks as commands write them to JSON, read back.
#pragma once

#include <cstdint>
#include <string>

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"
#include "report/json.hpp"

namespace quadrille::report {

/// The member "machine" of an answer. A machine with the constants of the preset of its name is that preset; others are
/// told to come from the file.
Machine machine_of(const Json& machine, const std::string& where);
/// The preset, if the machine has its name and constants; else the machine with `where` as the source of each constant.
Machine with_origins(Machine machine, const std::string& where);

}  // namespace quadrille::report
