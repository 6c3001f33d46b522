// The ways that messages take through a network, as a trace has them.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/trace.hpp"
#include "topology/division.hpp"

namespace quadrille::report {

/// Whether a renaming of ranks that leaves the network as it is renames the wires of every level as it does the ranks:
/// in a one-way network without shuffles.
inline bool levels_renamed_alike(const Topology& topology) {
  const std::optional<Topology::Stages> stages = topology.structure().stages;
  return stages && !stages->shuffled && !stages->two_sided;
}

/// The ways of messages, by name as long as all ranks agree on them. Of one that is divided all ways, one after the
/// other, each link once.
class Routes {
 public:
  Routes(const Topology& topology, const Naming& naming) : topology_(topology), naming_(naming) {}

  void note(Rank from, Rank to) {
    if (topology_.shared_medium() || !topology_.contended()) return;
    const std::int64_t name = naming_.name(to, from), pair = from * topology_.nodes() + to;
    if (pairs_.contains(pair)) return;
    path_.clear();
    topology::add_all_ways(topology_, from, to, path_);
    const bool divided = !topology_.divided(from, to).empty();
    Numbers way;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      if (topology_.direct() && i + 1 == path_.size()) break;
      const std::int64_t next = point(path_[i], from);
      if (!divided || std::find(way.begin(), way.end(), next) == way.end()) way.push_back(next);
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
    std::sort(trace.routes.begin(), trace.routes.end());
    std::sort(trace.pair_routes.begin(), trace.pair_routes.end());
  }

 private:
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
  std::vector<Link> path_;
  bool alike_ = true;
  std::int64_t size_ = 0;
};

}  // namespace quadrille::report
