// What there is to say of the machine of a question before its answer: where it was measured, what it leaves out.
#pragma once

#include <string>
#include <vector>

#include "cli/options/request.hpp"

namespace quadrille::cli {

/// Sentences, the most important one first; most questions have none.
std::vector<std::string> notes(const Task& task);
/// The same where there is no single task, as in sweeps: what was measured elsewhere and what is implausible.
std::vector<std::string> notes(const MachineFile& file, const UsedOn& use, bool by_default);

}  // namespace quadrille::cli
