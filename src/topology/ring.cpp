// A cycle of ranks.
#include <algorithm>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology::ring {

namespace {

/// P ranks, r joined to r+1 and r-1 modulo P. Link 2r leads clockwise from r to r+1, link 2r+1 back to r-1. Routes go
/// the shorter way round; exactly half way goes clockwise. Two ranks have one wire: links 0 (0 to 1) and 1 (1 to 0).
/// One rank has none.
class Ring final : public Topology {
 public:
  explicit Ring(Rank ranks) : p_(ranks) {}

  std::string_view family() const override { return "ring"; }
  std::string text() const override { return "ring:" + std::to_string(p_); }
  Rank ranks() const override { return p_; }
  Link links() const override { return p_ == 1 ? 0 : p_ == 2 ? 2 : 2 * p_; }
  int diameter() const override { return static_cast<int>(p_ / 2); }
  int distance(Rank from, Rank to) const override;
  Rank farthest(Rank from) const override { return std::min((from + p_ / 2) % p_, base::wrap(from - p_ / 2, p_)); }
  int degree() const override { return static_cast<int>(std::min<Rank>(p_ - 1, 2)); }
  Structure structure() const override { return {.ring = true}; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Rank tail(Link link) const override { return p_ == 2 ? link : link / 2; }
  Rank head(Link link) const override;
  Link reverse(Link link) const override;
  std::int64_t bisection() const override { return std::min<Rank>(p_ - 1, 2); }
  std::int64_t total_distance(Rank) const override { return (p_ / 2) * ((p_ + 1) / 2); }
  std::optional<int> colour(Rank rank) const override;
  bool invariant(Group group) const override { return group == Group::none || group == Group::rotate; }
  Link representative(Link link, Group group) const override {
    return group == Group::none ? link : p_ == 2 ? 0 : link % 2;
  }

 private:
  Rank p_;
};

int Ring::distance(Rank from, Rank to) const {
  const Rank clockwise = base::wrap(to - from, p_);
  return static_cast<int>(std::min(clockwise, p_ - clockwise));
}

void Ring::route(Rank from, Rank to, std::vector<Link>& path) const {
  if (p_ == 2) {
    if (from != to) path.push_back(from);
    return;
  }
  const Rank clockwise = base::wrap(to - from, p_);
  if (2 * clockwise <= p_)
    for (Rank i = 0; i < clockwise; ++i) path.push_back(2 * ((from + i) % p_));
  else
    for (Rank i = 0; i < p_ - clockwise; ++i) path.push_back(2 * base::wrap(from - i, p_) + 1);
}

Rank Ring::head(Link link) const {
  if (p_ == 2) return 1 - link;
  return base::wrap(link / 2 + (link % 2 == 0 ? 1 : -1), p_);
}

Link Ring::reverse(Link link) const { return p_ == 2 ? 1 - link : 2 * head(link) + 1 - link % 2; }

std::optional<int> Ring::colour(Rank rank) const {
  if (p_ % 2 != 0 && p_ > 1) return std::nullopt;
  return static_cast<int>(rank % 2);
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "ring",
           .form = "ring:P",
           .summary = "P ranks, P = 1..2^30; neighbours are r+1 and r-1; routes go the shorter way round",
           .make = [](std::string_view text) -> TopologyPtr {
             return std::make_shared<Ring>(base::parse_integer(text, 1, base::bit(30), "ring size"));
           },
           .shape = any_size,
           .examples = {"8", "2", "3", "4", "9"},
           .place = 30}};
}

}  // namespace quadrille::topology::ring
