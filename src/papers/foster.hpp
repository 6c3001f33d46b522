// Foster 1995, "Designing and Building Parallel Programs", section 3.7: messages that compete for wires, and its two
// worked examples. Lengths are in words of 4 bytes, times in the unit of the constants.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "papers/reproduce.hpp"
#include "quadrille/contention.hpp"

namespace quadrille::papers {

Reproduction reproduce_foster();

namespace foster {

constexpr double word_bytes = 4;

/// T(message of L words) = t_s + t_w S L.
struct Constants {
  double t_s, t_w;
};
Constants constants(const Machine& machine);

/// How messages are counted where they meet.
struct Reading {
  const char* key;
  const char* name;
  const char* meaning;
  Counting counting;
};
inline constexpr std::array<Reading, 3> readings{
    {{"half_bus",
      "half a bus",
      "as in the book's formulas: on a bus only one partner of every exchange counts, so each rank is charged for its "
      "own "
      "half-step",
      {Who::messages, true}},
     {"messages", "messages", "every message over a wire counts: what the wire really carries", {Who::messages, false}},
     {"senders",
      "senders",
      "ranks that send over a wire count, however many messages each sends",
      {Who::senders, false}}}};

/// Messages sent at once, all of one length.
using Pattern = std::vector<Envelope>;
Pattern butterfly(Rank ranks, int step);       ///< u to u xor 2^step
std::vector<Pattern> butterflies(Rank ranks);  ///< every step; ranks = 2^n
Pattern shift(Rank ranks, Rank by);            ///< u to u + by, round the end
std::vector<Pattern> exchanges(Rank ranks);    ///< neighbours in a circle: pairs from 0 on, then from 1 on; even
Pattern bit_reversal(Rank ranks);              ///< ranks = 2^n
Pattern transpose(Rank ranks);                 ///< high and low half of the label change places; ranks = 4^n
Pattern together(const Pattern& a, const Pattern& b);

/// A network of a kind with so many ranks: "bus", "hypercube", "mesh1" (a line), "mesh2" (a square), "torus3",
/// "fly_k2", "bifly_k2", ...; throws Error(argument) when there is none.
TopologyPtr network(const std::string& kind, Rank ranks);

std::int64_t competition(const Topology& topology, const Pattern& pattern, const Counting& counting = {});
std::int64_t hops(const Topology& topology, const std::vector<Pattern>& rounds);
/// Rounds of messages of so many words, one after the other, each with its own S.
double rounds_time(const Topology& topology, const std::vector<Pattern>& rounds, double words, const Constants& c,
                   const Counting& counting = {});

/// The finite difference problem on an n x n x z grid in P slices: two messages of 2 n z words a step.
struct Difference {
  double n = 512, z = 5;
  double words() const { return 2 * n * z; }
  double ideal(const Constants& c) const { return 2 * (c.t_s + c.t_w * words()); }  ///< eq. (3.3)
  double bus(Rank p, const Constants& c) const;                                     ///< eq. (3.11)
  double occupancy(Rank p, const Constants& c) const;                               ///< of the bus by all words
  /// Ranks at which a bus is fastest when one point takes t_c, and the speed-up with p ranks.
  double best_ranks(double t_c, const Constants& c) const;
  double speed_up(Rank p, double t_c, double communication) const;
};

/// A butterfly that exchanges n / P words in each of log2 P steps.
struct Butterfly {
  double n = 65536;
  double words(Rank p) const { return n / static_cast<double>(p); }
  double ideal(Rank p, const Constants& c) const;
  double bus(Rank p, const Constants& c) const;
  double mesh_bound(Rank p, const Constants& c) const;      ///< 1-D mesh: all words over all wires at once
  double mesh_dependent(Rank p, const Constants& c) const;  ///< ... when the last step cannot start before the others
  double mesh_rounds(Rank p, const Constants& c) const;     ///< step by step, each with its own S
};

std::vector<Reproduction::Claim> claims(const Machine& machine);

}  // namespace foster

}  // namespace quadrille::papers
