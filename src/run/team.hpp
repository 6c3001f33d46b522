// Many threads with small stacks that do one thing together, and end together when one of them fails.
#pragma once

#include <functional>

#include "quadrille/base.hpp"

namespace quadrille {

constexpr Rank most_threads = 4096;

/// Hardware threads this process may use, at least 1.
int usable_cores();

/// Throws Error(budget) when there are more ranks than threads one process should have.
void check_team_size(Rank ranks);

/// Calls `body(r)` for r = 0 .. ranks-1, each in a thread of its own, and returns when all have returned. The first
/// exception of any of them is thrown again here, after `cancel` was called, once, and all threads have ended: `cancel`
/// must make the bodies return. Throws Error(budget) when the team is too large or the system refuses a thread.
void run_team(Rank ranks, const std::function<void(Rank)>& body, const std::function<void()>& cancel);

}  // namespace quadrille
