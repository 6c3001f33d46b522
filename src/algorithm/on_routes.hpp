// On networks whose messages meet as their routes have it (Structure::routed) every algorithm of a crossbar runs: any
// rank is one message away. What that costs is counted on the routes. So no algorithm has to know of such a network.
// Nor of one on which schedules choose the ways of their messages: these are chosen for all of them.
#pragma once

#include "algorithm/kit/chosen_ways.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm {

/// Whether the algorithms see a crossbar in place of the network: all but those that ask for nodes themselves.
inline bool seen_as_crossbar(const Spec& spec, const Algorithm& a) {
  return !a.asks_for_nodes && spec.topology->structure().routed;
}
/// The same question on a crossbar.
Spec on_crossbar(const Spec& spec);
/// Why messages between any two ranks are not possible; empty where they are.
std::string routes_illegal(const Spec& spec, const Machine& machine);
/// The refusal of a crossbar, told of the network that is seen as one; empty where there is none.
std::string refusal_on_routes(std::string reason, const Spec& spec);
/// What the schedule takes on the routes, message by message.
Cost cost_on_routes(const Spec& spec, const Machine& machine, const Schedule& schedule);
/// No more than that, without a look at the routes.
Seconds least_on_routes(const Spec& spec, const Machine& machine, const Cost& on_crossbar);

/// The described algorithm, legal on routed networks too.
template <Algorithm (*describe)()>
class OnRoutes {
 public:
  static Algorithm made() {
    Algorithm a = own();
    a.claims = [](const Spec& s, const Machine& m, const Params& p) {
      if (!seen(s)) return own().claims(s, m, p);
      Claims claims = own().claims(on_crossbar(s), m, p);
      claims.contention_free = claims.port_free = false;
      claims.exact = true;
      return claims;
    };
    a.illegal = [](const Spec& s, const Machine& m, const Params& p) {
      if (!seen(s)) return own().illegal(s, m, p);
      const std::string reason = routes_illegal(s, m);
      return reason.empty() ? refusal_on_routes(own().illegal(on_crossbar(s), m, p), s) : reason;
    };
    a.variants = [](const Spec& s, const Machine& m) { return own().variants(seen(s) ? on_crossbar(s) : s, m); };
    a.cost = [](const Spec& s, const Machine& m, const Params& p) {
      if (s.topology->chooses_ways()) return cost_on_routes(s, m, *built(s, m, p));
      return seen(s) ? cost_on_routes(s, m, *own().build(on_crossbar(s), m, p)) : own().cost(s, m, p);
    };
    a.least = [](const Spec& s, const Machine& m, const Params& p) {
      if (seen(s)) return least_on_routes(s, m, own().cost(on_crossbar(s), m, p));
      return own().least == nullptr ? 0 : own().least(s, m, p);
    };
    a.build = built;
    a.other_name = [](const Spec& s, const Params& p) -> std::string_view {
      return own().other_name == nullptr ? std::string_view() : own().other_name(seen(s) ? on_crossbar(s) : s, p);
    };
    return a;
  }

 private:
  static SchedulePtr built(const Spec& s, const Machine& m, const Params& p) {
    return kit::on_chosen_ways(s, m, own().build(seen(s) ? on_crossbar(s) : s, m, p));
  }
  static bool seen(const Spec& spec) { return seen_as_crossbar(spec, own()); }
  static const Algorithm& own() {
    static const Algorithm algorithm = describe();
    return algorithm;
  }
};

}  // namespace quadrille::algorithm
