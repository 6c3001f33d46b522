// On a network of one rank all algorithms of a collective are the same: they send nothing. So none of them has to know
// of such a network, on which a cube has no dimension and a ring no neighbours.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm {

/// Of the algorithms that do the same on one rank, the one that a plan lists.
std::string_view name_on_one_rank(Collective collective);
/// Every rank's data in place, and no rounds.
SchedulePtr nothing(const Spec& spec);

/// The described algorithm, legal on one rank too.
template <Algorithm (*describe)()>
class OnOneRank {
 public:
  static Algorithm made() {
    Algorithm a = own();
    a.claims = [](const Spec& s, const Machine& m, const Params& p) {
      return alone(s) ? Claims{.in_order = true, .canonical = true} : own().claims(s, m, p);
    };
    a.illegal = [](const Spec& s, const Machine& m, const Params& p) {
      return alone(s) ? std::string() : own().illegal(s, m, p);
    };
    a.variants = [](const Spec& s, const Machine& m) {
      return alone(s) ? std::vector<Params>{Params{}} : own().variants(s, m);
    };
    a.cost = [](const Spec& s, const Machine& m, const Params& p) { return alone(s) ? Cost{} : own().cost(s, m, p); };
    a.build = [](const Spec& s, const Machine& m, const Params& p) {
      return alone(s) ? nothing(s) : own().build(s, m, p);
    };
    a.other_name = [](const Spec& s, const Params& p) -> std::string_view {
      if (!alone(s)) return own().other_name == nullptr ? std::string_view() : own().other_name(s, p);
      const std::string_view listed = name_on_one_rank(s.collective);
      return listed == own().name ? std::string_view() : listed;
    };
    return a;
  }

 private:
  static bool alone(const Spec& spec) { return spec.ranks() == 1; }
  static const Algorithm& own() {
    static const Algorithm algorithm = describe();
    return algorithm;
  }
};

}  // namespace quadrille::algorithm
