// The ways that messages take through a network, as a trace has them.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/trace.hpp"

namespace quadrille::report {

/// Whether a renaming of ranks that leaves the network as it is renames the wires of every level as it does the ranks:
/// in a one-way network without shuffles.
inline bool levels_renamed_alike(const Topology& topology) {
  const std::optional<Topology::Stages> stages = topology.structure().stages;
  return stages && !stages->shuffled && !stages->two_sided;
}

/// The ways of messages, by name as long as all ranks agree on them and none is divided. Of one that is divided all
/// ways, one after the other, each link once.
class Routes {
 public:
  Routes(const Topology& topology, const Naming& naming) : topology_(topology), naming_(naming) {}

  void note(Rank from, Rank to) {
    if (topology_.shared_medium() || !topology_.contended()) return;
    const std::int64_t name = naming_.name(to, from), pair = from * topology_.nodes() + to;
    if (pairs_.contains(pair)) return;
    if (!topology_.divided(from, to).empty()) return note_divided(from, to, pair);
    path_.clear();
    topology_.route(from, to, path_);
    Numbers way;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      if (topology_.direct() && i + 1 == path_.size()) break;
      way.push_back(point(path_[i], from));
    }
    size_ += static_cast<std::int64_t>(way.size()) + 2;
    const auto [at, fresh] = names_.try_emplace(name, way);
    if (!fresh && at->second != way) alike_ = false;
    pairs_.emplace(pair, std::move(way));
  }

  void take(Trace& trace) const {
    constexpr std::int64_t most = 120'000;
    if (alike_)
      for (const auto& [name, way] : names_) trace.routes.emplace_back(name, way);
    else if (size_ <= most)
      for (const auto& [pair, way] : pairs_) trace.pair_routes.emplace_back(pair, way);
    else
      trace.routes_known = false;
    if (trace.routes_known) trace.divided = divided_;
    std::sort(trace.routes.begin(), trace.routes.end());
    std::sort(trace.pair_routes.begin(), trace.pair_routes.end());
  }

 private:
  void note_divided(Rank from, Rank to, std::int64_t pair) {
    const std::span<const Topology::Way> ways = topology_.divided(from, to);
    double parts = 0;
    for (const Topology::Way& way : ways) parts += way.parts;
    Numbers links;
    std::vector<double> shares;
    for (const Topology::Way& way : ways)
      for (const Link link : way.links) {
        const auto at = std::find(links.begin(), links.end(), link) - links.begin();
        if (at == std::ssize(links)) links.push_back(link), shares.push_back(0);
        shares[static_cast<std::size_t>(at)] += way.parts / parts;
      }
    alike_ = false;
    size_ += 2 * std::ssize(links) + 4;
    divided_.push_back({pair, std::ssize(ways.front().links), std::move(shares)});
    pairs_.emplace(pair, std::move(links));
  }
  /// Where a link ends, as the sender names it: the node, or the wire in a network of stages.
  std::int64_t point(Link link, Rank from) const {
    if (topology_.direct()) return naming_.name(topology_.head(link), from);
    if (!levels_renamed_alike(topology_)) return link;
    const std::int64_t places = topology_.ranks();
    return link / places * places + naming_.name(link % places, from);
  }

  const Topology& topology_;
  const Naming& naming_;
  std::unordered_map<std::int64_t, Numbers> names_, pairs_;
  std::vector<Trace::Divided> divided_;
  std::vector<Link> path_;
  bool alike_ = true;
  std::int64_t size_ = 0;
};

}  // namespace quadrille::report
