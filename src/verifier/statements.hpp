// What a proof has shown, in sentences.
#pragma once

#include "quadrille/verify.hpp"

namespace quadrille::verifier {

void state(const Spec& spec, const Machine& machine, const Claims& claims, Proof& proof);

}  // namespace quadrille::verifier
