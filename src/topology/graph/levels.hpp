// Trees of switches with several roots, computed instead of listed: extended generalized fat trees [Öhring et al.
// 1995].
#pragma once

#include <string>
#include <vector>

#include "base/divisor.hpp"
#include "topology/graph/drawing.hpp"
#include "topology/graph/routed.hpp"

namespace quadrille::topology {

/// Nodes of level l have children[l - 1] children below, and parents[l] parents above. Level 0 are the hosts.
struct LevelsShape {
  std::vector<Rank> children, parents;
  std::vector<std::int64_t> widths;  ///< of the links to each level's children
  std::vector<std::string> kinds;    ///< of the same
  bool roots_by_port = false;        ///< roots are numbered by the lower digit of their label first
  std::string_view routing = "dmodk";
};

/// Node (x; y) of level l: x, where it stands in the whole, times the nodes of its kind there, and y, which of these it
/// is; the digits of y that were chosen last are the highest. A route to d goes up through the nodes whose y is d
/// modulo their number, by port floor(d / y's of its level) modulo the parents, until it is above d, and then down the
/// only way: d-mod-k [Zahavi 2010]. Links of level l are numbered by their lower node, then by its port, upwards first.
class Levels final : public Routed {
 public:
  /// Throws Error(argument), which opens with `text`, for more than 2^30 hosts or 2^40 links.
  Levels(LevelsShape shape, std::string family, std::string text, std::string describe);

  std::string_view family() const override { return family_; }
  std::string text() const override { return text_; }
  std::string describe() const override { return describe_; }
  Rank ranks() const override { return below_.back(); }
  std::int64_t vertices() const override { return first_vertex_.back(); }
  Structure structure() const override { return {.routed = true, .groups = sizes_}; }
  Link links() const override { return first_link_.back(); }
  int diameter() const override { return 2 * top_; }
  int distance(Rank from, Rank to) const override { return 2 * meeting(from, to); }
  Rank farthest(Rank from) const override;
  int degree() const override { return static_cast<int>(shape_.parents.front()); }
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Link next(Link last, Rank from, Rank to) const override;
  Rank tail(Link link) const override;
  Rank head(Link link) const override { return tail(reverse(link)); }
  Link reverse(Link link) const override { return link ^ 1; }
  std::vector<std::string> kinds() const override { return shape_.kinds; }
  LinkFacts facts(Link link) const override;
  bool links_alike() const override { return shape_.kinds.size() == 1 && shape_.widths.front() == 1; }
  std::int64_t widest() const override;
  std::int64_t bisection() const override { return narrowest().width; }
  Rank bisection_ranks() const override { return narrowest().ranks; }
  std::int64_t total_distance(Rank from) const override;
  std::string_view routing() const override { return shape_.routing; }
  Drawing drawing() const override;
  Rank alike_by(Group group) const override;
  Link representative(Link link, Group group) const override;
  std::int64_t sharing(Link link, Group group) const override;

 private:
  struct Half {
    std::int64_t width = 0;
    Rank ranks = 0;
  };
  Half narrowest() const;
  struct Node {
    int level;
    Rank number;
  };
  int levels() const { return static_cast<int>(shape_.children.size()); }
  Rank children(int level) const { return shape_.children[static_cast<std::size_t>(level - 1)]; }
  Rank parents(int level) const { return shape_.parents[static_cast<std::size_t>(level)]; }
  Rank below(int level) const { return below_[static_cast<std::size_t>(level)]; }
  Rank alike(int level) const { return alike_[static_cast<std::size_t>(level)]; }
  int level_of(Link link) const;
  Node lower(Link link, int level) const;
  Node upper(Link link, int level) const;
  Rank vertex(Node node) const;
  Drawing part_of_drawing(int level, Rank part) const;
  Link link(int level, Rank lower, Rank port, bool down) const {
    return first_link_[static_cast<std::size_t>(level)] + 2 * (lower * parents(level) + port) + down;
  }
  /// Of the parts that level's nodes stand above, the one with a host.
  Rank part(Rank host, int level) const {
    return by_below_[static_cast<std::size_t>(level)].quotient(static_cast<std::uint32_t>(host));
  }
  int meeting(Rank a, Rank b) const;
  /// A link: above the node (x; ..) of a level, to one whose y is this.
  struct Up {
    int level;
    Rank x, y;
  };
  Up up_to(Link link) const;
  struct Renaming {
    Rank by = 0;          ///< by which hosts are renamed, so that a link becomes its representative
    Rank determined = 0;  ///< bits of it that the link depends on
  };
  Renaming to_representative(const Up& up) const;

  LevelsShape shape_;
  std::string family_, text_, describe_;
  std::vector<Rank> sizes_;          ///< of groups
  std::vector<Rank> below_, alike_;  ///< of levels: hosts below a node; nodes that stand above the same hosts
  std::vector<Rank> first_vertex_, first_link_;  ///< of levels; and of links between a level and the next
  std::vector<base::Divisor> by_below_, by_parents_;
  bool by_bits_ = true;  ///< children and parents are powers of two: every digit is some bits of a host's number
  int top_ = 0;          ///< the highest level at which nodes have several children
};

}  // namespace quadrille::topology
