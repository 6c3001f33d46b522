// The lines of wisdom files: questions, answers and machines as text, both ways.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "quadrille/wisdom.hpp"

namespace quadrille::planner {

/// FNV-1a, 64 bits: against accidents, not against malice.
std::uint64_t checksum(std::string_view text);

/// "alltoall hypercube:6 bytes=32 machine=0123456789abcdef clock=simulate,dataflow,circuit".
std::string question_text(const Question& question);
/// "answer <question> choice=alltoall_mce:phases=3,3 time=0.008774".
std::string answer_line(std::string_view question, const Answer& answer);
/// "machine 0123456789abcdef ipsc860 ports=one ...": all constants, shortest forms that read back to them.
std::string machine_line(const Machine& machine);

/// Throws Error for what is not such a line; the machine must be among those that the file names.
Wisdom::Entry parse_answer_line(std::string_view line, const std::map<std::string, Machine, std::less<>>& machines);
/// The fingerprint and the machine.
std::pair<std::string, Machine> parse_machine_line(std::string_view line);

/// Throws Error when the algorithm cannot run there, or the time is none.
void check_answer(const Question& question, const Answer& answer);

}  // namespace quadrille::planner
