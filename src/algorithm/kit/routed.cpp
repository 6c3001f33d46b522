#include "algorithm/kit/routed.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithm/kit/routed_choices.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/kit/waiting_circuits.hpp"
#include "algorithm/on_routes.hpp"
#include "base/recent.hpp"
#include "schedule/routed.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr double most_slots = 1 << 26;  ///< of all ranks, of each of which rounds are noted

/// Whether any rank is a message away over routes whose links messages may share.
bool is_crossbar_like(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  return t.structure().routed && (!t.direct() || machine.switching != Switching::store_and_forward);
}

/// Why messages may not share links where these can be kept free; empty where they may.
std::string meet_illegal(const Spec& spec, const Machine& machine) {
  if (is_crossbar_like(spec, machine)) return fmt::format("messages meet on {} in any case", spec.topology->text());
  if (has_own_wires(spec) || is_bus(spec)) return fmt::format("{} has no links to share", spec.topology->text());
  if (machine.switching != Switching::wormhole)
    return "messages that meet would wait for each other; try --set switching=wormhole";
  return {};
}

schedule::Sharing sharing_of(const Spec& spec, const Machine& machine, const Params& params) {
  return {.hop_by_hop = spec.topology->direct() && machine.switching == Switching::store_and_forward,
          .free_links = !is_crossbar_like(spec, machine) && params.get(routed_meet.name, 0) == 0,
          .one_way = half_duplex(machine),
          .one_port = machine.ports == Ports::one,
          .one_task = one_task(machine)};
}

schedule::Sharing over_single_links(schedule::Sharing sharing) {
  sharing.hop_by_hop = true;
  return sharing;
}

struct Found {
  std::string error;
  SchedulePtr schedule;
  Claims claims;
};

SchedulePtr on_routes_of(const Schedule& base, const Spec& spec, const schedule::Sharing& sharing) {
  return schedule::routed(base, *spec.topology, sharing, static_cast<std::int64_t>(4 * most_crossings));
}

/// Circuits between ranks that are no neighbours, as long as those of ranks that run ahead cannot wait in a circle;
/// else over one link at a time. Blocks of different lengths could not wait on their way. Half-duplex wires may be
/// waited for in a circle by whatever algorithm, and single links would take several times as long: plans simulate.
SchedulePtr without_circles(SchedulePtr found, const Schedule& base, const Spec& spec, const Machine& machine,
                            const schedule::Sharing& sharing) {
  if (machine.switching != Switching::circuit || !spec.topology->direct() || !sharing.free_links ||
      base.shape().offsets)
    return found;
  if (half_duplex(machine) || !circuits_may_wait(*spec.topology, *found)) return found;
  return on_routes_of(base, spec, over_single_links(sharing));
}

Found found(const Spec& spec, const Machine& machine, const Choice& inner, const schedule::Sharing& sharing) {
  const std::optional<InnerQuestion> q = question_to(inner, spec, machine);
  if (!q) {
    const InnerQuestion nearest = asked_inside(spec, machine, "crossbar");
    return {refusal_on_routes(inner.algorithm->illegal(nearest.spec, nearest.machine, inner.params), spec), {}, {}};
  }
  const Built built = quadrille::build(q->spec, q->machine, inner);
  SchedulePtr base = built.schedule;
  try {
    if (slots_of(*base) > most_slots)
      throw Error(Error::Kind::budget,
                  fmt::format("would note when {:.3g} slots are read and written; at most {:.3g}, nearest: fewer ranks",
                              slots_of(*base), most_slots));
    if (base->shape().offsets && spec.collective != Collective::reduce_scatter) base = schedule::as_one_block(base);
    return {"",
            without_circles(on_routes_of(*base, spec, sharing), *base, spec, machine, sharing),
            {.once = false,
             .contention_free = sharing.free_links,
             .port_free = sharing.free_links,
             .in_order = built.claims.in_order,
             .identical = built.claims.identical,
             .canonical = built.claims.canonical}};
  } catch (const Error& error) {
    return {error.what(), {}, {}};
  }
}

/// Looked for once for the claims, the price and the proof of one choice.
std::shared_ptr<const Found> known(const Spec& spec, const Machine& machine, const Choice& inner,
                                   const Params& params) {
  static base::Recent<std::string, Found> recent;
  std::string offsets;
  if (spec.offsets)
    for (const Bytes at : *spec.offsets) offsets += fmt::format(" {}", at);
  const schedule::Sharing s = sharing_of(spec, machine, params);
  return recent.get(fmt::format("{} {} {}{}{}{}{}{} {} {}", to_text(spec), to_text(*inner.algorithm, inner.params),
                                s.hop_by_hop, s.free_links, s.one_way, s.one_port, s.one_task,
                                machine.switching == Switching::circuit, machine.ports == Ports::all, offsets),
                    [&] { return found(spec, machine, inner, s); });
}

/// The one that is named, or the first that is worth trying.
std::optional<Choice> inner_of(const Spec& spec, const Machine& machine, const Params& params) {
  if (const std::string_view given = params.choice(routed_inner.name); !given.empty()) return parse_choice(given);
  std::vector<Choice> all = worth_routing(spec, machine);
  return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

/// Networks for which operands that may change places have algorithms of the network's own, and need no others.
bool has_own(const Spec& spec, const Machine& machine) {
  const Topology::Structure s = spec.topology->structure();
  if (has_own_wires(spec) && one_task(machine)) return false;
  const bool regular = s.grid != nullptr || s.cube > 0 || s.ring || (s.switches_shifts && !is_butterfly(spec));
  return combines_in_any_order(spec) && !is_beside_own(spec) && (regular || has_own_wires(spec) || is_bus(spec));
}

/// Beside algorithms of the network's own one is enough.
Params fastest(const Spec& spec, const Machine& machine, const std::vector<Params>& all) {
  std::vector<Seconds> times;
  for (const Params& params : all)
    times.push_back(seconds(routed_cost(spec, machine, params), machine, *spec.topology));
  return all[static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin())];
}

}  // namespace

std::string routed_illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (is_memory(spec))
    return fmt::format("{} takes messages of no rank to another; nearest: bus:{}", spec.topology->text(), spec.ranks());
  if (!combines(spec) && !is_beside_own(spec))
    return fmt::format("is for hypercubes, rings, meshes and tori, and {} is none; nearest: {}", spec.topology->text(),
                       nearest_torus(spec));
  if (!combines(spec) && machine.switching == Switching::circuit)
    return "circuits of ranks that run ahead would keep links from others; try --set switching=wormhole";
  if (has_own(spec, machine))
    return fmt::format(
        "is for operands in the order of ranks; for others {} has algorithms of its own, try --operands "
        "ordered",
        spec.topology->text());
  if (params.get(routed_meet.name, 0) > 0)
    if (std::string reason = meet_illegal(spec, machine); !reason.empty()) return reason;
  if (spec.bytes == 0) return {};
  const std::optional<Choice> inner = inner_of(spec, machine, params);
  if (!inner) return "would route more messages than can be listed; nearest: fewer ranks";
  if (!may_be_inner(*inner->algorithm, spec))
    return fmt::format("{} cannot be routed; inner=(...) is an algorithm for {} on a line or a crossbar",
                       inner->algorithm->name, to_string(spec.collective));
  return known(spec, machine, *inner, params)->error;
}

std::vector<Params> routed_variants(const Spec& spec, const Machine& machine) {
  if (spec.bytes == 0) return {Params{}};
  std::vector<Params> all;
  for (const Choice& inner : worth_routing(spec, machine)) {
    Params params;
    params.set_choice(std::string(routed_inner.name), to_text(*inner.algorithm, inner.params));
    if (!meet_illegal(spec, machine).empty()) {
      if (routed_illegal(spec, machine, params).empty()) all.push_back(std::move(params));
      continue;
    }
    for (const std::int64_t meet : {0, 1}) {
      params.set(std::string(routed_meet.name), {meet});
      if (routed_illegal(spec, machine, params).empty()) all.push_back(params);
    }
  }
  if (is_beside_own(spec) && all.size() > 1) return {fastest(spec, machine, all)};
  return all;
}

Claims routed_claims(const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.bytes == 0) return {.in_order = true, .canonical = true};
  const std::optional<Choice> inner = inner_of(spec, machine, params);
  return inner ? known(spec, machine, *inner, params)->claims : Claims{};
}

Cost routed_cost(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *routed_build(spec, machine, params));
}

Seconds routed_least(const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.bytes == 0) return 0;
  const Topology& t = *spec.topology;
  const std::int64_t fan = 1 + (machine.ports == Ports::one ? 1 : std::max(1, t.degree()));
  std::int64_t rounds = 0;
  for (std::int64_t heard = 1; heard < spec.ranks() - 1; heard *= fan) ++rounds;
  const bool all_of_all = spec.collective == Collective::allreduce || spec.collective == Collective::barrier;
  if (all_of_all && sharing_of(spec, machine, params).hop_by_hop) rounds = std::max<std::int64_t>(rounds, t.diameter());
  return least_on_routes(spec, machine, {.startups = std::max<std::int64_t>(rounds, 1)});
}

SchedulePtr routed_build(const Spec& spec, const Machine& machine, const Params& params) {
  const std::optional<Choice> inner = inner_of(spec, machine, params);
  if (!inner) throw Error(Error::Kind::illegal, "would route more messages than can be listed");
  const std::shared_ptr<const Found> one = known(spec, machine, *inner, params);
  if (!one->error.empty()) throw Error(Error::Kind::illegal, one->error);
  return one->schedule;
}

}  // namespace quadrille::algorithm::kit
