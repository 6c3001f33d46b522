// Machines on which the optimisation of multiphase exchanges is tested.
#pragma once

#include "quadrille/multiphase.hpp"

namespace quadrille::testing {

constexpr double us = 1e-6;

/// Effective constants of the iPSC/860, a synchronising message included.
inline MultiphaseModel ipsc860(int d, bool charge = false, CircuitCost circuit = CircuitCost::average) {
  return {.dimension = d,
          .lambda = 177.5 * us,
          .tau = 0.394 * us,
          .delta = 10.3 * d * us,
          .delta_hop = 20.6 * us,
          .rho = 0.54 * us,
          .barrier = 150.0 * d * us,
          .circuit = circuit,
          .charge_identity = charge};
}

/// A machine of whole numbers, tau and m in bytes apart.
inline MultiphaseModel whole(int d, double lambda, double tau, double delta, double rho, double q) {
  MultiphaseModel model;
  model.dimension = d, model.lambda = lambda, model.tau = tau, model.delta = delta, model.rho = rho, model.barrier = q;
  return model;
}

}  // namespace quadrille::testing
