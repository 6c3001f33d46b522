#include "topology/graph/existing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "topology/graph/drawing.hpp"
#include "topology/graph/network.hpp"
#include "topology/graph/routed.hpp"

namespace quadrille::topology {

namespace {

class Existing final : public Routed {
 public:
  explicit Existing(TopologyPtr whole)
      : whole_(std::move(whole)), here_(static_cast<std::size_t>(whole_->links()), -1) {
    for (Link link = 0; link < whole_->links(); ++link) {
      const Rank tail = whole_->tail(link), head = whole_->head(link);
      if (head < 0 || head >= whole_->vertices() || head == tail || whole_->next(-1, tail, head) != link) continue;
      here_[static_cast<std::size_t>(link)] = static_cast<std::int32_t>(there_.size());
      there_.push_back(static_cast<std::int32_t>(link));
    }
  }

  std::string_view family() const override { return whole_->family(); }
  std::string text() const override { return whole_->text(); }
  std::string describe() const override { return whole_->describe(); }
  Rank ranks() const override { return whole_->ranks(); }
  std::int64_t vertices() const override { return whole_->vertices(); }
  Drawing drawing() const override { return {.like = whole_}; }
  Link links() const override { return std::ssize(there_); }
  int diameter() const override { return whole_->diameter(); }
  int distance(Rank from, Rank to) const override { return whole_->distance(from, to); }
  Rank farthest(Rank from) const override { return whole_->farthest(from); }
  int degree() const override { return whole_->degree(); }
  int least_degree() const override { return whole_->least_degree(); }
  int degree_at(Rank rank) const override { return whole_->degree_at(rank); }
  void route(Rank from, Rank to, std::vector<Link>& path) const override {
    const std::size_t before = path.size();
    whole_->route(from, to, path);
    for (std::size_t i = before; i < path.size(); ++i) path[i] = here(path[i]);
  }
  Link next(Link last, Rank from, Rank to) const override {
    const Link on = whole_->next(last < 0 ? -1 : there(last), from, to);
    return on < 0 ? on : here(on);
  }
  Rank tail(Link link) const override { return whole_->tail(there(link)); }
  Rank head(Link link) const override { return whole_->head(there(link)); }
  Link reverse(Link link) const override { return here(whole_->reverse(there(link))); }
  std::string name(Link link) const override { return whole_->name(there(link)); }
  std::int64_t bisection() const override { return whole_->bisection(); }
  Rank bisection_ranks() const override { return whole_->bisection_ranks(); }
  std::int64_t total_distance(Rank from) const override { return whole_->total_distance(from); }
  std::int64_t sum_of_distances() const override { return whole_->sum_of_distances(); }
  double mean_distance() const override { return whole_->mean_distance(); }
  std::string_view routing() const override { return "its own"; }

 private:
  Link there(Link link) const { return there_[static_cast<std::size_t>(link)]; }
  Link here(Link link) const { return here_[static_cast<std::size_t>(link)]; }
  TopologyPtr whole_;
  std::vector<std::int32_t> there_, here_;  ///< numbers of links in the whole network, and of its links here
};

}  // namespace

TopologyPtr with_existing_links(TopologyPtr network) {
  if (network->structure().routed || network->wires() == network->links()) return network;
  if (network->links() > most_arcs)
    throw Error(Error::Kind::argument,
                fmt::format("topology {}: {} links, of which some do not exist; expected at most 2^24",
                            base::quoted(network->text(), 200), network->links()));
  return std::make_shared<Existing>(std::move(network));
}

}  // namespace quadrille::topology
