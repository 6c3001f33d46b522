// What a sweep found, as text: who is best from which size to which, and what its proofs said.
#pragma once

#include "console/command.hpp"
#include "quadrille/sweep.hpp"

namespace quadrille::cli {

void print_winners(const std::vector<SweepRow>& rows, console::Context& context);
/// `visits`: what each proof might take.
void print_proofs(const std::vector<SweepRow>& rows, std::int64_t visits, console::Context& context);

}  // namespace quadrille::cli
