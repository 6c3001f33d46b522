#include "report/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_members.hpp"
#include "base/text.hpp"
#include "collective/spec_json.hpp"
#include "files/file.hpp"
#include "quadrille/price.hpp"
#include "report/answers_json.hpp"

namespace quadrille::report {

namespace {

using report::Json;

constexpr std::size_t most_bytes_of_answers = std::size_t{1} << 26;
constexpr std::string_view validated = "network,mpi,collective,bytes,way,chosen,predicted_s,measured_s,";

Error foreign() {
  return Error(Error::Kind::format,
               "not an answer of Quadrille; expected the JSON of 'quadrille run', simulate, plan, price or verify with "
               "--json, the CSV or JSON of 'quadrille sweep', or the CSV of 'quadrille-lab validate'");
}

Seconds checked_time(double time, std::string_view key) {
  if (!(time >= 0) || !std::isfinite(time))
    throw Error(Error::Kind::format, fmt::format("'{}' is {}; expected seconds from 0", key, time));
  return time;
}

Choice choice_of(const Json& json, Collective collective) {
  Choice choice = parse_choice(base::text_member(json, "choice"));
  if (choice.algorithm->collective != collective)
    throw Error(Error::Kind::format, fmt::format("{} performs {}, not {}", choice.algorithm->name,
                                                 to_string(choice.algorithm->collective), to_string(collective)));
  return choice;
}

/// A word of ours, or none.
std::string word(const Json& json, const char* key, const std::vector<std::string_view>& known) {
  const std::string text = base::text_member(json, key);
  if (std::find(known.begin(), known.end(), text) != known.end()) return text;
  throw Error(Error::Kind::format, fmt::format("'{}' is {}; expected one of Quadrille's", key, base::quoted(text)));
}

std::string clock_words(const Json& json) {
  std::vector<std::string_view> orders, networks;
  for (const Network network : simulated_networks()) networks.push_back(to_string(network));
  for (const Order order : simulated_orders()) orders.push_back(to_string(order));
  return fmt::format("simulated, {}, {} network", word(json, "order", orders), word(json, "network", networks));
}

void read_candidates(const Json& json, FinishedAnswer answer, FinishedFile& file) {
  const Json& candidates = base::member(json, "candidates");
  for (const Json& candidate : candidates) {
    if (base::member(candidate, "simulated_s").is_null()) continue;
    answer.choice = choice_of(candidate, answer.spec.collective);
    answer.time = checked_time(base::number_member(candidate, "simulated_s"), "simulated_s");
    answer.label = clock_words(json);
    file.answers.push_back(answer);
  }
  if (file.answers.empty()) file.answers.push_back(std::move(answer));
}

void read_proofs(const Json& json, FinishedAnswer answer, FinishedFile& file) {
  const Json& proofs = base::member(json, "proofs");
  const Json& holds = base::member(json, "holds");
  if (!proofs.is_array() || !holds.is_boolean()) throw foreign();
  file.notes.push_back(
      fmt::format("{}: {} by 'quadrille verify'", file.where,
                  holds.get<bool>()
                      ? fmt::format("{} proven right", proofs.size() == 1 ? "its algorithm was" : "all algorithms were")
                      : "not every algorithm was proven right"));
  if (proofs.size() == 1) answer.choice = choice_of(proofs[0], answer.spec.collective);
  file.answers.push_back(std::move(answer));
}

/// The key that is there: the name of today, or the one that files written before 0.2 have.
const char* first_of(const Json& json, const char* today, const char* before) {
  return json.contains(today) ? today : json.contains(before) ? before : nullptr;
}

/// The JSON of a command about one task.
void read_task(const Json& json, FinishedFile& file) {
  FinishedAnswer answer{.spec = collective::spec_from_json(base::member(json, "spec"))};
  file.machine = report::machine_of(base::member(json, "machine"), file.where);
  if (json.contains("candidates")) return read_candidates(json, std::move(answer), file);
  if (json.contains("proofs")) return read_proofs(json, std::move(answer), file);
  answer.choice = choice_of(json, answer.spec.collective);
  if (const char* key = first_of(json, "simulated_s", "makespan_s")) {
    answer.time = checked_time(base::number_member(json, key), key);
    answer.label = clock_words(json);
  } else if (const char* clock = first_of(json, "measured_s", "median_s")) {
    answer.time = checked_time(base::number_member(json, clock), clock);
    answer.label = word(json, "transport", {"threads", "mpi"}) == "mpi" ? "run over MPI" : "run on threads";
  } else if (!json.contains("formula")) {
    throw foreign();
  }
  file.answers.push_back(std::move(answer));
}

void read_sweep(std::string_view text, FinishedFile& file) {
  const SweepAnswer& sweep = file.sweep.emplace(parse_sweep(text));
  file.machine = report::with_origins(sweep.machine, file.where);
  for (std::size_t i = 0; i < sweep.rows.size(); ++i) {
    const SweepRow& row = sweep.rows[i];
    if (!row.simulated) continue;
    const std::string choice = row.algorithm + (row.params.empty() ? "" : ":" + row.params);
    file.answers.push_back(
        {sweep.points[i / sweep.choices], parse_choice(choice), row.simulated, "simulated by the sweep"});
  }
  for (const Spec& point : sweep.points) file.answers.push_back({.spec = point});
}

/// A line of quadrille-lab validate: the way is in quotes, and so is a network with commas in its name.
FinishedAnswer validated_line(std::string_view line) {
  const std::size_t close = line.rfind('"');
  const std::size_t open = close == std::string_view::npos || close == 0 ? close : line.rfind('"', close - 1);
  if (open == std::string_view::npos || open == close) throw foreign();
  const std::size_t quoted = line.starts_with('"') ? line.find('"', 1) : 0;
  if (quoted >= open && quoted > 0) throw foreign();
  auto front = base::split(line.substr(quoted, open - quoted), ',');
  const auto back = base::split(line.substr(close + 1), ',');
  if (quoted > 0) front.front() = line.substr(1, quoted - 1);
  if (front.size() != 5 || back.size() != 7) throw foreign();
  FinishedAnswer answer;
  const auto collective = find_collective(front[2]);
  if (!collective) throw Error(Error::Kind::format, fmt::format("collective {} is unknown", base::quoted(front[2])));
  answer.spec.collective = *collective;
  answer.spec.topology = parse_topology(front[0]);
  answer.spec.bytes = base::parse_integer(front[3], 0, std::int64_t{1} << 62, "bytes");
  answer.spec = checked(std::move(answer.spec));
  const std::string_view way = line.substr(open + 1, close - open - 1);
  const bool native = way == "native";
  if (!native) answer.choice = parse_choice(way);
  if (!native && answer.choice.algorithm->collective != *collective)
    throw Error(Error::Kind::format, fmt::format("{} does not perform {}", base::quoted(way), front[2]));
  answer.time = checked_time(base::parse_number(back[3], "measured_s"), "measured_s");
  const std::string mpi = front[1] == "openmpi" ? "Open MPI" : front[1] == "mpich" ? "MPICH" : "MPI";
  answer.label = native ? "collective of " + mpi : "run over " + mpi;
  return answer;
}

void read_validated(std::string_view text, FinishedFile& file) {
  std::size_t number = 0;
  for (std::string_view line : base::split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1 || line.empty() || line.starts_with(validated)) continue;
    try {
      file.answers.push_back(validated_line(line));
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("line {}: {}", number, error.what()));
    }
  }
  if (file.answers.empty()) throw Error(Error::Kind::format, "nothing was measured");
}

void read_any(std::string_view text, FinishedFile& file) {
  if (is_sweep_csv(text)) return read_sweep(text, file);
  if (text.starts_with(validated)) return read_validated(text, file);
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw foreign();
  if (json.contains("rows") && json.contains("question")) return read_sweep(text, file);
  if (!json.contains("spec") || !json.contains("machine")) throw foreign();
  read_task(json, file);
}

}  // namespace

FinishedFile parse_answers(std::string_view text, const std::string& where) {
  FinishedFile file{.where = where, .machine = {}, .answers = {}, .notes = {}};
  try {
    read_any(text, file);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", where, error.what()));
  }
  return file;
}

FinishedFile read_answers(const std::string& path) {
  return parse_answers(files::read_file(path, most_bytes_of_answers, "answers"), base::quoted(path, 200));
}

}  // namespace quadrille::report
