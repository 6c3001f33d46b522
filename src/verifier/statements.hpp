// What a proof has shown, in sentences.
#pragma once

#include "quadrille/verify.hpp"

namespace quadrille::verifier {

/// "1 operation", "7 operations".
std::string operations(int depth);
void state(const Spec& spec, const Machine& machine, const Claims& claims, Proof& proof);

}  // namespace quadrille::verifier
