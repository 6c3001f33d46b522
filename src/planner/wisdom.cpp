#include "quadrille/wisdom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/text.hpp"
#include "files/file.hpp"
#include "planner/trial_line.hpp"
#include "planner/wisdom_line.hpp"
#include "quadrille/verify.hpp"

namespace quadrille {

namespace {

constexpr std::string_view header = "quadrille wisdom 1\n";
constexpr std::size_t most_bytes = std::size_t{1} << 26;

[[noreturn]] void refuse_file(const std::string& where, std::string_view why) {
  throw Error(Error::Kind::format, fmt::format("wisdom file {}: {}", base::quoted(where, 200), why));
}

std::string last_line(std::size_t lines, std::string_view sealed) {
  return fmt::format("end {} {:016x}\n", lines, planner::checksum(sealed));
}

/// The lines between header and last line, once both are as they should be.
std::string_view unsealed(std::string_view text, const std::string& where) {
  if (text.starts_with('{') && text.find("\"quadrille verdicts 1\"") != std::string_view::npos)
    refuse_file(where,
                "has the results of trials in the form of before, JSON, which is read no more; delete it, and the "
                "next QUADRILLE=trial finds them anew");
  if (!text.starts_with("quadrille wisdom "))
    refuse_file(where, text.empty() ? "is empty; expected 'quadrille wisdom 1' in its first line"
                                    : "is not wisdom: expected 'quadrille wisdom 1' in its first line");
  if (!text.starts_with(header)) {
    const std::string_view first = text.substr(0, text.find('\n'));
    refuse_file(where, fmt::format("{} is of another version; this program reads version 1", base::quoted(first, 40)));
  }
  const auto end = text.rfind("\nend ");
  if (end == std::string_view::npos || !text.ends_with('\n'))
    refuse_file(where, "is cut off: its last line is missing");
  const std::string_view sealed = text.substr(0, end + 1);
  const auto lines = static_cast<std::size_t>(std::count(sealed.begin(), sealed.end(), '\n')) - 1;
  if (text.substr(end + 1) != last_line(lines, sealed))
    refuse_file(where, "is damaged: its lines do not agree with the checksum in the last one");
  return sealed.substr(header.size());
}

}  // namespace

Wisdom Wisdom::parse(std::string_view text, const std::string& where) {
  std::string_view rest = unsealed(text, where);
  Wisdom wisdom;
  std::map<std::string, Machine, std::less<>> machines;
  std::vector<std::pair<std::size_t, std::string_view>> answers;
  std::string_view before;
  for (std::size_t number = 2; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const auto at = [&] { return fmt::format("line {}", number); };
    if (line == before) refuse_file(where, at() + " is there twice");
    if (line < before) refuse_file(where, at() + " is out of order; lines are sorted");
    before = line;
    if (line.starts_with("answer ")) {
      answers.emplace_back(number, line);
      continue;
    }
    try {
      if (line.starts_with("trial ")) {
        wisdom.add_trial(line);
        continue;
      }
      if (!line.starts_with("machine ")) throw Error(Error::Kind::format, "expected 'answer', 'machine' or 'trial'");
      auto [name, machine] = planner::parse_machine_line(line);
      if (!machines.emplace(name, std::move(machine)).second)
        throw Error(Error::Kind::format, fmt::format("machine {} is there twice", name));
    } catch (const Error& error) {
      refuse_file(where, fmt::format("{}: {}", at(), error.what()));
    }
  }
  for (const auto& [number, line] : answers) {
    try {
      wisdom.add_line(line, machines);
    } catch (const Error& error) {
      refuse_file(where, fmt::format("line {}: {}", number, error.what()));
    }
  }
  if (wisdom.text() != text) refuse_file(where, "names machines that no answer is for");
  return wisdom;
}

void Wisdom::add_line(std::string_view line, const std::map<std::string, Machine, std::less<>>& machines) {
  Entry entry = planner::parse_answer_line(line, machines);
  planner::check_answer(entry.question, entry.answer);
  std::string key = planner::question_text(entry.question);
  if (planner::answer_line(key, entry.answer) != line)
    throw Error(Error::Kind::format,
                "is not as this program writes it: " + base::quoted(planner::answer_line(key, entry.answer)));
  if (!entries_.emplace(std::move(key), std::move(entry)).second)
    throw Error(Error::Kind::format, "answers the question of another line");
}

void Wisdom::add_trial(std::string_view line) {
  TrialResult result = planner::parse_trial_line(line);
  planner::check_result(result);
  std::string key = planner::trial_text(result.trial);
  if (planner::trial_line(key, result) != line)
    throw Error(Error::Kind::format,
                "is not as this program writes it: " + base::quoted(planner::trial_line(key, result)));
  if (!trials_.emplace(std::move(key), std::move(result)).second)
    throw Error(Error::Kind::format, "is of the same trial as another line");
}

std::string Wisdom::text() const {
  std::vector<std::string> lines;
  for (const auto& [key, result] : trials_) lines.push_back(planner::trial_line(key, result));
  std::map<std::string, std::string> machines;
  for (const auto& [key, entry] : entries_) {
    lines.push_back(planner::answer_line(key, entry.answer));
    std::string line = planner::machine_line(entry.question.machine);
    std::string& known = machines[fingerprint(entry.question.machine)];  // of several names for it the first
    if (known.empty() || line < known) known = std::move(line);
  }
  for (auto& [name, line] : machines) lines.push_back(std::move(line));
  std::sort(lines.begin(), lines.end());
  std::string all(header);
  for (const std::string& line : lines) all += line + '\n';
  return all + last_line(lines.size(), all);
}

Recalled Wisdom::recall(const Question& question, const VerifyBudget& budget) const {
  const auto found = entries_.find(planner::question_text(question));
  if (found == entries_.end()) {
    const bool other = std::any_of(entries_.begin(), entries_.end(), [&](const auto& e) {
      const Machine& m = e.second.question.machine;
      return m.name == question.machine.name && fingerprint(m) != fingerprint(question.machine);
    });
    return {{},
            other ? fmt::format("it knows machine {} with other constants only", base::quoted(question.machine.name))
                  : "it has no answer to this question"};
  }
  Answer answer = found->second.answer;
  try {
    planner::check_answer(question, answer);
    const Built built = build(question.spec, question.machine, answer.choice);
    const Proof proof = verify(question.spec, question.machine, *built.schedule, built.claims, budget);
    if (!proof.holds) return {{}, "its answer is wrong: " + proof.counterexample->text};
    answer.choice = built.choice;
    return {std::move(answer), {}, false, combines(question.spec) ? results_text(question.spec, proof) : ""};
  } catch (const Error& error) {
    return {{}, fmt::format("its answer cannot be used: {}", error.what()), error.kind() == Error::Kind::budget};
  }
}

void Wisdom::put(const Question& question, const Answer& answer) {
  planner::check_answer(question, answer);
  entries_.insert_or_assign(planner::question_text(question), Entry{question, answer});
}

const TrialResult* Wisdom::find(const Trial& trial) const {
  const auto found = trials_.find(planner::trial_text(trial));
  return found == trials_.end() ? nullptr : &found->second;
}

void Wisdom::put(const TrialResult& result) {
  planner::check_result(result);
  trials_.insert_or_assign(planner::trial_text(result.trial), result);
}

void Wisdom::merge(const Wisdom& other) {
  for (const auto& [key, theirs] : other.trials_) {
    const auto [mine, added] = trials_.emplace(key, theirs);
    const auto rank = [](const TrialResult& r) { return std::tuple(r.chosen, r.choice, r.native); };
    if (!added && rank(theirs) < rank(mine->second)) mine->second = theirs;
  }
  for (const auto& [key, theirs] : other.entries_) {
    const auto [mine, added] = entries_.emplace(key, theirs);
    if (added) continue;
    const auto rank = [](const Entry& e) {
      return std::pair(e.answer.time, to_text(*e.answer.choice.algorithm, e.answer.choice.params));
    };
    Entry& kept = mine->second;
    if (theirs.question.machine.name < kept.question.machine.name) kept.question.machine = theirs.question.machine;
    if (rank(theirs) < rank(kept)) kept.answer = theirs.answer;
  }
}

std::size_t Wisdom::forget(const std::function<bool(const Entry&)>& unwanted) {
  return std::erase_if(entries_, [&](const auto& e) { return unwanted(e.second); });
}

std::size_t Wisdom::forget_trials(const std::function<bool(const TrialResult&)>& unwanted) {
  return std::erase_if(trials_, [&](const auto& t) { return unwanted(t.second); });
}

Wisdom load_wisdom(const std::string& path) {
  return Wisdom::parse(files::read_file(path, most_bytes, "wisdom file"), path);
}

void update_wisdom(const std::string& path, const std::function<void(Wisdom&)>& change) {
  if (files::is_standard_output(path))
    throw Error(Error::Kind::argument, "wisdom file -: is read and written; expected the name of a file");
  const files::FileLock lock(path);
  std::error_code ignored;
  Wisdom wisdom = std::filesystem::exists(path, ignored) ? load_wisdom(path) : Wisdom{};
  change(wisdom);
  files::write_file(path, wisdom.text());
}

}  // namespace quadrille
