// What a collective must move over every cut of a network: bounds on routed networks ask for nothing else.
#pragma once

#include "cost/network_graph.hpp"
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
  pairs      ///< a word goes from a rank to its partner
};
Need need_of(const Spec& spec);

/// Whole numbers in proportion to bytes, or a little less, and small enough for flows.
struct Weights {
  flow::Words words;  ///< of each rank
  Bytes word = 1;
};
/// Bytes that ranks have, or get: of Need::spread and collect.
Weights weights_of(const Spec& spec);

/// Words that must leave a set of ranks: the need of exchanges and pairs.
class Crossing {
 public:
  explicit Crossing(const Spec& spec);
  /// Moves a rank from outside to inside.
  void enter(Rank r);
  std::int64_t out() const { return out_; }
  std::int64_t in() const { return in_; }
  void clear();

 private:
  bool pairs_;
  std::int64_t ranks_, inside_ = 0, out_ = 0, in_ = 0;
  std::vector<Rank> to_, from_;
  std::vector<Rank> entered_;
  std::vector<char> is_inside_;
};

}  // namespace quadrille::pricing
