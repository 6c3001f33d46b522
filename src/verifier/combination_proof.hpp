// Proofs of reductions: forwards on expressions where these can be kept, else backwards along trees.
#pragma once

#include "quadrille/verify.hpp"
#include "schedule/metered.hpp"

namespace quadrille::verifier {

/// Which ranks, and whether one piece, stand for all.
struct Representatives {
  Group group = Group::none;
  bool one_piece = false;
};

/// Fills in what a proof says of results. Throws Error(budget) where neither way fits the memory allowed.
std::optional<Counterexample> prove_combination(const Spec& spec, const Schedule& flow, const Claims& claims,
                                                const VerifyBudget& budget, const Representatives& who,
                                                schedule::Meter& meter, Proof& proof);

}  // namespace quadrille::verifier
