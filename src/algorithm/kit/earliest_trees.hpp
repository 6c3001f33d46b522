// Trees from the root planned message by message: of all that could be sent next, the message that arrives earliest.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::algorithm::kit {

/// A part goes from one rank to another; where all goes to the root, backwards.
struct TreeMessage {
  Rank from, to;
  std::int64_t part;
  Round round;
};

struct EarliestTrees {
  std::vector<TreeMessage> messages;  ///< by round and sender, in the order in which that sends them
  Round rounds = 0;
  bool meet = false;     ///< two messages of one round cross a link; half duplex: a wire
  int most_at_rank = 0;  ///< messages that one rank sends or receives in a round
};

/// A tree for each of so many parts, in which it goes from its holders to the ranks that lack it, planned for parts of
/// `part_bytes`, whatever the question has: so more bytes never make a plan cheaper. Where all goes to the root, links
/// are those of the ways there. Answers are remembered, because a plan asks for the same one several times.
std::shared_ptr<const EarliestTrees> earliest_trees(const Spec& spec, const Machine& machine, std::int64_t parts,
                                                    Bytes part_bytes);

/// Why none are planned here; empty where they are. Names the collective's algorithm that is worth trying instead.
std::string earliest_trees_illegal(const Spec& spec, std::string_view instead);

/// A plan's size says that it is made for parts of 2^10 * 4^size bytes.
constexpr std::int64_t largest_size = 3;
constexpr Bytes bytes_of_size(std::int64_t size) { return Bytes{1024} << (2 * size); }

}  // namespace quadrille::algorithm::kit
