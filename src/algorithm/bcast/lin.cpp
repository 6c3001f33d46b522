// Br_Lin from one source, for butterflies: the rank that has the message sends it half a line on, then each half of the
// line by itself. What meets on a wire of the network is counted.
#include <fmt/format.h>

#include <memory>

#include "algorithm/kit/support.hpp"
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/pattern/tree.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_lin {

namespace {

/// The same request as an s-to-p broadcast: the message lies alike in both.
Spec from_one(const Spec& spec) {
  Spec one = spec;
  one.collective = Collective::multibcast;
  one.sources = make_sources({{spec.root, spec.bytes}});
  return one;
}

/// One rank of a stretch has the message, so that none sends and receives at once.
pattern::Merging merging(const Spec& one) {
  return pattern::Merging(multibcast::merge_plan(one, {pattern::all_in_line(rectangle_of(*one.topology), false)}));
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (kit::is_memory(spec) || (pattern::needs_tree(spec).empty() && !kit::is_butterfly(spec)))
    return fmt::format("is for butterflies, and {} is none; nearest: fly:2^{}", spec.topology->text(),
                       std::max(1, base::log2_floor(spec.ranks())));
  if (std::string reason = multibcast::needs_fewer_ranks(spec); !reason.empty()) return reason;
  const Spec one = from_one(spec);
  return multibcast::merge_illegal(one, machine, merging(one));
}

}  // namespace

Algorithm describe() {
  return {.name = "bcast_lin",
          .collective = Collective::bcast,
          .summary = "the rank that has the message sends it half a line on, then each half by itself; counted",
          .source = "Hambrusch, Khokhar & Liu 1995, section 2, Br_Lin, from one source",
          .closed_form = {.where = "ceil(log2(P)) start-ups; what meets on wires is counted"},
          .parameters = {},
          .claims = [](const Spec& s, const Machine&,
                       const Params&) { return multibcast::merge_claims(s, merging(from_one(s)).plan()); },
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine& m,
                     const Params&) { return multibcast::merge_cost(s, m, merging(from_one(s))); },
          .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
            return std::make_shared<pattern::Merging>(merging(from_one(s)));
          }};
}

}  // namespace quadrille::algorithm::bcast_lin
