// The total exchange over all links of a cube at once, shared by its four forms: step i brings every rank the blocks of
// the ranks at distance i. [Saad & Schultz 1985, sec. 4.3]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithm/allgather/shared/link_spread.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::allgather {

/// Plain: n steps, each over all links both ways. Grouped, for half-duplex wires: n + 1 half-steps, in turn the even
/// and the odd ranks send all blocks at distance h-1 and h from the receiver.
enum class TeaSteps { plain, grouped };

/// Distances that step t of a cube of n dimensions handles.
Spread::Weights tea_weights(int n, TeaSteps steps, Round t);
inline Round tea_rounds(int n, TeaSteps steps) { return steps == TeaSteps::plain ? n : n + 1; }

/// Every link of dimension j carries the blocks whose owner differs from the receiver in bit j.
SchedulePtr tea1_schedule(int n, Bytes bytes, TeaSteps steps);
/// Every block reaches every rank once, all links loaded alike.
SchedulePtr tea2_schedule(int n, Bytes bytes, TeaSteps steps);

/// Bytes packed. A message of several blocks is several runs of memory at some rank that is the same for all messages,
/// except where it falls into tmp as a whole.
Bytes tea1_packed(const Spec& spec, const Machine& machine, TeaSteps steps);
Bytes tea2_packed(const Spec& spec, TeaSteps steps);

std::string tea_illegal(const Spec& spec, const Machine& machine, TeaSteps steps);

}  // namespace quadrille::algorithm::allgather
