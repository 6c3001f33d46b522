// Recursive doubling with the partners of Swing: whole vectors, which cross fewer links of a ring than with xor. With
// the farthest partners first, groups of ranks are cells of one partition, and all ranks make the same expression but
// for the order of operands; with the nearest first groups overlap, and rounded sums differ between ranks.
#include "algorithm/allreduce/shared/swing.hpp"
#include "algorithm/allreduce/shared/vectors.hpp"
#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_swing_latency {

namespace {

bool is_far(const Params& params) { return params.get("far", 1) == 1; }

SchedulePtr build(const Spec& spec, const Machine&, const Params& params) {
  const allreduce::SwingPeers peers(spec, 0, 1);
  const int steps = peers.steps();
  const bool far = is_far(params);
  return allreduce::swaps_schedule(spec, steps, [=](Round t, Rank r) {
    return peers.peer(far ? steps - 1 - static_cast<int>(t) : static_cast<int>(t), r);
  });
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = allreduce::swing_illegal(spec, machine, Rank{1} << 16); !reason.empty()) return reason;
  return is_far(params) ? std::string() : allreduce::identical_illegal(spec, "far=1");
}

std::vector<Params> variants(const Spec& spec, const Machine&) {
  const Params far{{"far", {1}}}, near{{"far", {0}}};
  return spec.identical ? std::vector{far} : std::vector{near, far};
}

Claims claims(const Spec&, const Machine&, const Params& params) {
  return {.contention_free = false, .identical = is_far(params) ? Identical::commutatively : Identical::no};
}

}  // namespace

Algorithm describe() {
  return {
      .name = "allreduce_swing_latency",
      .collective = Collective::allreduce,
      .summary = "pairs 1, -1, 3, -5, ... places apart on a ring swap whole vectors",
      .source = "De Sensi et al. 2024, Swing",
      .closed_form = {.where = "ring of 2^d ranks, circuits"},
      .parameters = {{.name = "far",
                      .meaning = "1: farthest partners first; 0: nearest first, where ranks' rounded sums may differ",
                      .low = 0,
                      .high = 1}},
      .claims = claims,
      .illegal = illegal,
      .variants = variants,
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return kit::counted_cost(s, m, *build(s, m, p)); },
      .build = build};
}

}  // namespace quadrille::algorithm::allreduce_swing_latency
