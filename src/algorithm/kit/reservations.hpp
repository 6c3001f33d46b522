// Links, wires and ports that planned messages take, and until when.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::algorithm::kit {

/// Until when every link, or wire, or port is taken; and which of them a round has used.
class Reservations {
 public:
  Reservations(const Spec& spec, const Machine& machine)
      : topology_(*spec.topology),
        half_(machine.duplex != Duplex::full),
        one_port_(machine.ports == Ports::one),
        ranks_(spec.ranks()),
        table_(topology_.links() <= few_links ? place(topology_.links() + 2 * ranks_) : 0) {}

  /// What a message from one to the other needs, until the next call.
  const std::vector<Link>& needs(Rank from, Rank to) {
    needs_.clear();
    topology_.route(from, to, needs_);
    if (half_)
      for (Link& link : needs_) link = std::min(link, topology_.reverse(link));
    if (one_port_) {
      needs_.push_back(topology_.links() + from);
      needs_.push_back(topology_.links() + (half_ ? to : ranks_ + to));
    }
    return needs_;
  }
  Seconds free_from(const std::vector<Link>& needed) const {
    Seconds latest = 0;
    for (const Link link : needed) latest = std::max(latest, until(link));
    return latest;
  }
  void take(const std::vector<Link>& needed, Round round, Seconds end) {
    for (const Link link : needed) {
      (table_.empty() ? map_[link] : table_[place(link)]) = end;
      if (link < topology_.links() && !used_.insert(key(link, round)).second) meet_ = true;
    }
  }
  bool used(const std::vector<Link>& needed, Round round) const {
    return std::any_of(needed.begin(), needed.end(), [&](Link link) { return used_.count(key(link, round)) > 0; });
  }
  bool meet() const { return meet_; }

 private:
  static constexpr Link few_links = Link{1} << 22;
  static std::size_t place(std::int64_t i) { return static_cast<std::size_t>(i); }
  static std::uint64_t key(Link link, Round round) {
    return static_cast<std::uint64_t>(round) << 40 | static_cast<std::uint64_t>(link);
  }
  Seconds until(Link link) const {
    if (!table_.empty()) return table_[place(link)];
    const auto found = map_.find(link);
    return found == map_.end() ? 0 : found->second;
  }

  const Topology& topology_;
  bool half_, one_port_;
  Rank ranks_;
  std::vector<Seconds> table_;
  std::unordered_map<Link, Seconds> map_;
  std::unordered_set<std::uint64_t> used_;
  std::vector<Link> needs_;
  bool meet_ = false;
};

}  // namespace quadrille::algorithm::kit
