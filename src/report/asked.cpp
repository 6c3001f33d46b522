// Which one question finished answers are about.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "planner/wisdom_line.hpp"
#include "report/answers.hpp"
#include "report/sizes.hpp"

namespace quadrille::report {

namespace {

bool meant(const Spec& s, const Asked& asked) {
  return (!asked.collective || s.collective == *asked.collective) &&
         (!asked.topology || s.topology->text() == asked.topology->text());
}

/// Some of the questions, for a message.
std::string list(const std::vector<std::string>& keys) {
  constexpr std::size_t shown = 5;
  std::vector<std::string> some;
  for (const std::string& k : keys)
    if (some.size() < shown) some.push_back(k.substr(0, 80));
  return base::join(some, "; ") + (keys.size() > shown ? fmt::format("; and {} more", keys.size() - shown) : "");
}

/// Some hundreds are enough for a message.
void note(std::vector<std::string>& keys, std::string text) {
  if (keys.size() < 500 && std::find(keys.begin(), keys.end(), text) == keys.end()) keys.push_back(std::move(text));
}

std::optional<Machine> common_machine(const std::vector<FinishedFile>& files) {
  const FinishedFile* first = nullptr;
  for (const FinishedFile& file : files) {
    if (!file.machine) continue;
    if (first == nullptr) first = &file;
    if (fingerprint(*file.machine) != fingerprint(*first->machine))
      throw Error(Error::Kind::argument,
                  fmt::format("{} is of machine {} and {} of machine {}, with other constants; --machine says which to "
                              "price with",
                              first->where, first->machine->name, file.where, file.machine->name));
  }
  return first == nullptr ? std::nullopt : first->machine;
}

/// The answer of the middle size, with the size asked for.
Spec chosen_size(std::vector<const FinishedAnswer*> answers, std::optional<Bytes> bytes) {
  std::stable_sort(answers.begin(), answers.end(),
                   [](const auto* a, const auto* b) { return a->spec.bytes < b->spec.bytes; });
  answers.erase(std::unique(answers.begin(), answers.end(),
                            [](const auto* a, const auto* b) { return a->spec.bytes == b->spec.bytes; }),
                answers.end());
  const Spec& middle = answers[(answers.size() - 1) / 2]->spec;
  return bytes ? with_bytes(middle, *bytes) : middle;
}

}  // namespace

FinishedQuestion question_of(const std::vector<FinishedFile>& files, const Asked& asked, bool given_machine) {
  std::vector<std::string> all, keys, choices;
  std::vector<const FinishedAnswer*> answers;
  FinishedQuestion question;
  for (const FinishedFile& file : files) {
    question.notes.insert(question.notes.end(), file.notes.begin(), file.notes.end());
    for (const FinishedAnswer& answer : file.answers) {
      if (!meant(answer.spec, asked)) {
        note(all, text_without_size(answer.spec));
        continue;
      }
      note(keys, text_without_size(answer.spec));
      answers.push_back(&answer);
      std::string choice;
      if (answer.choice.algorithm != nullptr) {
        choice = to_text(*answer.choice.algorithm, answer.choice.params);
        note(choices, choice);
        question.choice = answer.choice;
      }
      if (answer.time && *answer.time > 0 && answer.spec.bytes > 0)
        question.times.push_back({static_cast<double>(answer.spec.bytes), *answer.time, answer.label, choice});
    }
  }
  if (answers.empty())
    throw Error(Error::Kind::argument, fmt::format("no answer is about that; there are: {}", list(all)));
  if (keys.size() > 1)
    throw Error(Error::Kind::argument,
                fmt::format("{} questions are answered; COLLECTIVE and TOPOLOGY say which is meant: {}", keys.size(),
                            list(keys)));
  if (choices.size() != 1) question.choice = {};
  if (!given_machine) question.machine = common_machine(files);
  question.spec = chosen_size(answers, asked.bytes);
  return question;
}

}  // namespace quadrille::report
