// Operations of an execution plan of MSCCL++, taken apart: what moves between two places, and what orders it.
#pragma once

#include <vector>

#include "interchange/mscclpp_parse.hpp"

namespace quadrille::interchange {

/// What a thread block reaches, by the numbers that its operations use: through memory, through ports.
struct PlanReach {
  std::vector<std::size_t> channels[2] = {};
  std::vector<PlanRef> buffers[2] = {};
};

/// The steps of an operation: of a "pws" a put and a signal, of a "rres" a reduction for each source and a put. Throws
/// Error(format) for what is not read, such as packets.
std::vector<PlanStep> read_plan_steps(const Json& op, const PlanReach& reach, const PlanText& plan, Rank gpu);

}  // namespace quadrille::interchange
