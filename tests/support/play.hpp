// Rounds of messages written out by hand, and what a simulation says of them.
#pragma once

#include "listed.hpp"
#include "quadrille/audit.hpp"
#include "quadrille/timeline.hpp"
#include "settings.hpp"

namespace quadrille::testing {

using Pairs = std::vector<std::pair<Rank, Rank>>;

/// Rounds of messages of 8 bytes between ranks: 4 s each on a wire.
struct Play {
  Spec spec;
  Listed schedule;
  Play(const std::string& topology, const std::vector<Pairs>& rounds)
      : spec(request(Collective::alltoall, topology, 8)), schedule(shape(spec.ranks()), listed(rounds)) {}

  Timeline run(const Machine& m, SimulateOptions options) const { return simulate(spec, m, schedule, options); }
  Audit audit(const Machine& m, SimulateOptions options, std::size_t records = 1000) const {
    Auditor auditor(spec, m, schedule, records);
    options.observer = &auditor;
    run(m, options);
    return auditor.audit();
  }

 private:
  static Shape shape(Rank p) { return {.ranks = p, .in = p, .out = p, .cut = {.bytes = 8}}; }
  static Rounds listed(const std::vector<Pairs>& rounds) {
    Rounds all;
    for (const Pairs& pairs : rounds) {
      all.emplace_back();
      for (const auto& [from, to] : pairs) all.back().push_back({from, to, {{Buffer::in, to}}, {{Buffer::out, from}}});
    }
    return all;
  }
};

}  // namespace quadrille::testing
