#include "verifier/combination_proof.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "verifier/combination.hpp"
#include "verifier/tree_proof.hpp"

namespace quadrille::verifier {

namespace {

using Found = std::optional<Counterexample>;

/// Values up to which all ranks are executed first: that tells order, depth and equal bits, and is done in a second.
constexpr std::int64_t few_values = std::int64_t{1} << 22;

Found broken_claim(const Spec& spec, const Claims& claims, const Findings& findings) {
  if (claims.in_order && !findings.in_order)
    return Counterexample{Counterexample::Kind::order, -1, 0,
                          "a result takes its contributions in another order than that of ranks, which the algorithm "
                          "promises to keep"};
  if (findings.identical > claims.identical || (spec.identical && findings.identical == Identical::no))
    return Counterexample{
        Counterexample::Kind::identical, -1, 0,
        "ranks group the operations of a result differently, and it must have the same bits everywhere"};
  if ((claims.canonical || spec.canonical) && !findings.canonical)
    return Counterexample{Counterexample::Kind::identical, -1, 0,
                          "a result is not the canonical expression, in which the ranks are halved again and again"};
  return {};
}

void note(const Findings& findings, Proof& proof) {
  proof.in_order = findings.in_order;
  proof.identical = findings.identical;
  proof.canonical = findings.canonical;
  proof.depth = findings.depth;
  proof.tree = findings.tree;
  proof.exact = findings.exact;
}

}  // namespace

Found prove_combination(const Spec& spec, const Schedule& flow, const Claims& claims, const VerifyBudget& budget,
                        const Representatives& who, schedule::Meter& meter, Proof& proof) {
  const schedule::Metered metered(flow, meter);
  const std::int64_t values = kept_values(spec, flow.shape());
  const auto half = [&](Round done) {
    budget.progress(static_cast<double>(done) / static_cast<double>(flow.shape().rounds) / 2);
  };
  const std::function<void(Round)> progress = budget.progress ? half : std::function<void(Round)>{};
  const auto forwards = [&](bool& known) -> Found {
    Combination prover(spec, metered, meter);
    Found wrong = prover.run(progress);
    known = !prover.too_many();
    if (!known || wrong) return wrong;
    proof.deliveries = prover.deliveries();
    note(prover.results(), proof);
    return broken_claim(spec, claims, prover.results());
  };
  bool known = false;
  proof.by_symmetry = false;
  if (values <= few_values)
    if (Found wrong = forwards(known); known) return wrong;
  Structure structure(spec, metered, who.group, who.one_piece, meter);
  if (Found wrong = structure.run(progress)) return wrong;
  TreeProof backwards(spec, metered, who.group, who.one_piece);
  if (spec.operands == Operands::commutative && !spec.canonical && backwards.run()) {
    proof.by_symmetry = who.group != Group::none;
    proof.deliveries = structure.deliveries() * structure.stand_for() * (who.one_piece ? flow.shape().cut.pieces() : 1);
    proof.identical = Identical::strictly;
    proof.depth = backwards.depth();
    return {};
  }
  if (values <= budget.slots / 4)
    if (Found wrong = forwards(known); known) return wrong;
  throw Error(
      Error::Kind::budget,
      fmt::format("proving this on {} keeps {} values and as many expressions, more than allowed; prove a smaller "
                  "machine of the family, or an algorithm that combines along trees",
                  spec.topology->text(), base::format_count(values)));
}

}  // namespace quadrille::verifier
