// Whether what is recommended does its work, at its price: the proofs that a plan asks for.
#include "planner/assure.hpp"

#include <fmt/format.h>

#include <optional>

#include "algorithm/formula.hpp"
#include "algorithm/from_file.hpp"
#include "quadrille/verify.hpp"
#include "traffic/traffic.hpp"

namespace quadrille {

namespace {

std::string text_of(const Counterexample& x) {
  if (x.round < 0) return fmt::format("at the end, rank {}: {}", x.rank, x.text);
  return fmt::format("round {}, rank {}: {}", x.round, x.rank, x.text);
}

std::string counts(const Cost& c) {
  return fmt::format(
      "{} start-ups, {} hops, {} bytes, {} permuted, {} packed, {} barriers, {} further messages, {} combined",
      c.startups, c.hops, c.bytes, c.permuted, c.packed, c.barriers, c.further, c.combined);
}

/// What the count of all messages says of a price that claims to be exact.
struct Compared {
  bool counted = false;    ///< they agree
  std::string differ;      ///< what both are, where they do not
  std::int64_t proof = 0;  ///< visits that a proof takes at least, as far as the count tells
};

/// What was counted is not counted again where all would be as it was.
Compared compare_price(const Spec& spec, const Machine& machine, const Built& built, const planner::KnownPrice& known,
                       std::int64_t visits) {
  if (!built.claims.exact || known.visits > visits) return {};
  if (known.visits > 0 && !traffic::some_stand_for_others(*spec.topology, *built.schedule))
    return {.counted = true, .differ = {}};
  try {
    const Traffic traffic = count(spec, machine, *built.schedule, nullptr, {.visits = visits});
    Compared compared{.counted = traffic.cost == built.formula, .differ = {}};
    if (!compared.counted)
      compared.differ =
          fmt::format("its price is for {}, and its messages make {}", counts(built.formula), counts(traffic.cost));
    // A proof asks every rank what it sends and receives, and then counts as well. To find multicasts more is listed.
    if (built.schedule->symmetry().group == Group::none && !machine.multicast)
      compared.proof = traffic.listed + traffic.visits;
    return compared;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    return {};
  }
}

void prove(const Spec& spec, const Machine& machine, const Built& built, Assurance& found) {
  const VerifyBudget budget{.slots = found.visits, .visits = found.visits};
  const Proof proof = verify(spec, machine, *built.schedule, built.claims, budget);
  found.how = Assurance::How::proven;
  if (const auto& x = proof.counterexample) {
    found.how = x->kind == Counterexample::Kind::circuits ? Assurance::How::stops : Assurance::How::wrong;
    found.why = text_of(*x);
    return;
  }
  if (combines(spec)) found.result = results_text(spec, proof);
}

/// Proofs go round by round. Ranks that run ahead of others have messages of several rounds under way, and those may
/// hold what others want: a short simulation finds out.
void play_circuits(const Spec& spec, const Machine& machine, const Choice& choice, Order order, Network network,
                   Assurance& found) {
  if (network != Network::circuit) return;
  constexpr std::int64_t visits_per_message = 64;
  std::int64_t messages = found.visits / visits_per_message;
  const Timing played = simulated(spec, machine, choice, {.order = order, .network = network}, messages);
  if (played.how == Timing::How::impossible) found.how = Assurance::How::stops, found.why = played.why;
}

}  // namespace

Assurance planner::assure(const Spec& spec, const Machine& machine, const Choice& choice, std::int64_t visits,
                          Order order, Network network, const KnownPrice& known) {
  Assurance found{.visits = visits};
  if (!algorithm::unprovable(choice).empty()) return found;
  found.how = Assurance::How::too_large;
  std::optional<Compared> compared;
  Built built;
  try {
    built = algorithm::build_at(spec, machine, choice, known.cost);
    if (known.visits > 0) compared = compare_price(spec, machine, built, known, visits);
    if (!compared || compared->proof <= visits) prove(spec, machine, built, found);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    if (!built.schedule) return found;
  }
  if (found.fails()) return found;
  if (!compared) compared = compare_price(spec, machine, built, known, visits);
  found.counted = compared->counted;
  if (!compared->differ.empty()) found.how = Assurance::How::wrong, found.why = compared->differ;
  if (!found.fails()) play_circuits(spec, machine, built.choice, order, network, found);
  return found;
}

Assurance assure(const Spec& spec, const Machine& machine, const Choice& choice, std::int64_t visits, Order order,
                 Network network) {
  return planner::assure(spec, machine, choice, visits, order, network, {});
}

Assurance assure(const Spec& spec, const Machine& machine, const Choice& choice, std::int64_t visits) {
  return assure(spec, machine, choice, visits, usual_order(machine), usual_network(machine, *spec.topology));
}

}  // namespace quadrille
