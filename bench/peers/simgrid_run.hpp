// A schedule played by SimGrid, one actor a rank, on the links, ports and routes that ours has.
#pragma once

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::peers {

struct Played {
  double makespan = 0, cpu = 0;  ///< simulated seconds; CPU seconds of the simulation alone, without the platform
  long megabytes = 0;            ///< peak memory of the process
};

/// SimGrid's option network/optim: how it brings flows up to date. Lazy is its default.
enum class Update { full, lazy };

/// In a process of its own: SimGrid has one engine a process. All constants but alpha, beta, ports and duplex are to be
/// 0. Model CM02 with every correction turned off, so that it is max-min sharing and nothing else.
Played play_simgrid(const Spec& spec, const Machine& machine, const Schedule& schedule, Update update);

}  // namespace quadrille::peers
