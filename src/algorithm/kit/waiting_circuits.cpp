#include "algorithm/kit/waiting_circuits.hpp"

#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace quadrille::algorithm::kit {

namespace {

/// Which link is held while which other one is waited for.
class LinkOrder {
 public:
  explicit LinkOrder(const Topology& topology) : topology_(topology) {}

  void add(Rank from, Rank to) {
    if (!known_.emplace(from, to).second) return;
    path_.clear();
    topology_.route(from, to, path_);
    for (std::size_t i = 0; i + 1 < path_.size(); ++i) next_[path_[i]].push_back(path_[i + 1]);
  }

  /// Takes links away that wait for none that is left, until there are no more.
  bool has_circle() const {
    std::unordered_map<Link, std::int64_t> waits;
    std::unordered_map<Link, std::vector<Link>> held;
    for (const auto& [link, others] : next_) {
      waits[link] += static_cast<std::int64_t>(others.size());
      for (const Link other : others) held[other].push_back(link), waits.try_emplace(other, 0);
    }
    std::vector<Link> free;
    for (const auto& [link, others] : waits)
      if (others == 0) free.push_back(link);
    std::size_t taken = 0;
    for (; taken < free.size(); ++taken)
      if (const auto found = held.find(free[taken]); found != held.end())
        for (const Link link : found->second)
          if (--waits[link] == 0) free.push_back(link);
    return taken < waits.size();
  }

 private:
  const Topology& topology_;
  std::set<std::pair<Rank, Rank>> known_;
  std::unordered_map<Link, std::vector<Link>> next_;
  std::vector<Link> path_;
};

}  // namespace

bool circuits_may_wait(const Topology& topology, const Schedule& schedule) {
  LinkOrder order(topology);
  Collected list;
  for (Rank r = 0; r < schedule.shape().ranks; ++r) {
    const Schedule::Rounds rounds = schedule.active(r);
    for (Round t = rounds.first; t < rounds.end; ++t)
      for (const Transfer& x : list.all(schedule, t, r))
        if (x.kind == Kind::send && x.peer != r) order.add(r, x.peer);
  }
  return order.has_circle();
}

}  // namespace quadrille::algorithm::kit
