// Br_Lin from one source, for butterflies: the rank that has the message sends it half a line on, then each half of the
// line by itself. What meets on a wire of the network is counted.
#include <fmt/format.h>

#include <memory>

#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"
#include "topology/fly.hpp"

namespace quadrille {

namespace {

/// The same request as an s-to-p broadcast: the message lies alike in both.
Spec from_one(const Spec& spec) {
  Spec one = spec;
  one.collective = Collective::multibcast;
  one.sources = make_sources({{spec.root, spec.bytes}});
  return one;
}

/// One rank of a stretch has the message, so that none sends and receives at once.
Merging merging(const Spec& one) { return Merging(merge_plan(one, {all_in_line(rectangle_of(*one.topology), false)})); }

std::string illegal(const Spec& spec, const Machine&, const Params&) {
  if (!as<Butterfly>(spec))
    return fmt::format("is for butterflies, where no other broadcast is known, and {} is none; nearest: fly:2^{}",
                       spec.topology->text(), std::max(1, log2_floor(spec.ranks())));
  return needs_fewer_ranks(spec);
}

}  // namespace

Algorithm bcast_lin() {
  return {.name = "bcast_lin",
          .collective = Collective::bcast,
          .summary = "the rank that has the message sends it half a line on, then each half by itself; counted",
          .source = "Hambrusch, Khokhar & Liu 1995, section 2, Br_Lin, from one source",
          .parameters = {},
          .claims = [](const Spec& s, const Machine&,
                       const Params&) { return merge_claims(s, merging(from_one(s)).plan()); },
          .illegal = illegal,
          .variants = one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const Spec one = from_one(s);
                return merge_cost(one, m, merging(one));
              },
          .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
            return std::make_shared<Merging>(merging(from_one(s)));
          }};
}

}  // namespace quadrille
