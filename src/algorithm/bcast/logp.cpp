// Every rank that has the message sends it to one rank after the other, as fast as its processor can, and so does each
// of those: the tree in which all ranks have it soonest, where `delay` sends fit in the time that a message takes. With
// delay 1 it is the binomial tree, with a long delay the star. A round of the schedule has all sends of one level of
// the tree, the largest subtree first; no rank waits for others at the same level.
#include <algorithm>
#include <cmath>
#include <memory>
#include <queue>

#include "algorithm/kit/round_pricer.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_logp {

namespace {

constexpr Rank most = 1 << 14;
/// Up to so many delays all are priced; else the first ones, doublings and the star.
constexpr std::int64_t all_tried = 256;

/// Named from the root. The ranks below a rank are those next after it.
struct Below {
  std::vector<Rank> parent, level;
  std::vector<std::vector<Rank>> children;  ///< in the order they are served
};

/// The parents of ranks in the order in which they get the message: who can give it soonest serves the next.
std::vector<Rank> soonest_parents(Rank ranks, std::int64_t delay) {
  struct Free {
    std::int64_t from;
    Rank rank;
    bool operator>(const Free& other) const { return std::pair(from, rank) > std::pair(other.from, other.rank); }
  };
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  free.push({0, 0});
  std::vector<Rank> parents{-1};
  for (Rank next = 1; next < ranks; ++next) {
    const Free giver = free.top();
    free.pop();
    parents.push_back(giver.rank);
    free.push({giver.from + 1, giver.rank});
    free.push({giver.from + delay, next});
  }
  return parents;
}

/// The same tree with ranks numbered so that every subtree is a stretch of them; those served first are farthest.
Below tree_of(Rank ranks, std::int64_t delay) {
  const auto at = [](Rank r) { return static_cast<std::size_t>(r); };
  const std::vector<Rank> parents = soonest_parents(ranks, delay);
  std::vector<Rank> size(at(ranks), 1), number(at(ranks), 0), taken(at(ranks), 1);
  for (Rank r = ranks - 1; r > 0; --r) size[at(parents[at(r)])] += size[at(r)];
  Below tree{std::vector<Rank>(at(ranks), -1), std::vector<Rank>(at(ranks), 0), {at(ranks), std::vector<Rank>()}};
  for (Rank r = 1; r < ranks; ++r) {  // after its parent, and in the order in which that serves
    const Rank above = parents[at(r)], left = size[at(above)] - taken[at(above)];
    number[at(r)] = number[at(above)] + 1 + left - size[at(r)];
    taken[at(above)] += size[at(r)];
    tree.parent[at(number[at(r)])] = number[at(above)];
    tree.level[at(number[at(r)])] = tree.level[at(number[at(above)])] + 1;
    tree.children[at(number[at(above)])].push_back(number[at(r)]);
  }
  return tree;
}

std::int64_t delay_of(const Params& params) { return params.get("delay", 1); }

class ByLevels final : public Schedule {
 public:
  ByLevels(const Spec& spec, std::int64_t delay) : root_(spec.root), tree_(tree_of(spec.ranks(), delay)) {
    const Round rounds = *std::max_element(tree_.level.begin(), tree_.level.end());
    shape_ = {.ranks = spec.ranks(), .rounds = rounds, .out = 1, .cut = {.bytes = spec.bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const auto here = static_cast<std::size_t>(base::wrap(r - root_, shape_.ranks));
    const auto rank = [&](Rank name) { return (name + root_) % shape_.ranks; };
    if (tree_.level[here] == t + 1) out.recv(rank(tree_.parent[here]), Buffer::out, contiguous(0, 1));
    if (tree_.level[here] != t) return;
    for (const Rank child : tree_.children[here]) out.send(rank(child), Buffer::out, contiguous(0, 1));
  }

 private:
  Rank root_;
  Below tree_;
  Shape shape_;
};

Cost formula(const Spec& spec, const Machine& machine, std::int64_t delay) {
  const Rank p = spec.ranks();
  const Below tree = tree_of(p, delay);
  std::vector<std::vector<Rank>> levels;
  for (Rank r = 0; r < p; ++r) {
    const auto level = static_cast<std::size_t>(tree.level[static_cast<std::size_t>(r)]);
    if (levels.size() <= level) levels.resize(level + 1);
    levels[level].push_back(r);
  }
  kit::RoundPricer pricer(spec, machine);
  for (const std::vector<Rank>& level : levels) {
    for (const Rank r : level) {
      std::vector<Rank> peers = tree.children[static_cast<std::size_t>(r)];
      for (Rank& peer : peers) peer = (peer + spec.root) % p;
      if (!peers.empty()) pricer.send((r + spec.root) % p, peers, spec.bytes, true);
    }
    pricer.end_round();
  }
  return pricer.cost();
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  const Topology& t = *spec.topology;
  if (t.shared_medium() || t.nodes() != spec.ranks())
    return fmt::format("a rank's messages to several ranks share the medium of {}; nearest: crossbar:{}", t.text(),
                       spec.ranks());
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  if (machine.switching == Switching::store_and_forward && t.direct() && t.diameter() > 1)
    return "sends to ranks that are not neighbours, which needs circuit or wormhole switching; try --set "
           "switching=wormhole";
  if (spec.ranks() > most)
    return fmt::format("is counted message by message, for at most {} ranks; try {}", most,
                       kit::has_lines(spec) ? "bcast_halving" : "bcast_binomial");
  const std::int64_t delay = delay_of(params), longest = std::max<Rank>(1, spec.ranks() - 1);
  if (delay <= longest) return {};
  return fmt::format("delay={} is not in 1 .. {}, with which the tree is a star; try delay={}", delay, longest,
                     longest);
}

Claims claims(const Spec& spec, const Machine&, const Params& params) {
  const Below tree = tree_of(spec.ranks(), delay_of(params));
  std::size_t children = 0;
  for (const auto& list : tree.children) children = std::max(children, list.size());
  return {.contention_free = spec.topology->diameter() <= 1,
          .port_free = static_cast<std::int64_t>(children) <= spec.topology->degree()};
}

/// The delay of the lowest price in rounds; and the one that a message takes, without rounds.
std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const std::int64_t longest = std::max<Rank>(1, spec.ranks() - 1), first = longest <= all_tried ? longest : 32;
  std::int64_t best = 1;
  Seconds least = 0;
  const auto price = [&](std::int64_t delay) {
    const Seconds time = seconds(formula(spec, machine, delay), machine, *spec.topology);
    if (delay == 1 || time < least) best = delay, least = time;
  };
  for (std::int64_t delay = 1; delay <= first; ++delay) price(delay);
  for (std::int64_t delay = 2 * first; delay < longest; delay *= 2) price(delay);
  if (longest > first) price(longest);  // the star
  std::vector<Params> all{Params{{"delay", {best}}}};
  if (!(machine.overhead_send > 0)) return all;
  const Cost one{.startups = 1, .hops = std::max(1, spec.topology->diameter() / 2), .bytes = spec.bytes};
  const double sends = seconds(one, machine, *spec.topology) / machine.overhead_send;
  const auto own = static_cast<std::int64_t>(std::llround(std::min(sends, static_cast<double>(longest))));
  if (own != best && own >= 1) all.push_back(Params{{"delay", {own}}});
  return all;
}

}  // namespace

Algorithm describe() {
  return {
      .name = "bcast_logp",
      .collective = Collective::bcast,
      .summary =
          "whoever has the message sends it on, one rank after the other, in the tree that ends soonest; counted",
      .source = "Karp, Sahay, Santos & Schauser 1993, Optimal Broadcast and Summation in the LogP Model",
      .closed_form = {.where = "levels of the tree, a start-up each, or more where children outnumber ports; counted"},
      .parameters = {{.name = "delay",
                      .meaning = "sends that a processor begins while one message is on its way",
                      .high = most}},
      .claims = claims,
      .illegal = illegal,
      .variants = variants,
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return formula(s, m, delay_of(p)); },
      .build = [](const Spec& s, const Machine&, const Params& p) -> SchedulePtr {
        return std::make_shared<ByLevels>(s, delay_of(p));
      }};
}

}  // namespace quadrille::algorithm::bcast_logp
