// The JSON forms that several commands share. Keys are stable; times are in seconds and end in _s; counts are numbers.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/options/request.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::cli {

using Json = nlohmann::ordered_json;

Json json_of(const Spec& spec);
Json json_of(const Machine& machine);
/// Null when nothing is known.
Json json_of(const MeasuredOn& measured);
/// Opens every answer about a task: "spec", "machine" and "machine_notes".
Json json_of(const Task& task);
Json json_of(const Params& params);
/// "counts", "price_s" and "parts" of a cost on a task's machine and wires.
Json json_of(const Cost& cost, const Task& task);
Json json_of(const Bound& bound, const Task& task);
/// "state", "visits" that were allowed, whether the price was "counted", and "why" not; null where nobody asked.
Json json_of(const Assurance& assurance);
/// "algorithm" (name), "params" and "choice" (both in one text).
Json json_of(const Algorithm& algorithm, const Params& params);

}  // namespace quadrille::cli
