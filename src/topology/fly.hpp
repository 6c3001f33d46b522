// k-ary n-flies: n stages of switches that each set one digit of the way. One-way, and with wires in both directions.
#pragma once

#include <string>
#include <vector>

#include "base/integer.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// What both kinds share: k^n places on each of the levels 0 .. n of wires, and n stages of k^(n-1) switches between.
/// Stage j sets digit n-1-j of a place.
class Butterfly : public Topology {
 public:
  Rank arity() const { return k_; }
  int stages() const { return n_; }
  Rank places() const { return powers_.back(); }
  std::int64_t switches() const { return n_ * (places() / k_); }

  std::string text() const override {
    return std::string(family()) + ":" + std::to_string(k_) + "^" + std::to_string(n_);
  }
  int degree() const override { return 1; }
  bool direct() const override { return false; }
  std::optional<int> colour(Rank) const override { return std::nullopt; }

 protected:
  Butterfly(Rank k, int n) : k_(k), n_(n), powers_{1} {
    for (int i = 0; i < n; ++i) powers_.push_back(powers_.back() * k);
  }
  Rank power(int digit) const { return powers_[static_cast<std::size_t>(digit)]; }
  Rank digit(Rank place, int i) const { return place / power(i) % k_; }
  /// `place` with the digits from `low` up taken from `to`, and with those below `high` taken from it.
  Rank with_high(Rank place, Rank to, int low) const { return place % power(low) + to / power(low) * power(low); }
  Rank with_low(Rank place, Rank to, int high) const { return place / power(high) * power(high) + to % power(high); }

 private:
  Rank k_;
  int n_;
  std::vector<Rank> powers_;  ///< of k, 0 .. n
};

/// k^n ranks, which send into level 0 and receive from level n: every route is n + 1 links. Link level * k^n + place;
/// its tail() and head() are the rank with the number of its place.
class Fly final : public Butterfly {
 public:
  Fly(Rank k, int n) : Butterfly(k, n) {}

  std::string_view family() const override { return "fly"; }
  Rank ranks() const override { return places(); }
  Link links() const override { return (stages() + 1) * places(); }
  int diameter() const override { return stages() + 1; }
  int distance(Rank from, Rank to) const override { return from == to ? 0 : stages() + 1; }
  Rank farthest(Rank from) const override { return from == 0 ? 1 : 0; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Rank tail(Link link) const override { return link % places(); }
  Rank head(Link link) const override { return tail(link); }
  Link reverse(Link link) const override { return link; }
  std::string name(Link link) const override;
  /// The first wires of half the ranks.
  std::int64_t bisection() const override { return ranks() / 2; }
  std::int64_t total_distance(Rank) const override { return (stages() + 1) * (ranks() - 1); }
  /// With digits of whole bits, renaming ranks by exclusive or renames every level's places alike.
  bool invariant(Group group) const override {
    return group == Group::none || (group != Group::rotate && base::is_power_of_two(arity()));
  }
  Link representative(Link link, Group group) const override {
    return group == Group::none ? link : link - tail(link) + representative_rank(tail(link), group);
  }
};

/// Ranks 0 .. k^n - 1 on the left, at level 0, and k^n .. 2 k^n - 1 on the right, at level n. Link
/// 2 * (level * k^n + place) leads from left to right and the next one back; its tail() and head() are the ranks with
/// the number of its place on either side. Two ranks of one side meet in the nearest switch that joins them.
class TwoWayFly final : public Butterfly {
 public:
  TwoWayFly(Rank k, int n) : Butterfly(k, n) {}

  std::string_view family() const override { return "bifly"; }
  Rank ranks() const override { return 2 * places(); }
  Link links() const override { return 2 * (stages() + 1) * places(); }
  int diameter() const override { return 2 * stages(); }
  int distance(Rank from, Rank to) const override;
  Rank farthest(Rank from) const override;
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Rank tail(Link link) const override { return link / 2 % places() + (link % 2 == 0 ? 0 : places()); }
  Rank head(Link link) const override { return link / 2 % places() + (link % 2 == 0 ? places() : 0); }
  Link reverse(Link link) const override { return link ^ 1; }
  std::string name(Link link) const override;
  /// The wires of one level and direction: left from right.
  std::int64_t bisection() const override { return places(); }
  std::int64_t total_distance(Rank from) const override;
  bool invariant(Group group) const override { return group == Group::none; }
  Link representative(Link link, Group) const override { return link; }

 private:
  bool left(Rank r) const { return r < places(); }
  /// Digits that a route between two ranks of one side passes before it turns, the turning one included.
  int digits_to_turn(Rank from, Rank to) const;
};

}  // namespace quadrille::topology
