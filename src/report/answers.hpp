// Finished answers read back from files, so that a report can show what came out beside what was planned.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/report.hpp"
#include "quadrille/sweep.hpp"

namespace quadrille::report {

/// One thing that a file answers, and the time in it.
struct FinishedAnswer {
  Spec spec;
  Choice choice = {};                ///< without an algorithm: of none in particular
  std::optional<Seconds> time = {};  ///< taken by a clock or simulated; none of prices and proofs
  std::string label = {};            ///< how: "simulated, dataflow, circuit network"
};

struct FinishedFile {
  std::string where;               ///< names the file in messages
  std::optional<Machine> machine;  ///< none where the file names none
  std::vector<FinishedAnswer> answers;
  std::vector<std::string> notes;         ///< sentences on what the file says beside times
  std::optional<SweepAnswer> sweep = {};  ///< if it is one
};

/// Reads the JSON of run, simulate, plan, price and verify, the CSV or JSON of a sweep, and the CSV of quadrille-lab
/// validate. Throws Error in one line that begins with `where`: for anything else, naming what is accepted, and for
/// what was cut or changed since it was written.
FinishedFile parse_answers(std::string_view text, const std::string& where);
/// The same of a file of at most 64 MiB.
FinishedFile read_answers(const std::string& path);

/// Which of the answers are meant, where there are several.
struct Asked {
  std::optional<Collective> collective = {};
  TopologyPtr topology = nullptr;
  std::optional<Bytes> bytes = {};
};

/// The one question that all answers are about.
struct FinishedQuestion {
  Spec spec;  ///< of the sizes there are the middle one
  std::optional<Machine> machine;
  Choice choice;  ///< the only one that the answers name; without an algorithm: there are several or none
  std::vector<Measurement> times;
  std::vector<std::string> notes;
};
/// Throws Error(argument) when the answers are to several questions, naming them, or to none of those asked for; and,
/// unless the machine is `given`, when their machines differ.
FinishedQuestion question_of(const std::vector<FinishedFile>& files, const Asked& asked, bool given_machine);

}  // namespace quadrille::report
