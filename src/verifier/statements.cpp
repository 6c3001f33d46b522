#include "verifier/statements.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace quadrille::verifier {

namespace {

using Say = std::function<void(std::string)>;

void state_movement(const Spec& spec, const Claims& claims, const Proof& proof, const Say& say) {
  say(fmt::format("every rank ends with exactly what {} must give it ({} deliveries)", to_string(spec.collective),
                  base::format_count(proof.deliveries)));
  if (claims.once)
    say("no rank receives the same piece twice");
  else
    say(fmt::format("{} of the deliveries repeat what the rank had received before",
                    base::format_count(proof.duplicates)));
}

}  // namespace

std::string operations(int depth) { return fmt::format("{} operation{}", depth, depth == 1 ? "" : "s"); }

namespace {

void state_combination(const Spec& spec, const Proof& proof, const Say& say) {
  if (idempotent(spec))
    return say(fmt::format(
        "no rank leaves before all have entered: what each has at the end comes from every rank ({} deliveries)",
        base::format_count(proof.deliveries)));
  say(fmt::format("every result of {} is made of each contribution exactly once ({} deliveries){}",
                  to_string(spec.collective), base::format_count(proof.deliveries),
                  proof.exact ? "" : ", or this is wrong with a probability of less than 2^-100"));
  say(!proof.in_order ? "whether contributions keep the order of ranks was not looked at"
      : *proof.in_order
          ? "every result takes its contributions in the order of ranks: the operator need not be commutative"
          : "results take their contributions in another order than that of ranks: the operator must be commutative");
  if (proof.identical && spec.collective == Collective::allreduce)
    say(*proof.identical == Identical::strictly ? "all ranks get the same bits: one expression for all"
        : *proof.identical == Identical::commutatively
            ? "ranks get the same bits where operands may change places: their expressions differ in nothing else"
            : "ranks may get different bits where the operator rounds: they group their operations differently");
  if (proof.canonical.value_or(false))
    say("every result is the canonical expression: the same bits as by any other schedule of which this is proven");
  say(fmt::format("at most {} lie between a contribution and a result; the error of a rounded sum grows with that",
                  operations(proof.depth)));
}

}  // namespace

}  // namespace quadrille::verifier

namespace quadrille {

std::string results_text(const Spec& spec, const Proof& proof) {
  if (idempotent(spec)) return "no rank leaves before all have entered";
  std::string text = !proof.in_order   ? "whether the order of ranks is kept was not looked at"
                     : *proof.in_order ? "keeps the order of ranks"
                                       : "does not keep the order of ranks: for commutative operators only";
  if (spec.collective == Collective::allreduce && proof.identical)
    text += *proof.identical == Identical::strictly ? "; the same bits on all ranks"
            : *proof.identical == Identical::commutatively
                ? "; the same bits on all ranks if operands may change places"
                : "; perhaps different bits on different ranks";
  if (proof.canonical.value_or(false)) text += "; the canonical bits";
  return text +
         fmt::format("; at most {} from a contribution to a result, and the error of a rounded sum grows with that",
                     verifier::operations(proof.depth));
}

}  // namespace quadrille

namespace quadrille::verifier {

void state(const Spec& spec, const Machine& machine, const Claims& claims, Proof& proof) {
  const auto say = [&](std::string text) { proof.statements.push_back(std::move(text)); };
  if (combines(spec))
    state_combination(spec, proof, say);
  else
    state_movement(spec, claims, proof, say);
  say(fmt::format("every rank sends only what it holds; {} messages in {} rounds", base::format_count(proof.messages),
                  base::format_count(proof.rounds)));
  say("every send meets its receive, of the same length, in the same round: no deadlock, even without any buffering");
  say("no slot is read and written, or written twice, in one round");
  say(fmt::format("ports: {}, links: {} duplex; {}", to_string(machine.ports), to_string(machine.duplex),
                  claims.port_free ? "both respected" : "messages take turns at a port where there are several"));
  if (machine.switching == Switching::store_and_forward && spec.topology->direct()) say("only neighbours talk");
  if (machine.switching == Switching::circuit && !spec.topology->shared_medium())
    say("no circuits of a round can wait for each other in a circle");
  if (spec.topology->shared_medium() && claims.contention_free)
    say(fmt::format("the shared medium never serves more than {} at once", machine.shared));
  else if (claims.contention_free)
    say(machine.duplex == Duplex::full ? "no directed link carries more than one message in a round"
                                       : "no wire carries more than one message in a round");
  else
    say(proof.link_messages > 1
            ? fmt::format("up to {} messages share a link in a round", proof.link_messages)
            : "no link carries more than one message in a round, though the algorithm does not promise it");
  say(proof.scratch == 0 ? "no scratch memory"
                         : fmt::format("scratch memory: {} on a rank", base::format_bytes(proof.scratch)));
}

}  // namespace quadrille::verifier
