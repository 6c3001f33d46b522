// run_threads with a look inside, for tests.
#pragma once

#include "executor/transport.hpp"
#include "quadrille/run.hpp"

namespace quadrille::executor {

/// As the public one; `watch` is called around every step of the first run, by the rank's own thread. What it throws
/// ends all ranks and comes out here.
RunResult run_threads(const Spec& spec, const Schedule& schedule, const RunOptions& options, const Watch& watch);

}  // namespace quadrille::executor
