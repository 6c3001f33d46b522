// Reductions made of broadcasts and all-gathers that are run backwards: what such an algorithm says of itself follows
// from the other one. [docs/how-it-works/duality.md]
#pragma once

#include <optional>

#include "algorithm/kit/description.hpp"
#include "algorithm/kit/support.hpp"
#include "schedule/dual.hpp"

namespace quadrille::algorithm::kit {

/// Elements that the busiest rank of each round combines, summed, on full-duplex links; what a rank combines is what
/// the base sends. Given the base's question and costs, which count elements. Empty: not known in closed form.
using Combined = std::optional<std::int64_t> (*)(const Spec&, const Machine&, const Params&, const Cost&);
/// Whether contributions keep the order of ranks.
using InOrder = bool (*)(const Spec&, const Machine&, const Params&);

/// As much as the base sends over the busiest link.
std::optional<std::int64_t> combined_as_sent(const Spec&, const Machine& machine, const Params&, const Cost& base);
/// Every rank but its owner's contribution to each block once: (P - 1) m.
std::optional<std::int64_t> combined_all_others(const Spec& base, const Machine& machine, const Params&, const Cost&);
/// Not known in closed form.
inline std::optional<std::int64_t> combined_counted(const Spec&, const Machine&, const Params&, const Cost&) {
  return std::nullopt;
}
inline bool never_in_order(const Spec&, const Machine&, const Params&) { return false; }
/// Where every rank combines the contributions of all others in one round.
inline bool few_ranks_in_order(const Spec& spec, const Machine&, const Params&) {
  return schedule::keeps_order(spec.ranks(), spec.ranks());
}

struct Duality {
  Combined combined;
  InOrder in_order;
};

/// The base's question about elements: of the whole vector, or of blocks of it.
Spec in_elements(const Spec& spec, Collective base);
/// The machine on which the base's price is that of the reduction: no multicast, and every element is combined, too.
Machine combining(const Spec& spec, Machine machine);
/// Where the blocks of the vector start that a base with as many labels as ranks has; null where they are alike.
schedule::Vector vector_of(const Spec& spec, Slot labels);

std::string dual_illegal(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params);
std::vector<Params> dual_variants(const Algorithm& base, const Spec& spec, const Machine& machine);
Claims dual_claims(const Algorithm& base, const Duality& how, const Spec& spec, const Machine& machine,
                   const Params& params);
Cost dual_cost(const Algorithm& base, const Duality& how, const Spec& spec, const Machine& machine,
               const Params& params);
SchedulePtr dual_build(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params);
/// The same, of what the base makes of the elements.
SchedulePtr dual_of_schedule(const Algorithm& base, const Spec& spec, const SchedulePtr& forwards);

/// The reduction `collective` by the dual of a base, followed by the base itself for an all-reduce.
template <Algorithm (*Base)(), Combined combined = combined_as_sent, InOrder in_order = never_in_order>
Algorithm dual_of(Collective collective, const Description& d) {
  static const Algorithm base = Base();
  static constexpr Duality how{combined, in_order};
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .literature = d.literature,
          .parameters = base.parameters,
          .claims = [](const Spec& s, const Machine& m, const Params& p) { return dual_claims(base, how, s, m, p); },
          .illegal = [](const Spec& s, const Machine& m, const Params& p) { return dual_illegal(base, s, m, p); },
          .variants = [](const Spec& s, const Machine& m) { return dual_variants(base, s, m); },
          .cost = [](const Spec& s, const Machine& m, const Params& p) { return dual_cost(base, how, s, m, p); },
          .build = [](const Spec& s, const Machine& m, const Params& p) { return dual_build(base, s, m, p); }};
}

}  // namespace quadrille::algorithm::kit
