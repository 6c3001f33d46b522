// The price of rounds whose messages an algorithm lists itself: what `count` finds in a schedule, from the messages
// alone.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "algorithm/pattern/grid_loads.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/cost.hpp"

namespace quadrille::algorithm::kit {

class RoundPricer {
 public:
  RoundPricer(const Spec& spec, const Machine& machine);
  /// One rank sends the same bytes to these peers. `one_run`: they are one run of memory there and here. A rank calls
  /// it once a round.
  void send(Rank from, std::span<const Rank> peers, Bytes bytes, bool one_run);
  /// One message of which its sender gathers so many bytes, and what its receiver spreads and combines of it.
  void message(Rank from, Rank to, Bytes bytes, Bytes packed);
  void received(Rank to, Bytes packed, Bytes combined);
  void end_round();
  const Cost& cost() const { return cost_; }

 private:
  struct Port {
    Bytes out = 0, in = 0, packed = 0, combined = 0;
    std::int64_t sends = 0, receives = 0;
  };
  struct Message {
    Rank from, to;
    Bytes bytes;
  };
  Bytes& load(Link link);
  Bytes load_of(Link link) const;
  void cross(std::span<const Link> path, Bytes bytes);
  Bytes busiest_link();
  Bytes busiest_port() const;
  std::int64_t busiest_rank() const;

  const Spec& spec_;
  const Machine& machine_;
  const Topology& topology_;
  Cost cost_;
  bool dense_;
  std::vector<Bytes> table_;
  std::unordered_map<Link, Bytes> map_;
  std::vector<Link> crossed_, path_;
  std::optional<pattern::GridLoads> grid_;
  std::vector<Message> waiting_;  ///< of the round, not yet on their links
  std::int64_t crossings_ = 0;    ///< of these
  std::vector<Port> ports_;
  std::vector<Rank> busy_;
  std::int64_t hops_ = 0, transactions_ = 0;
  bool any_ = false, heard_by_many_ = false;
  Bytes largest_ = 0, medium_ = 0;
};

}  // namespace quadrille::algorithm::kit
