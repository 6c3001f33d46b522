// Random questions: a collective, a network, a machine and a size, all from one seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "quadrille/plan.hpp"

namespace quadrille::laws {

struct Question {
  Spec spec;
  Machine machine;
  Order order = Order::dataflow;
  Network network = Network::cut_through;
};

class Questions {
 public:
  explicit Questions(std::uint64_t seed) : random_(seed) {}
  Question next();
  /// A whole number from 0 to n - 1.
  std::int64_t below(std::int64_t n) { return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random_); }

 private:
  TopologyPtr topology();
  Machine machine();
  Machine random_machine();
  Spec spec();
  double magnitude(double least, double most);
  bool one_in(std::int64_t n) { return below(n) == 0; }

  std::mt19937_64 random_;
};

/// The command that asks it, but for the machine's constants.
std::string to_text(const Question& question);

}  // namespace quadrille::laws
