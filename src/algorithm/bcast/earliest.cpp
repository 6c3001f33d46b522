// Message by message, the one that arrives earliest is sent next: by any rank that has a part, to any that lacks it.
// What counts is what the machine charges: overheads that follow one another at a rank, the way's latency, links that
// messages share, and rounds that a rank ends before it goes on.
#include "algorithm/bcast/shared/earliest.hpp"

#include <algorithm>
#include <tuple>

#include "algorithm/kit/round_pricer.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_earliest {

namespace {

using bcast::EarliestParts;

/// Messages of a rank with the same part may be one, where the network copies.
Cost formula(const Spec& spec, const Machine& machine, const Params& params) {
  const EarliestParts made = EarliestParts::of(params);
  const Cut cut{.bytes = spec.bytes, .parts = made.parts};
  kit::RoundPricer pricer(spec, machine);
  Round round = 0;
  std::vector<Rank> peers;
  std::vector<kit::TreeMessage> all = made.trees(spec, machine)->messages;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.round, a.from, a.part) < std::tuple(b.round, b.from, b.part);
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].round != round) pricer.end_round(), round = all[i].round;
    peers.push_back(all[i].to);
    const bool more = i + 1 < all.size() && all[i + 1].round == round && all[i + 1].from == all[i].from &&
                      all[i + 1].part == all[i].part;
    if (more) continue;
    pricer.send(all[i].from, peers, cut.size(all[i].part), true);
    peers.clear();
  }
  pricer.end_round();
  return pricer.cost();
}

}  // namespace

Algorithm describe() {
  return {
      .name = "bcast_earliest",
      .collective = Collective::bcast,
      .summary = "whatever arrives earliest is sent next, with the machine's overheads and the links' load; counted",
      .source = "extra: Karp, Sahay, Santos & Schauser 1993, the greedy tree of LogP, on links that messages share",
      .closed_form = {.where = "rounds of the plan, a start-up each, or more where messages outnumber ports; counted"},
      .parameters = bcast::earliest_parameters(),
      .claims = [](const Spec& s, const Machine& m,
                   const Params& p) { return bcast::earliest_claims(s, *EarliestParts::of(p).trees(s, m)); },
      .illegal =
          [](const Spec& s, const Machine&, const Params& p) {
            return bcast::earliest_illegal(s, p, kit::has_lines(s) ? "bcast_halving" : "bcast_binomial");
          },
      .variants =
          [](const Spec& s, const Machine& m) {
            return bcast::earliest_variants(s, m, [&](const Params& p) { return formula(s, m, p); });
          },
      .cost = formula,
      .build =
          [](const Spec& s, const Machine& m, const Params& p) {
            const EarliestParts made = EarliestParts::of(p);
            return bcast::earliest_broadcast(s, made.trees(s, m), made.parts);
          }};
}

}  // namespace quadrille::algorithm::bcast_earliest
