// The algorithms as the registry lists them: as their files describe them, and legal on routed networks and on one
// rank, too.
#pragma once

#include "algorithm/on_routes.hpp"

namespace quadrille::algorithm {

/// The functions of an algorithm are pointers, which hold nothing: so there is a set of them for each algorithm, as
/// short as can be.
template <Algorithm (*describe)()>
class Anywhere {
 public:
  /// `described` is what describe() returned, and outlives whoever asks.
  static void list(const Algorithm& described, Algorithm& listed) {
    own = &described;
    listed.claims = claims;
    listed.illegal = illegal;
    listed.variants = variants;
    listed.cost = cost;
    listed.least = least;
    listed.build = build;
    listed.other_name = other_name;
  }

 private:
  static Claims claims(const Spec& spec, const Machine& machine, const Params& params) {
    return on_routes::claims(*own, spec, machine, params);
  }
  static std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
    return on_routes::illegal(*own, spec, machine, params);
  }
  static std::vector<Params> variants(const Spec& spec, const Machine& machine) {
    return on_routes::variants(*own, spec, machine);
  }
  static Cost cost(const Spec& spec, const Machine& machine, const Params& params) {
    return on_routes::cost(*own, spec, machine, params);
  }
  static Seconds least(const Spec& spec, const Machine& machine, const Params& params) {
    return on_routes::least(*own, spec, machine, params);
  }
  static SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
    return on_routes::build(*own, spec, machine, params);
  }
  static std::string_view other_name(const Spec& spec, const Params& params) {
    return on_routes::other_name(*own, spec, params);
  }

  static inline const Algorithm* own = nullptr;
};

}  // namespace quadrille::algorithm
