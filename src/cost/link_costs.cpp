#include "cost/link_costs.hpp"

#include <algorithm>
#include <cmath>

namespace quadrille::cost {

LinkCosts::LinkCosts(const Machine& machine, const Topology& topology, Asked asked)
    : topology_(topology), alpha_(machine.alpha), least_alpha_(machine.alpha) {
  // Closed forms know one kind of link, the machine's.
  if (!topology.structure().routed) return;
  const double rate = topology.rate();
  const bool by_rate = rate > 0 && machine.beta > 0;
  bool any_latency = false;
  for (const std::string& name : topology.kinds()) {
    Kind kind{by_rate ? 1 / (rate * machine.beta) : 1, machine.alpha, 0};
    for (const LinkCost& cost : machine.links) {
      if (cost.kind != name) continue;
      if (cost.beta >= 0 && machine.beta > 0) kind.slowness = cost.beta / machine.beta;
      if (cost.alpha >= 0) kind.alpha = cost.alpha;
      kind.latency = cost.latency;
    }
    any_latency |= kind.latency > 0;
    kinds_.push_back(kind);
  }
  const auto plain = [&](const Kind& k) { return k.slowness == 1 && k.alpha == machine.alpha; };
  alike_ = topology.links_alike() && !any_latency && std::all_of(kinds_.begin(), kinds_.end(), plain);
  if (alike_) return;
  for (const Kind& k : kinds_) {
    least_ = std::min(least_, k.slowness / static_cast<double>(topology.widest()));
    least_alpha_ = std::min(least_alpha_, k.alpha);
  }
  constexpr Link most_kept = Link{1} << 18;
  if (asked == Asked::network || topology.links() > most_kept) return;
  std::vector<OfLink> links;
  for (Link link = 0; link < topology.links(); ++link) links.push_back(of(link));
  links_ = std::move(links);
}

LinkCosts::OfLink LinkCosts::of(Link link) const {
  if (!links_.empty()) return links_[static_cast<std::size_t>(link)];
  const Topology::LinkFacts facts = topology_.facts(link);
  const Kind& kind = kinds_[static_cast<std::size_t>(facts.kind)];
  return {kind.slowness / static_cast<double>(facts.width), kind.alpha, kind.latency + facts.latency};
}

double LinkCosts::slowness(Link link) const { return alike_ ? 1 : of(link).slowness; }

Seconds LinkCosts::latency(Link link) const { return alike_ ? 0 : of(link).latency; }

Seconds LinkCosts::alpha(Link link) const { return alike_ ? alpha_ : of(link).alpha; }

Bytes LinkCosts::as_plain(Bytes bytes, Link link) const {
  if (alike_) return bytes;
  constexpr double rounding = 1e-12;  // a third of three thousand bytes is a thousand, not one more
  const double exact = static_cast<double>(bytes) * slowness(link);
  return static_cast<Bytes>(std::ceil(exact * (1 - rounding)));
}

Seconds LinkCosts::start_up(std::span<const Link> path) const {
  if (alike_ || path.empty()) return alpha_;
  Seconds longest = 0;
  for (const Link link : path) longest = std::max(longest, of(link).alpha);
  return longest;
}

Seconds LinkCosts::delay(std::span<const Link> path) const {
  if (alike_ || path.empty()) return 0;
  Seconds latency = 0;
  for (const Link link : path) latency += of(link).latency;
  return start_up(path) - alpha_ + latency;
}

Machine by_fastest_link(Machine machine, const Topology& topology) {
  const LinkCosts costs(machine, topology, LinkCosts::Asked::network);
  if (costs.alike()) return machine;
  const std::vector<std::string> names = topology.kinds();
  machine.links.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const LinkCosts::Kind& kind = costs.kinds_[i];
    machine.links.push_back({names[i], kind.alpha, kind.slowness * machine.beta, kind.latency});
  }
  machine.beta *= costs.least();
  return machine;
}

}  // namespace quadrille::cost
