// The document: everything the page shows, as JSON.
#include "base/text.hpp"
#include "quadrille/verify.hpp"
#include "quadrille/version.hpp"
#include "report/json.hpp"
#include "report/trace.hpp"

namespace quadrille {

namespace report {

namespace {

constexpr std::int64_t quick_visits = std::int64_t{1} << 24;  // for a proof or a count; a fraction of a second

Json candidate_json(const Candidate& c, const Plan& plan) {
  Json json = choice_json(*c.algorithm, c.params);
  json.update(cost_json(c.cost, plan.machine, *plan.spec.topology));
  json["exact"] = c.exact;
  return json;
}

Json algorithms_json(const Plan& plan) {
  Json json = Json::object();
  const auto add = [&](const Algorithm& a) { json[a.name] = {{"summary", a.summary}, {"source", a.source}}; };
  for (const Candidate& c : plan.candidates) add(*c.algorithm);
  for (const Refusal& r : plan.refused) add(*r.algorithm);
  return json;
}

Json proof_json(const Plan& plan, const Built& built) {
  try {
    const Proof proof = verify(plan.spec, plan.machine, *built.schedule, built.claims,
                               {.slots = std::int64_t{1} << 24, .visits = quick_visits});
    Json json{{"holds", proof.holds},
              {"statements", proof.statements},
              {"counterexample", counterexample_json(proof.counterexample)},
              {"deliveries", proof.deliveries},
              {"duplicates", proof.duplicates},
              {"by_symmetry", proof.by_symmetry}};
    if (combines(plan.spec)) json["result"] = proof.holds ? Json(results_text(plan.spec, proof)) : Json(nullptr);
    return json;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    return {{"holds", nullptr}, {"why_not", error.what()}};
  }
}

/// Every round with a message or a permutation, one list a column; null where counting takes too long.
Json rounds_json(const Plan& plan, const Built& built, Json& counted) {
  std::vector<RoundTraffic> rounds;
  Traffic traffic;
  try {
    traffic = count(plan.spec, plan.machine, *built.schedule, &rounds, {.visits = quick_visits});
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    counted = nullptr;
    return nullptr;
  }
  counted = cost_json(traffic.cost, plan.machine, *plan.spec.topology);
  counted["messages"] = traffic.messages;
  counted["contention"] = traffic.contention;
  counted["equals_formula"] = traffic.cost == built.formula;
  constexpr std::size_t most_rounds = 20'000;
  if (rounds.size() > most_rounds) return nullptr;
  Json json{{"round", Json::array()},         {"time_s", Json::array()},        {"messages", Json::array()},
            {"largest_bytes", Json::array()}, {"charged_bytes", Json::array()}, {"contention", Json::array()},
            {"hops", Json::array()},          {"copied_bytes", Json::array()},  {"barrier", Json::array()}};
  for (const RoundTraffic& r : rounds) {
    const Cost cost{.startups = r.messages > 0 ? 1 : 0,
                    .hops = r.hops,
                    .bytes = r.busiest,
                    .permuted = r.permuted,
                    .barriers = built.schedule->barrier(r.round) ? 1 : 0,
                    .packed = r.packed,
                    .combined = r.combined};
    json["round"].push_back(r.round);
    json["time_s"].push_back(seconds(cost, plan.machine, *plan.spec.topology));
    json["messages"].push_back(r.messages);
    json["largest_bytes"].push_back(r.largest);
    json["charged_bytes"].push_back(r.busiest);
    json["contention"].push_back(r.contention);
    json["hops"].push_back(r.hops);
    json["copied_bytes"].push_back(r.permuted + r.packed);
    json["barrier"].push_back(cost.barriers);
  }
  return json;
}

Json answer_json(const Plan& plan, const Built& built) {
  const Algorithm& a = *built.choice.algorithm;
  Json json = choice_json(a, built.choice.params);
  json.update(cost_json(built.formula, plan.machine, *plan.spec.topology));
  json["exact"] = built.claims.exact;
  json["summary"] = a.summary;
  json["source"] = a.source;
  Json meanings = Json::object();
  for (const Parameter& p : a.parameters) meanings[p.name] = p.meaning;
  json["parameters"] = meanings;
  return json;
}

Json document(const Plan& plan, const ReportOptions& options) {
  Json json{{"format", "quadrille-report"}, {"version", 3}};
  json["provenance"] = {{"program", "quadrille"}, {"version", QUADRILLE_VERSION}, {"command", options.command}};
  json["question"] = question(plan.spec, plan.machine);
  json["request"] = request_json(plan.spec);
  json["machine"] = machine_json(plan.machine);
  json["network"] = network_json(*plan.spec.topology);
  json["bound"] = bound_json(plan.bound, plan.spec, plan.machine);
  json["notes"] = options.notes;
  json["algorithms"] = algorithms_json(plan);
  Json candidates = Json::array(), refused = Json::array();
  for (const Candidate& c : plan.candidates) candidates.push_back(candidate_json(c, plan));
  for (const Refusal& r : plan.refused) refused.push_back({{"algorithm", r.algorithm->name}, {"reason", r.reason}});
  json["candidates"] = candidates;
  json["refused"] = refused;
  json["crossover"] = crossover_json(plan, options.measured);
  json["answer"] = nullptr;
  if (!plan.possible()) return json;
  Choice choice = options.choice;
  if (choice.algorithm == nullptr) choice = {plan.best().algorithm, plan.best().params};
  const Built built = build(plan.spec, plan.machine, choice);
  json["answer"] = answer_json(plan, built);
  json["runner_up"] = nullptr;
  if (const Candidate* second = plan.runner_up()) json["runner_up"] = candidate_json(*second, plan);
  json["proof"] = proof_json(plan, built);
  Json counted;
  json["rounds"] = rounds_json(plan, built, counted);
  json["counted"] = counted;
  json["events"] = counted.is_null() ? Json(nullptr) : events_json(plan, *built.schedule, counted["messages"]);
  json["schedule"] = schedule_json(plan.spec, *built.schedule);
  json["matrix"] = json["schedule"]["detail"] == "matrix" ? matrix_json(plan.spec, *built.schedule) : Json(nullptr);
  return json;
}

}  // namespace

}  // namespace report

std::string report_document(const Plan& plan, const ReportOptions& options) {
  return report::document(plan, options).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace quadrille
