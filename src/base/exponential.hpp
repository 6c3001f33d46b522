// e^x that is the same everywhere.
#pragma once

namespace quadrille::base {

/// e^x for some -20 <= x <= 0, by additions and products alone. What libraries give differs in the last bit from one
/// processor to the other, and with it would ways that are chosen by it.
inline double exponential(double x) {
  const double part = x / 1024;
  double power = 1, sum = 1;
  for (int k = 1; k < 8; ++k) power *= part / k, sum += power;
  for (int doubling = 0; doubling < 10; ++doubling) sum *= sum;
  return sum;
}

}  // namespace quadrille::base
