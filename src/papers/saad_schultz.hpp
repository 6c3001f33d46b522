// Saad & Schultz 1986, "Data Communication in Parallel Architectures", tables 1 and 2: what five operations cost on six
// machines, as printed, as it should read, and as schedules really do. A word is a byte, a unit of time a second.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "papers/reproduce.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::papers {

Reproduction reproduce_saad_schultz(const Values& values);

namespace saad_schultz {

/// What the tables are functions of.
struct Setting {
  Rank k = 64;              ///< ranks: 4^i
  Bytes words = 65536;      ///< N, in all; a multiple of k^2
  double tau = 100;         ///< start-up
  double b = 1;             ///< words a unit of time
  std::int64_t shared = 8;  ///< k*

  double ranks() const { return static_cast<double>(k); }
  double side() const;                                              ///< s = sqrt(k)
  double steps() const;                                             ///< n = log2 k
  double volume() const { return static_cast<double>(words) / b; }  ///< N/b
  double waves() const;                                             ///< max(1, k/k*)
};
/// Names and defaults of the values that the reader may choose.
const std::vector<Value>& setting_values();
Setting read_setting(const Values& values);  ///< throws Error(argument)

enum class Net { bus, memory, ring, grid, hypercube, switch_ };
inline constexpr Net nets[] = {Net::bus, Net::memory, Net::ring, Net::grid, Net::hypercube, Net::switch_};
inline constexpr Collective operations[] = {Collective::sendrecv, Collective::bcast, Collective::allgather,
                                            Collective::scatter, Collective::alltoall};

std::string_view name(Net net);               ///< the tables' word
std::string_view name(Collective operation);  ///< the tables' word
std::string_view preset(Net net);
Machine machine(Net net, const Setting& setting);
Spec question(Collective operation, Net net, const Setting& setting);

/// One entry of the tables.
struct Entry {
  Collective operation;
  Net net;
  std::string_view printed;
  double (*printed_value)(const Setting&);
  std::vector<std::string_view>
      algorithms;  ///< the paper's, by our names; with parameters where ours do more (P-1: one less than ranks)
  std::string_view errata = {};  ///< "E-21"; empty: the entry is right, and so are the next three
  std::string_view corrected = {};
  double (*corrected_value)(const Setting&) = nullptr;
  std::string_view why = {};

  double value(const Setting& s) const { return errata.empty() ? printed_value(s) : corrected_value(s); }
};
/// Thirty, in the order of operations and nets.
const std::vector<Entry>& entries();

/// What schedules really cost where an entry speaks of them.
struct Answer {
  const Entry* entry;
  Plan plan;
  Candidate paper;  ///< the best of the paper's algorithms
};
Answer answer(const Entry& entry, const Setting& setting);

}  // namespace saad_schultz

}  // namespace quadrille::papers
