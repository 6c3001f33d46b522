// Every rank wired to every other: a non-blocking switch.
#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology::crossbar {

namespace {

/// P ranks with a private directed wire per ordered pair: link u*P + v leads from u to v (u*P + u is never used).
class Crossbar final : public Topology {
 public:
  explicit Crossbar(Rank ranks) : p_(ranks) {}

  std::string_view family() const override { return "crossbar"; }
  std::string text() const override { return "crossbar:" + std::to_string(p_); }
  std::string describe() const override { return "a non-blocking switch"; }
  Rank ranks() const override { return p_; }
  Link links() const override { return p_ * p_; }
  std::int64_t wires() const override { return p_ * (p_ - 1); }
  int diameter() const override { return p_ > 1 ? 1 : 0; }
  int distance(Rank from, Rank to) const override { return from == to ? 0 : 1; }
  Rank farthest(Rank from) const override { return from == 0 && p_ > 1 ? 1 : 0; }
  int degree() const override { return static_cast<int>(p_ - 1); }
  bool contended() const override { return false; }
  Structure structure() const override { return {.switches_shifts = true}; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override {
    if (from != to) path.push_back(from * p_ + to);
  }
  Rank tail(Link link) const override { return link / p_; }
  Rank head(Link link) const override { return link % p_; }
  Link reverse(Link link) const override { return head(link) * p_ + tail(link); }
  std::int64_t bisection() const override { return (p_ / 2) * ((p_ + 1) / 2); }
  std::int64_t total_distance(Rank) const override { return p_ - 1; }
  std::optional<int> colour(Rank rank) const override {
    return p_ <= 2 ? std::optional<int>(static_cast<int>(rank)) : std::nullopt;
  }
  bool invariant(Group group) const override {
    return group == Group::none || group == Group::rotate || base::is_power_of_two(p_);
  }
  Link representative(Link link, Group group) const override;

 private:
  Rank p_;
};

Link Crossbar::representative(Link link, Group group) const {
  const Rank from = tail(link), to = head(link), zero = representative_rank(from, group);
  if (group == Group::none) return link;
  return zero * p_ + (group == Group::rotate ? base::wrap(to - from, p_) : to ^ from ^ zero);
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "crossbar",
           .form = "crossbar:P",
           .summary =
               "P ranks, P = 1..2^30; a private wire between any two; every route is one link; also switch:P, which in "
               "the papers has one port a rank (machine switch-1986)",
           .make = [](std::string_view text) -> TopologyPtr {
             return std::make_shared<Crossbar>(base::parse_integer(text, 1, base::bit(30), "crossbar size"));
           },
           .shape = any_size,
           .examples = {"8", "2", "3", "9"},
           .also = {"switch"},
           .place = 10}};
}

}  // namespace quadrille::topology::crossbar
