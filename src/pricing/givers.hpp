// Who has something to give in a multibcast.
#pragma once

#include "quadrille/collective.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::pricing {

/// Sources that have bytes; those without send nothing.
inline Rank givers(const Spec& spec) {
  Rank count = 0;
  for (Slot i = 0; i < spec.sources->count(); ++i) count += spec.sources->bytes(i) > 0 ? 1 : 0;
  return count;
}

}  // namespace quadrille::pricing
