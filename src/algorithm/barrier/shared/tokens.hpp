// What barriers have in common: a byte of every rank, which is combined until it stands for all ranks.
#pragma once

#include <functional>
#include <vector>

#include "algorithm/kit/description.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::barrier {

/// Whom a rank tells in a round who has come, as far as it knows, and who tells it.
struct Talk {
  std::vector<Rank> to, from;
};
/// Every rank that talks in a round listens, too. What it hears may be what it knows.
SchedulePtr talks_schedule(const Spec& spec, Round rounds, std::function<Talk(Round, Rank)> talk);
/// So many rounds in which the busiest rank hears and tells so many others.
Cost talks_cost(const Spec& spec, const Machine& machine, std::int64_t rounds, std::int64_t peers);

/// The question that an all-reduce of the byte answers.
Spec as_allreduce(const Spec& spec);
/// One packet where the algorithm takes packets.
Params one_packet(const Algorithm& algorithm);

/// An all-reduce, of the byte.
template <Algorithm (*Allreduce)()>
Algorithm made_of(const kit::Description& d) {
  static const Algorithm own = Allreduce();
  return {.name = d.name,
          .collective = Collective::barrier,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .literature = d.literature,
          .parameters = {},
          .claims = [](const Spec& s, const Machine& m,
                       const Params&) { return own.claims(as_allreduce(s), m, one_packet(own)); },
          .illegal = [](const Spec& s, const Machine& m,
                        const Params&) { return own.illegal(as_allreduce(s), m, one_packet(own)); },
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine& m,
                     const Params&) { return own.cost(as_allreduce(s), m, one_packet(own)); },
          .build = [](const Spec& s, const Machine& m,
                      const Params&) { return own.build(as_allreduce(s), m, one_packet(own)); }};
}

}  // namespace quadrille::algorithm::barrier
