// Whether what is recommended does its work, at its price: the proofs that a plan asks for.
#include "planner/assure.hpp"

#include <fmt/format.h>

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

/// What follows from comparing the closed form with the count, where the form claims to be exact.
/// What was counted is not counted again where all would be as it was.
void compare_price(const Spec& spec, const Machine& machine, const Built& built, const planner::KnownPrice& known,
                   Assurance& found) {
  if (!built.claims.exact || known.visits > found.visits) return;
  if (known.visits > 0 && !traffic::some_stand_for_others(*spec.topology, *built.schedule)) {
    found.counted = true;
    return;
  }
  try {
    const Cost counted = count(spec, machine, *built.schedule, nullptr, {.visits = found.visits}).cost;
    found.counted = counted == built.formula;
    if (found.counted) return;
    found.how = Assurance::How::wrong;
    found.why = fmt::format("its price is for {}, and its messages make {}", counts(built.formula), counts(counted));
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
  }
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
  Built built;
  try {
    built = algorithm::build_at(spec, machine, choice, known.cost);
    const Proof proof = verify(spec, machine, *built.schedule, built.claims, {.slots = visits, .visits = visits});
    found.how = Assurance::How::proven;
    if (const auto& x = proof.counterexample) {
      found.how = x->kind == Counterexample::Kind::circuits ? Assurance::How::stops : Assurance::How::wrong;
      found.why = text_of(*x);
      return found;
    }
    if (combines(spec)) found.result = results_text(spec, proof);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    found.how = Assurance::How::too_large;
    if (!built.schedule) return found;
  }
  compare_price(spec, machine, built, known, found);
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
