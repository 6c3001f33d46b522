// bcast_two_trees run backwards: halves of the vector come to the root by two ways round.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/pattern/walk.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_two_trees {

namespace {

/// A rank combines two packets in a round while both halves pass it: the root in the last nu rounds, and from the
/// middle of the way on, where the halves meet first, the rank that is there.
std::optional<std::int64_t> combined(const Spec& base, const Machine& machine, const Params& params, const Cost&) {
  const std::int64_t packets = kit::packets_of(params), p = base.ranks();
  if (kit::half_duplex(machine) || !kit::is_ring(base) || p < 3 || base.bytes % (2 * packets) != 0) return std::nullopt;
  const std::int64_t begin = base::ceil_div(p, 2) - 2, end = p < 4 ? begin : begin + packets - p % 2;
  const std::int64_t meeting = std::max<std::int64_t>(0, std::min(end, p - 2) - begin);
  const std::int64_t rounds = packets + p - 2;
  return (rounds + packets + meeting) * (base.bytes / (2 * packets));
}

/// Where the ways round are those of the ranks' numbers, and the root is at an end of them.
bool in_order(const Spec& spec, const Machine&, const Params& params) {
  if (spec.ranks() <= 2) return true;
  return kit::is_ring(spec) && (spec.root == 0 || spec.root == spec.ranks() - 1) &&
         schedule::keeps_order(spec.ranks(), 2 * kit::packets_of(params));
}

}  // namespace

Algorithm describe() {
  return kit::dual_of<bcast_two_trees::describe, combined, in_order>(
      Collective::reduce, {.name = "reduce_two_trees",
                           .summary = "halves of the vector come to the root by two ways round",
                           .source = "extra: bcast_two_trees run backwards",
                           .closed_form = {.where = "as bcast_two_trees"}});
}

}  // namespace quadrille::algorithm::reduce_two_trees
