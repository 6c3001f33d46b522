// A cycle of ranks.
#pragma once

#include <algorithm>

#include "base/integer.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// P ranks, r joined to r+1 and r-1 modulo P. Link 2r leads clockwise from r to r+1, link 2r+1 back to r-1. Routes go
/// the shorter way round; exactly half way goes clockwise. Two ranks have one wire: links 0 (0 to 1) and 1 (1 to 0).
class Ring final : public Topology {
 public:
  explicit Ring(Rank ranks) : p_(ranks) {}

  std::string_view family() const override { return "ring"; }
  std::string text() const override { return "ring:" + std::to_string(p_); }
  Rank ranks() const override { return p_; }
  Link links() const override { return p_ == 2 ? 2 : 2 * p_; }
  int diameter() const override { return static_cast<int>(p_ / 2); }
  int distance(Rank from, Rank to) const override;
  Rank farthest(Rank from) const override { return std::min((from + p_ / 2) % p_, base::wrap(from - p_ / 2, p_)); }
  int degree() const override { return p_ == 2 ? 1 : 2; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Rank tail(Link link) const override { return p_ == 2 ? link : link / 2; }
  Rank head(Link link) const override;
  Link reverse(Link link) const override;
  std::int64_t bisection() const override { return p_ == 2 ? 1 : 2; }
  std::int64_t total_distance(Rank) const override { return (p_ / 2) * ((p_ + 1) / 2); }
  std::optional<int> colour(Rank rank) const override;
  bool invariant(Group group) const override { return group == Group::none || group == Group::rotate; }
  Link representative(Link link, Group group) const override {
    return group == Group::none ? link : p_ == 2 ? 0 : link % 2;
  }

 private:
  Rank p_;
};

}  // namespace quadrille::topology
