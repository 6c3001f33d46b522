#include "topology/graph/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "topology/graph/drawing.hpp"
#include "topology/graph/existing.hpp"
#include "topology/graph/routed.hpp"

namespace quadrille::topology {

namespace {

/// Rank r is on node r / k of the inner network. Vertices are the ranks and behind them those of the inner network, of
/// which its ranks are memories now. Link 2r leads from rank r to its memory, 2r + 1 back; the inner network's links
/// follow. Nothing is stored, so that it takes no more memory than the inner network.
class Nodes final : public Routed {
 public:
  Nodes(TopologyPtr inner, Rank per_node, std::int64_t rails)
      : inner_(std::move(inner)), k_(per_node), rails_(rails), ranks_(inner_->ranks() * per_node), sizes_{k_} {
    for (const Rank size : inner_->structure().groups) sizes_.push_back(size * k_);
    sizes_ = groups_of(std::move(sizes_), ranks_);
  }

  std::string_view family() const override { return "nodes"; }
  std::string text() const override {
    return fmt::format("{}*{}{}", inner_->text(), k_, rails_ > 1 ? fmt::format("/{}", rails_) : "");
  }
  std::string describe() const override {
    return fmt::format("{} with {} rank{} on each node", inner_->describe(), k_, k_ == 1 ? "" : "s");
  }
  Rank ranks() const override { return ranks_; }
  std::int64_t vertices() const override { return ranks_ + inner_->vertices(); }
  Drawing drawing() const override {
    return vertices() > Drawing::most_vertices ? Drawing{} : Drawing{.like = inner_, .per_node = k_};
  }
  Structure structure() const override { return {.routed = true, .per_node = k_, .groups = sizes_}; }
  Link links() const override { return own_links() + inner_->links(); }
  std::int64_t wires() const override { return own_links() + inner_->wires(); }
  int diameter() const override { return inner_->ranks() > 1 ? inner_->diameter() + 2 : k_ > 1 ? 2 : 0; }
  int distance(Rank from, Rank to) const override {
    return from == to ? 0 : inner_->distance(node(from), node(to)) + 2;
  }
  Rank farthest(Rank from) const override {
    if (inner_->ranks() > 1) return inner_->farthest(node(from)) * k_;
    return from == 0 && k_ > 1 ? 1 : 0;
  }
  int degree() const override { return ranks_ > 1 ? 1 : 0; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override {
    if (from == to) return;
    path.push_back(2 * from);
    const std::size_t begin = path.size();
    inner_->route(node(from), node(to), path);
    for (std::size_t i = begin; i < path.size(); ++i) path[i] += own_links();
    path.push_back(2 * to + 1);
  }
  Link next(Link last, Rank from, Rank to) const override;
  Rank tail(Link link) const override {
    if (link >= own_links()) return ranks_ + inner_->tail(link - own_links());
    return link % 2 == 0 ? link / 2 : memory(link / 2);
  }
  Rank head(Link link) const override {
    if (link >= own_links()) return ranks_ + inner_->head(link - own_links());
    return link % 2 == 0 ? memory(link / 2) : link / 2;
  }
  Link reverse(Link link) const override {
    return link < own_links() ? link ^ 1 : own_links() + inner_->reverse(link - own_links());
  }
  std::vector<std::string> kinds() const override;
  LinkFacts facts(Link link) const override;
  bool links_alike() const override { return false; }
  std::int64_t widest() const override { return inner_->widest() * rails_; }
  double rate() const override { return inner_->rate(); }
  /// Between nodes, or the links of the ranks themselves where these are fewer.
  std::int64_t bisection() const override {
    return inner_->ranks() > 1 ? std::min(inner_->bisection() * cut_width(), bisection_ranks()) : k_ / 2;
  }
  Rank bisection_ranks() const override { return inner_->ranks() > 1 ? inner_->bisection_ranks() * k_ : k_ / 2; }
  std::int64_t total_distance(Rank from) const override {
    return 2 * (k_ - 1) + k_ * (inner_->total_distance(node(from)) + 2 * (inner_->ranks() - 1));
  }
  std::int64_t sum_of_distances() const override {
    const Rank n = inner_->ranks();
    return 2 * ranks_ * (k_ - 1) + k_ * k_ * (inner_->sum_of_distances() + 2 * n * (n - 1));
  }
  double mean_distance() const override {
    if (ranks_ == 1) return 0;
    return static_cast<double>(sum_of_distances()) / (static_cast<double>(ranks_) * static_cast<double>(ranks_ - 1));
  }
  std::string_view routing() const override {
    const auto* routed = dynamic_cast<const Routed*>(inner_.get());
    return routed == nullptr ? "its own" : routed->routing();
  }
  /// Renaming turns nodes as the inner network's ranks; by xor cores, too.
  Rank alike_by(Group group) const override {
    const Rank nodes = inner_->alike_by(group);
    if (group == Group::none || group == Group::rotate) return group == Group::none ? 1 : nodes * k_;
    return !base::is_power_of_two(k_) ? 0 : nodes == 1 ? 1 : nodes * k_;
  }
  Link representative(Link link, Group group) const override {
    if (group == Group::none) return link;
    return link < own_links() ? link % (2 * alike_by(group))
                              : own_links() + inner_->representative(link - own_links(), group);
  }
  std::int64_t sharing(Link link, Group group) const override {
    if (group == Group::none || link < own_links()) return 1;
    return k_ * inner_->alike_by(group) / alike_by(group) * inner_->sharing(link - own_links(), group);
  }
  std::string vertex_name(std::int64_t vertex) const override {
    if (vertex < ranks_) return std::to_string(vertex);
    return fmt::format("{}{}", vertex < ranks_ + inner_->ranks() ? "m" : "s", vertex - ranks_);
  }

 private:
  Rank node(Rank rank) const { return rank / k_; }
  Rank memory(Rank rank) const { return ranks_ + node(rank); }
  Link own_links() const { return 2 * ranks_; }
  /// Where all links of the inner network are at nodes, rails widen every one of a cut.
  std::int64_t cut_width() const { return inner_->vertices() == inner_->ranks() ? rails_ : 1; }

  TopologyPtr inner_;
  Rank k_;
  std::int64_t rails_;
  Rank ranks_;
  std::vector<Rank> sizes_;  ///< of groups
};

Link Nodes::next(Link last, Rank from, Rank to) const {
  if (last < 0) return from == to ? -1 : 2 * from;
  if (last < own_links() && last % 2 == 1) return -1;
  const Rank here = node(from), there = node(to);
  const Link inner = here == there ? -1 : inner_->next(last < own_links() ? -1 : last - own_links(), here, there);
  return inner < 0 ? 2 * to + 1 : own_links() + inner;
}

/// Names of the inner network's kinds that say what they are from here.
std::vector<std::string> Nodes::kinds() const {
  std::vector<std::string> all{"memory"};
  for (const std::string& kind : inner_->kinds())
    all.push_back(kind == "link" ? "network" : kind == "memory" ? "node" : kind);
  return all;
}

Topology::LinkFacts Nodes::facts(Link link) const {
  if (link < own_links()) return {.width = inner_->rate() > 0 ? inner_->widest() : 1};
  const Link inner = link - own_links();
  LinkFacts facts = inner_->facts(inner);
  ++facts.kind;
  if (rails_ > 1 && std::min(inner_->tail(inner), inner_->head(inner)) < inner_->ranks()) facts.width *= rails_;
  return facts;
}

}  // namespace

TopologyPtr with_ranks_on_nodes(const TopologyPtr& network, std::string_view operand, std::string_view all) {
  const std::string what = fmt::format("topology {}", base::quoted(all, 200));
  if (network->shared_medium() || (!network->direct() && !network->structure().routed))
    throw Error(
        Error::Kind::argument,
        fmt::format("{}: ranks share nodes of a network whose links join nodes and switches, and {} is none; try "
                    "star:{}*{}",
                    what, network->text(), network->ranks(), operand));
  const auto slash = operand.find('/');
  constexpr Rank most = Rank{1} << 30;
  const Rank per_node = base::parse_integer(operand.substr(0, slash), 1, most / network->ranks(),
                                            what + ": ranks on a node, as in torus:4x4*8");
  const std::int64_t rails = slash == std::string_view::npos
                                 ? 1
                                 : base::parse_integer(operand.substr(slash + 1), 1, 64, what + ": rails of a node");
  return std::make_shared<Nodes>(with_existing_links(network), per_node, rails);
}

}  // namespace quadrille::topology
