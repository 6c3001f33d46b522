// On a network of one rank all algorithms of a collective are the same: they send nothing. So none of them has to know
// of such a network, on which a cube has no dimension and a ring no neighbours.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm {

/// Of the algorithms that do the same on one rank, the one that a plan lists.
std::string_view name_on_one_rank(Collective collective);
/// Every rank's data in place, and no rounds.
SchedulePtr nothing(const Spec& spec);

/// What an algorithm answers, on one rank too; nothing of it is changed elsewhere.
namespace one_rank {
Claims claims(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params);
std::string illegal(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params);
std::vector<Params> variants(const Algorithm& own, const Spec& spec, const Machine& machine);
Cost cost(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr build(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params);
std::string_view other_name(const Algorithm& own, const Spec& spec, const Params& params);
}  // namespace one_rank

}  // namespace quadrille::algorithm
