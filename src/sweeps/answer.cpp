// A finished sweep, read back with its question.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "collective/spec_json.hpp"
#include "planner/wisdom_line.hpp"
#include "quadrille/sweep.hpp"
#include "sweeps/row.hpp"

namespace quadrille {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_points = 1'000'000;

/// What all points share, what those of a network share, and the point's own size.
Spec point_of(const Json& question, const Json& network, const Json& bytes) {
  Json spec = network;
  spec["collective"] = question.at("collective");
  for (const char* key : {"root", "element", "operands", "bits"})
    if (question.contains(key)) spec[key] = question.at(key);
  spec["bytes"] = bytes;
  return collective::spec_from_json(spec);
}

void read_question(const Json& question, SweepAnswer& answer) {
  for (const Json& network : question.at("points")) {
    for (const Json& bytes : network.at("bytes")) {
      if (answer.points.size() == most_points)
        throw Error(Error::Kind::argument, fmt::format("more than {} points", most_points));
      answer.points.push_back(point_of(question, network, bytes));
    }
  }
  answer.machine = planner::parse_machine_line(question.at("machine").get<std::string>()).second;
  answer.choices = question.at("algorithms").size();
  answer.simulated = question.at("effort").get<std::string>() != to_string(Effort::estimate);
  if (answer.points.empty() || answer.choices == 0) throw Error(Error::Kind::format, "a question without points");
}

void add(SweepAnswer& answer, SweepRow row) {
  const std::size_t i = answer.rows.size();
  const auto damaged = [&](std::string_view why) {
    return Error(Error::Kind::format, fmt::format("row {} is damaged: {}", i + 1, why));
  };
  if (i >= answer.points.size() * answer.choices) throw damaged("more rows than the question has");
  const Spec& spec = answer.points[i / answer.choices];
  if (row.topology != spec.topology->text() || row.bytes != spec.bytes) throw damaged("it is of another point");
  const std::string text = row.algorithm + (row.params.empty() ? "" : ":" + row.params);
  if (parse_choice(text).algorithm->collective != spec.collective) throw damaged("it is of another collective");
  for (const auto& time : {row.price, row.simulated, std::optional(row.bound)})
    if (time && !(*time >= 0 && *time < 1e300)) throw damaged("a time is none");
  answer.rows.push_back(std::move(row));
}

}  // namespace

bool is_sweep_csv(std::string_view text) { return text.starts_with(sweeps::SweepText{SweepForm::csv}.magic()); }

SweepAnswer parse_sweep(std::string_view text) {
  SweepAnswer answer;
  try {
    if (is_sweep_csv(text)) {
      read_question(Json::parse(sweeps::take_csv_question(text)), answer);
      const sweeps::SweepText form{SweepForm::csv};
      while (auto row = form.next(text, answer.rows.empty())) add(answer, *std::move(row));
    } else {
      const Json json = Json::parse(text);
      read_question(json.at("question"), answer);
      for (const Json& row : json.at("rows")) add(answer, sweeps::parse_row(row));
    }
  } catch (const Json::exception&) {
    throw Error(Error::Kind::format, "expected the question and the rows of a sweep");
  }
  return answer;
}

}  // namespace quadrille
