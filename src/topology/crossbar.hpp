// Every rank wired to every other: a non-blocking switch.
#pragma once

#include "base/integer.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// P ranks with a private directed wire per ordered pair: link u*P + v leads from u to v (u*P + u is never used).
class Crossbar final : public Topology {
 public:
  explicit Crossbar(Rank ranks) : p_(ranks) {}

  std::string_view family() const override { return "crossbar"; }
  std::string text() const override { return "crossbar:" + std::to_string(p_); }
  Rank ranks() const override { return p_; }
  Link links() const override { return p_ * p_; }
  std::int64_t wires() const override { return p_ * (p_ - 1); }
  int diameter() const override { return 1; }
  int distance(Rank from, Rank to) const override { return from == to ? 0 : 1; }
  Rank farthest(Rank from) const override { return from == 0 ? 1 : 0; }
  int degree() const override { return static_cast<int>(p_ - 1); }
  void route(Rank from, Rank to, std::vector<Link>& path) const override {
    if (from != to) path.push_back(from * p_ + to);
  }
  Rank tail(Link link) const override { return link / p_; }
  Rank head(Link link) const override { return link % p_; }
  Link reverse(Link link) const override { return head(link) * p_ + tail(link); }
  std::int64_t bisection() const override { return (p_ / 2) * ((p_ + 1) / 2); }
  std::int64_t total_distance(Rank) const override { return p_ - 1; }
  std::optional<int> colour(Rank rank) const override {
    return p_ == 2 ? std::optional<int>(static_cast<int>(rank)) : std::nullopt;
  }
  bool invariant(Group group) const override {
    return group == Group::none || group == Group::rotate || base::is_power_of_two(p_);
  }
  Link representative(Link link, Group group) const override;

 private:
  Rank p_;
};

}  // namespace quadrille::topology
