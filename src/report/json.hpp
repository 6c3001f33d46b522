// The parts of a report's document.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "quadrille/price.hpp"
#include "quadrille/report.hpp"
#include "quadrille/verify.hpp"

namespace quadrille::report {

using Json = nlohmann::ordered_json;

/// What kinds of links cost, and back.
Json links_json(const Machine& machine);
void read_links(const Json& json, Machine& machine);
Json cost_json(const Cost& cost, const Machine& machine, const Topology& topology);
Json params_json(const Params& params);
Json choice_json(const Algorithm& algorithm, const Params& params);
/// With the links that each argument counts on.
Json bound_json(const Bound& bound, const Spec& spec, const Machine& machine);
/// Null where there is none.
Json counterexample_json(const std::optional<Counterexample>& counterexample);

/// The request as a question that a person would ask, and in parts.
std::string question(const Spec& spec, const Machine& machine);
Json request_json(const Spec& spec);
/// "machine": the constants with the source of each.
Json machine_json(const Machine& machine);
/// "network": what is needed to draw it.
Json network_json(const Topology& topology);
/// "schedule": every rank's actions, or messages without their blocks, or the traffic between groups of ranks.
Json schedule_json(const Spec& spec, const Schedule& schedule);
/// "matrix": bytes between groups of ranks; null where counting them takes too long.
Json matrix_json(const Spec& spec, const Schedule& schedule);
/// "events": what ranks do when, by the simulator; null where it takes too long or cannot play the schedule.
Json events_json(const Plan& plan, const Schedule& schedule, std::int64_t messages);
/// "crossover": time against size for every algorithm that can run, the limit, and where the best one changes.
Json crossover_json(const Plan& plan, const std::vector<Measurement>& measured);

}  // namespace quadrille::report
