// The binary n-cube: ranks are joined when their numbers differ in one bit.
#pragma once

#include "base/integer.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// 2^n ranks; link u*n + b leads from u to u xor 2^b; e-cube routes flip the differing bits lowest first.
class Hypercube final : public Topology {
 public:
  explicit Hypercube(int dimension) : n_(dimension) {}
  int dimension() const { return n_; }

  std::string_view family() const override { return "hypercube"; }
  std::string text() const override { return "hypercube:" + std::to_string(n_); }
  Rank ranks() const override { return base::bit(n_); }
  Link links() const override { return n_ * base::bit(n_); }
  int diameter() const override { return n_; }
  int distance(Rank from, Rank to) const override { return base::popcount(from ^ to); }
  Rank farthest(Rank from) const override { return from ^ (base::bit(n_) - 1); }
  int degree() const override { return n_; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Rank tail(Link link) const override { return link / n_; }
  Rank head(Link link) const override { return tail(link) ^ base::bit(static_cast<int>(link % n_)); }
  Link reverse(Link link) const override { return head(link) * n_ + link % n_; }
  std::int64_t bisection() const override { return n_ == 0 ? 0 : base::bit(n_ - 1); }
  std::int64_t total_distance(Rank) const override { return n_ == 0 ? 0 : n_ * base::bit(n_ - 1); }
  std::optional<int> colour(Rank rank) const override { return base::popcount(rank) & 1; }
  bool invariant(Group group) const override { return group != Group::rotate; }
  Link representative(Link link, Group group) const override {
    return representative_rank(tail(link), group) * n_ + link % n_;
  }

 private:
  int n_;
};

}  // namespace quadrille::topology
