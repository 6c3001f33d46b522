// Members of a schedule in JSON, which files in that form and comments in others have.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "interchange/schedule_file.hpp"

namespace quadrille::interchange {

using Json = nlohmann::ordered_json;

/// All that is said of a schedule besides its steps.
Json head_json(const Written& written);
/// A file with everything but the steps of its table, whose list of ranks is empty. Throws Error(format) naming the
/// member that is missing or wrong.
ScheduleFile head_from_json(const Json& json);

/// {"send": 3, "out": [0, 4]}.
std::string transfer_text(const Transfer& transfer);
/// Reads that back; throws Error(format).
Transfer transfer_from_json(const Json& json);

}  // namespace quadrille::interchange
