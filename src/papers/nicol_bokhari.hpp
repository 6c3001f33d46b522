// The experiments of Nicol & Bokhari 1994, section 4.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "papers/reproduce.hpp"
#include "quadrille/multiphase.hpp"

namespace quadrille::papers {

Reproduction reproduce_nicol_bokhari();

namespace nicol_bokhari {

/// How circuits are charged, and whether a one-phase run pays for its identity permutation.
struct Reading {
  const char* key;
  const char* name;
  const char* meaning;
  CircuitCost circuit;
  bool charge_identity;
};
inline constexpr std::array<Reading, 3> readings{
    {{"average_skip", "average, skip",
      "every message pays the circuit of half the diameter, as in the paper; one phase does not pay for a permutation "
      "that moves nothing, as in the paper's plots",
      CircuitCost::average, false},
     {"exact_skip", "exact, skip", "every message pays for the links it crosses", CircuitCost::exact, false},
     {"average_charge", "average, charge", "equation (2) to the letter: one phase pays for its permutation",
      CircuitCost::average, true}}};

/// The partitions that a figure shows, direct exchange first and standard exchange last.
struct Measured {
  int dimension;
  int figure;              ///< number in the paper
  double largest_ms;       ///< end of its time axis
  double threshold_bytes;  ///< from where the paper finds direct exchange best
  std::vector<Partition> partitions;
};
const std::vector<Measured>& measured();

Partition direct(int d);
Partition standard(int d);
MultiphaseModel model(const Machine& machine, const Reading& reading, int d);
std::string phases_text(const Partition& phases);  ///< "(2,3)"
std::string bytes_text(double bytes);              ///< "94.8 B", "6.29 B"
std::string ms_text(Seconds time);                 ///< "8.774 ms"

std::vector<Reproduction::Claim> claims(const Machine& machine);

}  // namespace nicol_bokhari

}  // namespace quadrille::papers
