#include "planner/wisdom_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "machine/keys.hpp"
#include "machine/links.hpp"
#include "planner/line_words.hpp"
#include "quadrille/sources.hpp"

namespace quadrille {

namespace {

/// "ports=one duplex=full ...".
std::string constants(const Machine& machine) {
  std::string text;
  for (const machine::MachineKey& key : machine::machine_keys()) {
    if (machine::is_left_out(key, machine)) continue;
    std::string value = machine::write_value(machine, key);
    std::erase(value, '"');
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key.name, value);
  }
  if (!machine.links.empty()) text += " links=" + machine::links_word(machine);
  return text;
}

template <class Value>
Value named(std::string_view text, const std::vector<Value>& all, std::string_view kind) {
  std::vector<std::string> known;
  for (const Value value : all) {
    if (to_string(value) == text) return value;
    known.emplace_back(to_string(value));
  }
  base::unknown_name("clock", text, kind, known);
}

void read_clock(std::string_view text, Question& question) {
  const auto parts = base::split(text, ',');
  if (parts.size() != 3)
    throw Error(Error::Kind::format,
                fmt::format("clock {}: expected EFFORT,ORDER,NETWORK or measure,ORDER,PLACE", base::quoted(text)));
  question.effort = named(parts[0], std::vector{Effort::simulate, Effort::measure}, "effort");
  question.order = named(parts[1], simulated_orders(), "order");
  if (question.effort == Effort::measure) {
    question.place = parts[2];
    const auto& places = measured_places();
    if (std::find(places.begin(), places.end(), question.place) == places.end())
      base::unknown_name("clock", question.place, "place", places);
    return;
  }
  question.network = named(parts[2], simulated_networks(), "network");
}

}  // namespace

}  // namespace quadrille

namespace quadrille::planner {

std::uint64_t checksum(std::string_view text) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return sum;
}

}  // namespace quadrille::planner

namespace quadrille {

std::string fingerprint(const Machine& machine) {
  return fmt::format("{:016x}", planner::checksum(constants(machine)));
}

}  // namespace quadrille

namespace quadrille::planner {

std::string question_text(const Question& question) {
  return fmt::format(
      "{} machine={} clock={},{},{}", to_text(question.spec), fingerprint(question.machine), to_string(question.effort),
      to_string(question.order),
      question.effort == Effort::measure ? std::string_view(question.place) : to_string(question.network));
}

std::string answer_line(std::string_view question, const Answer& answer) {
  return fmt::format("answer {} choice={} time={}", question, to_text(*answer.choice.algorithm, answer.choice.params),
                     answer.time);
}

std::string machine_line(const Machine& machine) {
  return fmt::format("machine {} {} {}", fingerprint(machine), one_word(machine.name), constants(machine));
}

Wisdom::Entry parse_answer_line(std::string_view line, const std::map<std::string, Machine, std::less<>>& machines) {
  const auto rest = line.find(" machine=");
  Words start(line.substr(0, rest));
  start.value("answer");
  if (rest == std::string_view::npos) throw Error(Error::Kind::format, "ends where machine= is expected");
  Question q;
  const auto first = static_cast<std::size_t>(start.next("a collective").data() - line.data());
  q.spec = parse_spec(line.substr(first, rest - first));
  Words words(line.substr(rest + 1));
  const std::string_view machine = words.value("machine=");
  const auto known = machines.find(machine);
  if (known == machines.end())
    throw Error(Error::Kind::format, fmt::format("machine {} has no line", base::quoted(machine)));
  q.machine = known->second;
  read_clock(words.value("clock="), q);
  Answer answer{parse_choice(words.value("choice=")), 0};
  answer.time = base::parse_number(words.value("time="), "time");
  words.finish();
  return {std::move(q), std::move(answer)};
}

std::pair<std::string, Machine> parse_machine_line(std::string_view line) {
  Words words(line);
  words.value("machine");
  const std::string name(words.next("a fingerprint"));
  Machine machine;
  machine.name = words.next("a name");
  for (const machine::MachineKey& key : machine::machine_keys()) {
    if (machine::may_be_missing(key) && !words.has(fmt::format("{}=", key.name))) continue;
    const std::string_view value = words.value(fmt::format("{}=", key.name));
    machine::read_value(machine, key, value, fmt::format("machine parameter {}", key.name));
  }
  if (words.has("links=")) machine::read_links_word(machine, words.value("links="));
  words.finish();
  check(machine);
  if (name != fingerprint(machine))
    throw Error(Error::Kind::format, fmt::format("fingerprint {} is not that of the constants beside it: {}",
                                                 base::quoted(name), fingerprint(machine)));
  if (machine_line(machine) != line)
    throw Error(Error::Kind::format, "is not as this program writes it: " + base::quoted(machine_line(machine)));
  return {name, std::move(machine)};
}

void check_answer(const Question& question, const Answer& answer) {
  const Algorithm& a = *answer.choice.algorithm;
  const std::string name = to_text(a, answer.choice.params);
  if (!(answer.time >= 0) || !std::isfinite(answer.time))
    throw Error(Error::Kind::argument, fmt::format("{}: its time is {}; expected seconds from 0", name, answer.time));
  if (a.collective != question.spec.collective)
    throw Error(Error::Kind::illegal, fmt::format("{} performs {}, not {}", name, to_string(a.collective),
                                                  to_string(question.spec.collective)));
  if (const std::string reason = a.illegal(question.spec, question.machine, answer.choice.params); !reason.empty())
    throw Error(Error::Kind::illegal,
                fmt::format("{} cannot run on {}: {}", name, question.spec.topology->text(), reason));
}

}  // namespace quadrille::planner
