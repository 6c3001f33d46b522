#include "planner/before_failure.hpp"

#include <string>
#include <vector>

#include "quadrille/price.hpp"
#include "topology/graph/changes.hpp"

namespace quadrille::planner {

namespace {

/// Ways from rank to rank before and after, as the vertices that they pass.
class Ways {
 public:
  Ways(const Topology& before, const Topology& now) : before_(before), now_(now) {}
  bool same(Rank from, Rank to) {
    vertices(before_, from, to, was_);
    vertices(now_, from, to, is_);
    return was_ == is_;
  }

 private:
  void vertices(const Topology& t, Rank from, Rank to, std::vector<Rank>& passed) {
    path_.clear();
    passed.clear();
    t.route(from, to, path_);
    for (const Link link : path_) passed.push_back(t.head(link));
  }
  const Topology &before_, &now_;
  std::vector<Link> path_;
  std::vector<Rank> was_, is_;
};

struct Kept {
  double share = 1;
  bool by_neighbours = true;  ///< all messages still go to neighbours, if they did
};
Kept what_stays(const Schedule& schedule, const Topology& before, const Topology& now) {
  Ways ways(before, now);
  Summary summary;
  double all = 0, same = 0;
  Kept kept;
  for (Round t = 0; t < schedule.shape().rounds; ++t)
    for (Rank r = 0; r < before.ranks(); ++r)
      for (const Summary::Message& m : summary.of(schedule, t, r)) {
        if (m.kind != Kind::send || m.peer == r) continue;
        all += static_cast<double>(m.bytes);
        if (ways.same(r, m.peer)) same += static_cast<double>(m.bytes);
        kept.by_neighbours = kept.by_neighbours && (!before.adjacent(r, m.peer) || now.adjacent(r, m.peer));
      }
  if (all > 0) kept.share = same / all;
  return kept;
}

TopologyPtr whole_network(const Topology& now) {
  const std::optional<std::string> text = topology::without_failures(now.text());
  return text ? parse_topology(*text) : now.before_failures();
}

}  // namespace

std::optional<BeforeFailure> before_failure(const Plan& plan, const PlanOptions& options) {
  constexpr double most_visits = 1 << 22;  ///< to ranks in rounds
  Spec before = plan.spec;
  before.topology = whole_network(*plan.spec.topology);
  if (!before.topology || before.ranks() != plan.spec.ranks()) return {};
  PlanOptions quiet = options;
  quiet.wisdom = nullptr, quiet.begun = nullptr;
  BeforeFailure found{quadrille::plan(before, plan.machine, quiet)};
  if (!found.plan.possible()) return {};
  const Candidate& best = found.plan.best();
  const Built built = build(before, plan.machine, {best.algorithm, best.params});
  const Shape& shape = built.schedule->shape();
  if (static_cast<double>(shape.rounds) * static_cast<double>(shape.ranks) > most_visits) return {};
  const Kept kept = what_stays(*built.schedule, *before.topology, *plan.spec.topology);
  found.stays = kept.share;
  if (plan.machine.switching == Switching::store_and_forward && !kept.by_neighbours) return found;
  found.kept = seconds(count(plan.spec, plan.machine, *built.schedule).cost, plan.machine, *plan.spec.topology);
  return found;
}

}  // namespace quadrille::planner
