// What a collective must move over every cut of a network: bounds on routed networks ask for nothing else.
#pragma once

#include <utility>
#include <vector>

#include "cost/network_graph.hpp"
#include "flow/shortest_trees.hpp"
#include "quadrille/collective.hpp"

namespace quadrille::pricing {

using cost::exists, cost::links_out_of, cost::most_links, cost::network_graph, cost::NetworkGraph, cost::node_side,
    cost::plain_graph;

enum class Need {
  spread,     ///< what ranks have goes to all others
  collect,    ///< every rank's contribution goes, combined on the way, to results at ranks that have so many words
  from_root,  ///< the root has other words for each rank
  to_root,
  prefixes,  ///< rank 0's contribution goes to all, and those of all to the last rank
  results,   ///< every rank gets a result of all contributions
  exchange,  ///< each ordered pair has a word
  pairs      ///< words go from some ranks to some others
};
Need need_of(const Spec& spec);
/// Whether Traits::crossings() are transfers from rank to rank, whatever is between them: of what goes to all ranks, or
/// has contributions of all.
bool counts_transfers(const Spec& spec);
/// Whether each of Traits::crossings() takes a port of the sender and one of the receiver: those between neighbours,
/// and transfers, unless one send reaches several ranks.
bool takes_ports(const Spec& spec, const Machine& machine);
/// Whether bounds look at links one by one: where messages cross switches, and where pairs differ in what they have.
bool looks_at_links(const Spec& spec, const Machine& machine);
/// Whether they weigh links beside: of a transposition over links of ranks that are not many, or that joins_all(); and
/// of pairs on stages of switches.
bool weighs_links(const Spec& spec, const Machine& machine);
/// Of a transposition on stages of switches that all routes pass, and an even number of them: all blocks of a row meet
/// on a link in the middle.
bool meets_in_the_middle(const Spec& spec);
/// Whether there are links from every rank to every other that can all be busy at once.
bool joins_all(const Spec& spec, const Machine& machine);

/// Whole numbers in proportion to bytes, or a little less, and small enough for flows.
struct Weights {
  flow::Words words;  ///< of each rank
  Bytes word = 1;
};
/// Bytes that ranks have, or get: of Need::spread and collect.
Weights weights_of(const Spec& spec);
/// Of Need::pairs, in the order of Traits::pairs().
Weights weights_of(const std::vector<Demand>& pairs);
/// A word for each other, or of Need::pairs what these want, with the bytes of a word.
std::pair<flow::Wants, Bytes> wants_of(const Spec& spec);

/// Words that must leave a set of ranks: the need of exchanges and pairs.
class Crossing {
 public:
  explicit Crossing(const Spec& spec);
  /// Moves a rank from outside to inside.
  void enter(Rank r);
  std::int64_t out() const { return out_; }
  std::int64_t in() const { return in_; }
  Bytes word() const { return word_; }
  void clear();

 private:
  struct Partner {
    Rank rank;
    std::int64_t words;
  };
  bool pairs_;
  Bytes word_;
  std::int64_t ranks_, inside_ = 0, out_ = 0, in_ = 0;
  std::vector<std::vector<Partner>> to_, from_;
  std::vector<Rank> entered_;
  std::vector<char> is_inside_;
};

}  // namespace quadrille::pricing
