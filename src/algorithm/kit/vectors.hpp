// Reductions that are written down round by round: the vector in packets, what a rank combines, and what that costs.
#pragma once

#include <functional>

#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/pipeline.hpp"

namespace quadrille::algorithm::kit {

/// What rank r does in round t; and in which rounds it does anything, if that is not all of them.
struct Stepwise {
  std::function<void(Round, Rank, Steps&)> step;
  std::function<Schedule::Rounds(Rank)> active = {};
};
/// A schedule in which the vector has one label, cut in parts of so many packets, and `tmp` such vectors as scratch. No
/// rounds for an empty vector, and no messages without bytes.
SchedulePtr vector_schedule(const Spec& spec, Round rounds, Slot tmp, Stepwise steps, std::int64_t packets = 1,
                            std::int64_t parts = 1);

/// Elements of a vector.
inline std::int64_t elements(const Spec& spec) { return spec.bytes / spec.element; }
/// Why `packets` of `params` does not fit the vector's elements, which no cut divides.
inline std::string vector_packets_illegal(const Spec& spec, const Params& params, std::int64_t parts = 1) {
  return packets_illegal(params, elements(spec), parts);
}
/// Of a vector of one label: combines what comes from `peer` with the operand, on the side of its lower or higher rank.
inline Combine onto(Rank self, Rank peer, Buffer operand, Slot with = 0) {
  using Side = Combine::Incoming;
  return {.incoming = peer < self ? Side::left : Side::right, .buffer = operand, .with = with};
}
/// The same of what the segment before it has taken.
inline Combine onto_again(Rank self, Rank peer, Buffer operand, Slot with = 0) {
  Combine how = onto(self, peer, operand, with);
  how.again = true;
  return how;
}
/// One slot.
inline Slots at(Slot slot) { return contiguous(slot, 1); }

/// Rounds in which the whole vector goes over the busiest link; `combined` vectors on the busiest ranks.
Cost whole_vectors(const Spec& spec, std::int64_t rounds, std::int64_t combined);
/// A pipeline of the vector's elements, as bytes; `combined` is added by the caller.
Cost vector_pipe_cost(const Spec& spec, const Machine& machine, std::int64_t depth, std::int64_t packets);
/// The one variant with the packets that are best for such a pipeline.
std::vector<Params> vector_pipe_variants(const Spec& spec, const Machine& machine, std::int64_t depth);

/// Claims of algorithms that always keep the order of ranks.
inline Claims in_rank_order(const Spec&, const Machine&, const Params&) { return {.in_order = true}; }

/// Why ranks that send and receive in the same round cannot do so here; empty when they can. `instead` runs here.
std::string needs_both_ways(const Spec& spec, const Machine& machine, std::string_view instead);
/// Why not all ranks are one message apart over a switch.
std::string needs_switch(const Spec& spec);
/// The same over wires of their own, which serve any pairs at once.
std::string needs_crossbar(const Spec& spec);
std::string needs_bus(const Spec& spec);
/// Whether ranks r and r + 1 are always neighbours.
bool has_line_of_ranks(const Spec& spec);
std::string needs_line_of_ranks(const Spec& spec);

}  // namespace quadrille::algorithm::kit
