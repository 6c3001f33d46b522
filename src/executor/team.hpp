// Many threads with small stacks that do one thing together, and end together when one of them fails.
#pragma once

#include <functional>

#include "quadrille/base.hpp"

namespace quadrille::executor {

constexpr Rank most_threads = 4096;

/// Hardware threads this process may use, at least 1.
int usable_cores();

/// As many bytes as the last cache of a processor holds nowadays. What systems say of it ranges from a core's share to
/// all that the machine has.
constexpr Bytes cache_size = Bytes{32} << 20;

/// Throws Error(budget) when there are more ranks than threads one process should have.
void check_team_size(Rank ranks);

/// Calls `body(r)` for r = 0 .. ranks-1, each in a thread of its own, and returns when all have returned. The first
/// exception of any of them is thrown again here, after `cancel` was called, once, and all threads have ended: `cancel`
/// must make the bodies return. Throws Error(budget) when the team is too large or the system refuses a thread. Threads
/// that have a core each keep to it; more threads than cores do so where they are `at_home`: in what a cache holds.
void run_team(Rank ranks, const std::function<void(Rank)>& body, const std::function<void()>& cancel,
              bool at_home = false);

}  // namespace quadrille::executor
