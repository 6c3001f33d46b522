// The candidates of a plan as a table, and what could not run.
#pragma once

#include "console/command.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::cli {

inline bool timed(const Candidate& c) { return c.timing.how == Timing::How::timed; }
inline bool measured(const Candidate& c) { return c.measured.how == Timing::How::timed; }
inline std::string name_of(const Candidate& c) { return to_text(*c.algorithm, c.params); }

/// The best ones, or all, below a line that says what became of how many.
void print_candidates(const Plan& plan, bool all, console::Context& context);
/// Their names, or with `reasons` why they cannot run; nothing when there are none.
void print_refused(const Plan& plan, bool reasons, console::Context& context);
/// What was found to be wrong with algorithms, loudly; nothing when there is nothing.
void print_mistakes(const Plan& plan, console::Context& context);
/// What is known of whether it does its work.
void print_assurance(const Assurance& assurance, console::Context& context);

}  // namespace quadrille::cli
