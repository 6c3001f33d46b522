// Dragonflies: groups of routers that are all joined, and a link between any two groups [Kim, Dally et al. 2008].
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/drawing.hpp"
#include "topology/graph/routed.hpp"

namespace quadrille::topology::dragonfly {

namespace {

using Widths = std::array<std::int64_t, 3>;

/// Groups 0 .. a*h of `a` routers with p hosts and h global links each; host (router * p + i), and router r of the
/// whole is vertex ranks() + r. Links: 2 * host up and 2 * host + 1 down; then those to each of the other routers of a
/// group; then those to each of the other groups, counted from the one behind the own. A route goes to the router that
/// has the link to the other group, over it, and to the host's router.
class Dragonfly final : public Routed {
 public:
  Dragonfly(Rank a, Rank p, Rank h, Widths widths)
      : a_(a), p_(p), h_(h), groups_(a * h + 1), widths_(widths), sizes_(groups_of({p, a * p}, groups_ * a * p)) {}

  std::string_view family() const override { return "dragonfly"; }
  std::string text() const override;
  std::string describe() const override { return fmt::format("a dragonfly of {} groups", groups_); }
  Rank ranks() const override { return routers() * p_; }
  std::int64_t vertices() const override { return ranks() + routers(); }
  Structure structure() const override { return {.routed = true, .groups = sizes_}; }
  Link links() const override { return first_global() + routers() * h_; }
  int diameter() const override { return a_ > 1 ? 5 : 3; }
  int distance(Rank from, Rank to) const override;
  int degree() const override { return 1; }
  Link next(Link last, Rank from, Rank to) const override;
  Rank tail(Link link) const override;
  Rank head(Link link) const override;
  Link reverse(Link link) const override;
  std::vector<std::string> kinds() const override { return {"terminal", "local", "global"}; }
  LinkFacts facts(Link link) const override;
  bool links_alike() const override { return false; }
  std::int64_t widest() const override { return *std::max_element(widths_.begin(), widths_.end()); }
  std::int64_t bisection() const override { return std::min(between_groups(), between_hosts()); }
  Rank bisection_ranks() const override {
    return between_groups() <= between_hosts() ? groups_ / 2 * a_ * p_ : ranks() / 2;
  }
  std::int64_t total_distance(Rank from) const override;
  Drawing drawing() const override;
  std::string_view routing() const override { return "minimal"; }

 private:
  Rank routers() const { return groups_ * a_; }
  Link first_local() const { return 2 * ranks(); }
  Link first_global() const { return first_local() + routers() * (a_ - 1); }
  Link local(Rank from, Rank to) const {
    const Rank other = to % a_;
    return first_local() + from * (a_ - 1) + other - (other > from % a_);
  }
  /// Which of its group's global links leads to another group.
  Rank toward(Rank group, Rank other) const { return base::wrap(other - group - 1, groups_); }
  Link next_of_router(Rank router, Rank to) const;
  /// Two cuts: between halves of the groups, and around half the hosts.
  std::int64_t between_groups() const {
    return base::checked_multiply(groups_ / 2 * (groups_ - groups_ / 2), widths_[2], "width of the cut between halves");
  }
  std::int64_t between_hosts() const { return ranks() / 2 * widths_[0]; }

  Rank a_, p_, h_, groups_;
  Widths widths_;
  std::vector<Rank> sizes_;  ///< ranks of a router, and of a group
};

std::string Dragonfly::text() const {
  const std::string plain = fmt::format("dragonfly:{},{},{}", a_, p_, h_);
  return widths_ == Widths{1, 1, 1} ? plain : fmt::format("{}/{},{},{}", plain, widths_[0], widths_[1], widths_[2]);
}

/// Groups round a ring; in each, routers in a row above their hosts.
Drawing Dragonfly::drawing() const {
  if (vertices() > Drawing::most_vertices) return {};
  Drawing all{.rows = {{}, {}}, .ring = true};
  for (Rank group = 0; group < groups_; ++group) {
    Drawing& drawn = all.rows.back().emplace_back(Drawing{.rows = {{}}, .name = fmt::format("group {}", group)});
    for (Rank router = group * a_; router < (group + 1) * a_; ++router) {
      Drawing column{.rows = rows_of(row_of(router * p_, p_), 2)};
      column.rows.insert(column.rows.begin(), row_of(ranks() + router, 1));
      drawn.rows.front().push_back(std::move(column));
    }
  }
  return all;
}

Link Dragonfly::next_of_router(Rank router, Rank to) const {
  const Rank target = to / p_, group = router / a_;
  if (router == target) return 2 * to + 1;
  if (group == target / a_) return local(router, target);
  const Rank way = toward(group, target / a_), gate = group * a_ + way / h_;
  return router == gate ? first_global() + group * a_ * h_ + way : local(router, gate);
}

Link Dragonfly::next(Link last, Rank from, Rank to) const {
  if (last < 0) return from == to ? -1 : 2 * from;
  if (last < first_local() && last % 2 != 0) return -1;
  return next_of_router(head(last) - ranks(), to);
}

int Dragonfly::distance(Rank from, Rank to) const {
  if (from == to) return 0;
  const Rank here = from / p_, there = to / p_;
  if (here == there) return 2;
  if (here / a_ == there / a_) return 3;
  const Rank gate = toward(here / a_, there / a_) / h_, entry = toward(there / a_, here / a_) / h_;
  return 3 + (here % a_ != gate) + (there % a_ != entry);
}

Rank Dragonfly::tail(Link link) const {
  if (link < first_local()) return link % 2 == 0 ? link / 2 : ranks() + link / 2 / p_;
  return ranks() + (link < first_global() ? (link - first_local()) / (a_ - 1) : (link - first_global()) / h_);
}

Rank Dragonfly::head(Link link) const {
  if (link < first_local()) return tail(link ^ 1);
  if (link >= first_global()) return tail(reverse(link));
  const Rank router = (link - first_local()) / (a_ - 1), other = (link - first_local()) % (a_ - 1);
  return ranks() + router / a_ * a_ + other + (other >= router % a_);
}

Link Dragonfly::reverse(Link link) const {
  if (link < first_local()) return link ^ 1;
  if (link < first_global()) return local(head(link) - ranks(), tail(link) - ranks());
  const Rank group = (link - first_global()) / (a_ * h_), way = (link - first_global()) % (a_ * h_);
  const Rank other = (group + way + 1) % groups_;
  return first_global() + other * a_ * h_ + toward(other, group);
}

Topology::LinkFacts Dragonfly::facts(Link link) const {
  const int kind = link < first_local() ? 0 : link < first_global() ? 1 : 2;
  return {kind, widths_[static_cast<std::size_t>(kind)], 0};
}

/// Of every rank the same: its router has the link to h of the other groups, and one router of each is entered.
std::int64_t Dragonfly::total_distance(Rank) const {
  const std::int64_t own = 2 * (p_ - 1) + 3 * (a_ - 1) * p_;
  const std::int64_t in_group = 3 * p_ + 4 * (a_ - 1) * p_;
  return own + a_ * h_ * in_group + (a_ - 1) * h_ * a_ * p_;
}

TopologyPtr make(std::string_view text) {
  const auto slash = text.find('/');
  const auto three = [&](std::string_view list, std::string_view what) {
    const std::vector<std::string_view> parts = base::split(list, ',');
    if (parts.size() != 3)
      throw Error(Error::Kind::argument,
                  fmt::format("topology dragonfly:{}: {} numbers; expected three {}, as in dragonfly:4,2,2 or "
                              "dragonfly:4,2,2/1,1,2",
                              base::quoted(text), parts.size(), what));
    return parts;
  };
  const auto sizes = three(text.substr(0, slash), "sizes");
  const Rank a = base::parse_integer(sizes[0], 1, 4096, "routers of a group of dragonfly");
  const Rank p = base::parse_integer(sizes[1], 1, 4096, "hosts of a router of dragonfly");
  const Rank h = base::parse_integer(sizes[2], 1, 4096, "global links of a router of dragonfly");
  Widths widths{1, 1, 1};
  if (slash != std::string_view::npos) {
    const auto given = three(text.substr(slash + 1), "widths");
    for (std::size_t i = 0; i < 3; ++i)
      widths[i] = base::parse_integer(given[i], 1, base::bit(31), "width of links of dragonfly");
  }
  if ((a * h + 1) * a * p > base::bit(30))
    throw Error(Error::Kind::argument, fmt::format("topology dragonfly:{}: {} hosts; expected at most 2^30",
                                                   base::quoted(text), (a * h + 1) * a * p));
  return std::make_shared<Dragonfly>(a, p, h, widths);
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "dragonfly",
           .form = "dragonfly:A,P,H",
           .summary =
               "A*H + 1 groups of A routers, all joined, with P hosts and H links to other groups each; then /1,1,2 "
               "for the widths of links to hosts, in groups and between them; minimal routes: local, global, local",
           .make = make,
           .examples = {"2,2,1", "2,1,1/1,2,3"},
           .place = 230}};
}

}  // namespace quadrille::topology::dragonfly
