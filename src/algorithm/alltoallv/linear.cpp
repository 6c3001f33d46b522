// All messages of an alltoallv at once, each straight to its rank.
#include "algorithm/alltoallv/shared/messages.hpp"
#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/straight.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoallv_linear {

namespace {

SchedulePtr build(const Spec& spec, const Machine&, const Params&) {
  return alltoallv::in_rounds(spec, std::vector<std::int32_t>(spec.demands->pairs.size(), 0));
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoallv_linear",
          .collective = Collective::alltoallv,
          .summary = "all messages at once, each straight to its rank",
          .source = "classical",
          .closed_form = {.where = "all ports: counted"},
          .parameters = {},
          .claims = alltoallv::straight_claims,
          .illegal = pattern::linear_illegal,
          .variants = kit::one_variant,
          .cost = kit::cost_of<build>,
          .build = build,
          .straight = true};
}

}  // namespace quadrille::algorithm::alltoallv_linear
