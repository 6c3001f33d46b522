#include "cli/parts/replay_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/plan.hpp"

namespace quadrille::cli {

namespace {

Spec spec_of(const interchange::CalledCollective& call, const TopologyPtr& topology) {
  Spec spec{.collective = call.collective, .topology = topology, .bytes = call.bytes, .root = call.root};
  spec.element = call.element;
  if (call.counts.empty()) return checked(spec);
  if (call.collective == Collective::multibcast) {
    std::vector<std::pair<Rank, Bytes>> sources;
    for (std::size_t r = 0; r < call.counts.size(); ++r) sources.emplace_back(static_cast<Rank>(r), call.counts[r]);
    spec.sources = make_sources(std::move(sources));
    return checked(spec);
  }
  auto offsets = std::make_shared<std::vector<Bytes>>(1, 0);
  for (const Bytes bytes : call.counts) offsets->push_back(offsets->back() + bytes);
  spec.offsets = std::move(offsets);
  return checked(spec);
}

}  // namespace

ReplayCollectives::ReplayCollectives(const TopologyPtr& topology, const Machine& machine,
                                     const std::vector<std::string>& algorithms)
    : topology_(topology), machine_(machine) {
  for (const std::string& text : algorithms) {
    const Choice choice = parse_choice(text);
    const Collective c = choice.algorithm->collective;
    if (!asked_.emplace(c, choice).second)
      throw Error(
          Error::Kind::argument,
          fmt::format("--algorithm {}: a second one for {}; expected one for each collective", text, to_string(c)));
  }
}

SchedulePtr ReplayCollectives::schedule_of(const interchange::CalledCollective& call) {
  if (call.ranks != topology_->ranks() || topology_->nodes() != topology_->ranks())
    throw Error(Error::Kind::illegal,
                fmt::format("the trace calls {}, of all its {} ranks, and {} has {}{}; expected a network of {} ranks",
                            to_string(call.collective), call.ranks, topology_->text(), topology_->ranks(),
                            topology_->nodes() != topology_->ranks() ? " and a memory" : "", call.ranks));
  const Spec spec = spec_of(call, topology_);
  const auto [at, added] = performed_.try_emplace(to_text(spec));
  Performed& performed = at->second;
  ++performed.times;
  if (!added) return performed.built.schedule;
  const auto asked = asked_.find(spec.collective);
  performed.spec = spec;
  performed.planned = asked == asked_.end();
  if (!performed.planned) {
    performed.built = build(spec, machine_, asked->second);
    return performed.built.schedule;
  }
  const Plan found = plan(spec, machine_);
  if (!found.possible())
    throw Error(Error::Kind::illegal, fmt::format("no algorithm can run {}; 'quadrille plan' says why", to_text(spec)));
  performed.built = build(spec, machine_, {found.best().algorithm, found.best().params});
  return performed.built.schedule;
}

void ReplayCollectives::check_all_used() const {
  for (const auto& one : asked_) {
    const Collective wanted = one.first;
    if (std::none_of(performed_.begin(), performed_.end(),
                     [&](const auto& done) { return done.second.spec.collective == wanted; }))
      throw Error(Error::Kind::argument, fmt::format("--algorithm {}: the trace has no {}; expected one that it calls",
                                                     one.second.algorithm->name, to_string(wanted)));
  }
}

}  // namespace quadrille::cli
