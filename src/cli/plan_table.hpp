// The candidates of a plan as a table, and what could not run.
#pragma once

#include "cli/command.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::cli {

inline bool timed(const Candidate& c) { return c.timing.how == Timing::How::timed; }
inline bool measured(const Candidate& c) { return c.measured.how == Timing::How::timed; }
inline std::string name_of(const Candidate& c) { return to_text(*c.algorithm, c.params); }

/// The best ones, or all, below a line that says what became of how many.
void print_candidates(const Plan& plan, bool all, Context& context);
/// Nothing when there are none.
void print_refused(const Plan& plan, Context& context);

}  // namespace quadrille::cli
