// What no schedule beats when messages are simulated: in any order of execution, on a network model.
//
// Prices go round by round, and so does their bound. A simulated run overlaps rounds, so only these arguments hold:
// the data cross a way, messages of a rank follow one another, and after the first start-up bytes pass a port or a cut.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "collective/traits.hpp"
#include "cost/link_costs.hpp"
#include "pricing/network_needs.hpp"
#include "pricing/network_way.hpp"
#include "quadrille/plan.hpp"

namespace quadrille {

namespace {

using collective::Flow;

constexpr Rank most_ranks = 1 << 14;  ///< in a tree that is built rank by rank; fewer ranks are reached sooner

/// What every message takes besides its bytes.
struct OneMessage {
  Seconds to_link;      ///< until its bytes can be on a link
  Seconds hop;          ///< for each link
  Seconds after;        ///< of its receiver
  Seconds behind_port;  ///< from when it has left its sender's port until it has come to its receiver's
  Seconds over(int links) const { return to_link + hop * links + after; }
};

OneMessage one_message(const Spec& spec, const Machine& machine, Network network) {
  const Topology& topology = *spec.topology;
  Bytes most_held = 0;  // by a rank, of what is its own
  const auto held_by = [&](Rank r) {
    most_held = std::max(most_held, buffer_bytes(spec, Buffer::in, r) + buffer_bytes(spec, Buffer::out, r));
  };
  if (spec.demands || spec.sources || spec.offsets)
    for (Rank r = 0; r < spec.ranks(); ++r) held_by(r);
  else
    held_by(spec.root), held_by(spec.root == 0 ? spec.ranks() - 1 : 0);
  // No message needs more than all data there are: in an exchange every rank has as much, and in a reduction a sum.
  const collective::Facts& facts = collective::facts(spec);
  const Rank others_too = facts.flow == Flow::pairs || facts.combines ? spec.ranks() : 1;
  const bool average = machine.circuit == CircuitCost::average && network != Network::wormhole;
  const Seconds circuit = average ? machine.per_hop * topology.diameter() / 2.0 : 0;
  const bool buffered = most_held < machine.eager_limit / others_too;
  const Seconds latency = cost::LinkCosts(machine, topology, cost::LinkCosts::Asked::network).least_alpha() + circuit,
                hop = average ? 0 : machine.per_hop;
  return {machine.overhead_send + latency, hop, buffered ? machine.overhead_receive : 0,
          machine.has_overhead() ? latency + hop : 0};
}

/// When the last of `ranks` is reached, where who is reached sends to one rank after the other, one every `interval`,
/// and a message takes `latency`: the greedy tree, which is optimal (Karp, Sahay, Santos & Schauser 1993).
Seconds reached(Rank ranks, Seconds interval, Seconds latency) {
  if (ranks <= 1) return 0;
  if (!(interval > 0)) return latency;
  std::priority_queue<Seconds, std::vector<Seconds>, std::greater<>> arrivals;
  arrivals.push(latency);
  Seconds last = 0;
  for (Rank n = 1; n < std::min(ranks, most_ranks); ++n) {
    last = arrivals.top();
    arrivals.pop();
    arrivals.push(last + interval);  // its sender's next one
    arrivals.push(last + latency);   // its own first one
  }
  return last;
}

/// How many ranks something of one rank must reach, that one among them: of empty blocks nothing does.
Rank reached_ranks(const Spec& spec) {
  if (!spec.offsets) return spec.ranks();
  Rank blocks = 0;
  for (Rank r = 0; r < spec.ranks(); ++r) blocks += buffer_bytes(spec, Buffer::out, r) > 0 ? 1 : 0;
  return std::min(spec.ranks(), blocks + 1);
}

/// Who has something of all, or of whom all have something, cannot become more ranks faster.
Seconds spreading(const Spec& spec, const Machine& machine, const OneMessage& message) {
  const Flow flow = collective::facts(spec).flow;
  if (flow == Flow::pairs || machine.multicast) return 0;
  if (spec.topology->shared_medium() || spec.topology->nodes() != spec.ranks()) return 0;
  const Seconds latency = message.over(1);
  if (machine.has_overhead()) {
    const Seconds out = reached(reached_ranks(spec), machine.overhead_send, latency);
    const Seconds in = reached(spec.ranks(), message.after, latency);
    if (flow == Flow::all_to_one) return in;
    return flow == Flow::all_to_all ? std::max(out, in) : out;
  }
  const Seconds alpha = cost::LinkCosts(machine, *spec.topology, cost::LinkCosts::Asked::network).least_alpha();
  return machine.startup_in_port() ? reached(spec.ranks(), alpha, latency) : 0;
}

/// Whether the argument holds on a network where messages meet as this one says.
bool holds(const Bound::Part& part, const Machine& machine, const Topology& topology, Network network) {
  if (part.name == "rounds against volume" || part.name == "latency") return false;
  if (part.name == "combining") return true;
  // What a rank does at once on a medium is up to the medium, unless it has one port.
  if (part.name == "port" && topology.shared_medium()) return machine.ports == Ports::one;
  if (network != Network::free || part.name == "medium") return true;
  return part.name == "port" && machine.ports == Ports::one;
}

/// Wire time of so many bytes on the busiest link or port, a share that need not be whole. Links that shape traffic are
/// ahead of themselves, where a message enters and where it leaves; and one port is ahead by a burst whenever it turns
/// to another link.
Seconds wire_time(double bytes, const Machine& machine, const Topology& topology, Network network) {
  const bool shaped = network == Network::store_and_forward || network == Network::cut_through;
  if (!shaped || machine.burst == 0 || topology.shared_medium()) return bytes * machine.beta;
  if (machine.ports == Ports::one) bytes /= static_cast<double>(std::max<std::int64_t>(1, topology.degree()));
  return std::max(0.0, bytes * machine.beta - 2 * machine.burst);
}

/// Whether a rank's one port sends or receives, and is not kept for a message from end to end: while that is on its
/// way the port is free, or a share of the port is enough.
bool turns_between(const Machine& machine, const OneMessage& message, Network network) {
  return machine.ports == Ports::one && machine.duplex != Duplex::full &&
         (message.behind_port > 0 || is_fluid(network));
}

/// What `part` says there. Before the first message comes to its receiver ports may all send, and after the last one
/// has left its sender they may all receive. So a bound of what one port sends and receives begins when messages are
/// handed over. In rounds a message between neighbours takes a pair of ranks, and one of an odd number is left over;
/// here each message takes the time of two ports, and no more ranks than there are send at once.
Seconds by_turns(const Bound::Part& part, const Spec& spec, const Machine& machine, const OneMessage& message,
                 Seconds start, const std::function<Seconds(double)>& wire) {
  const auto bytes = static_cast<double>(std::max<Bytes>(0, part.bytes - 1));
  const Topology& topology = *spec.topology;
  const std::int64_t pairs = spec.ranks() / 2, wires = std::max<std::int64_t>(1, topology.wires() / 2);
  const bool paired = pricing::takes_ports(spec, machine);
  if (part.name != "work") return start - message.behind_port + wire(bytes);
  if (!paired || wires <= pairs) return start + wire(bytes);
  const double all = bytes * static_cast<double>(pairs), ranks = static_cast<double>(spec.ranks());
  return std::max(start - message.behind_port + wire(2 * all / ranks),
                  start + wire(all / std::min(ranks, static_cast<double>(wires))));
}

/// Bounds are sums in another order than a simulation's, and may come out larger by rounding.
/// The wormhole network rounds what a byte takes to 2^-24, the fluid one shares of a medium.
constexpr double rounding = 1 - 1e-6;

}  // namespace

Bound limit(const Spec& spec, const Machine& machine, Network network) {
  const Bound priced = lower_bound(spec, machine);
  if (spec.bytes == 0 || spec.ranks() == 1) return priced;
  const Topology& topology = *spec.topology;
  const OneMessage message = one_message(spec, machine, network);
  const Seconds spread = spreading(spec, machine, message);
  Bound bound;
  // Where only neighbours talk, a rank passes on what it has received: the priced part counts the links of the way.
  const bool relays =
      machine.switching == Switching::store_and_forward && topology.direct() && !topology.shared_medium();
  const int links = topology.shared_medium() ? 1 : farthest_apart(spec);
  const Seconds crossed = topology.structure().routed ? pricing::farthest_way(spec, machine, message.hop > 0) : 0;
  const Seconds way = relays ? links * message.over(1) : std::max(message.over(links), message.over(0) + crossed);
  const bool by_way = way >= spread;
  bound.parts.push_back({"latency",
                         by_way ? fmt::format("data must cross {} link{}", links, links == 1 ? "" : "s")
                                : fmt::format("a rank's messages follow one another, and {} ranks must be reached",
                                              base::format_count(spec.ranks())),
                         std::max(way, spread) * rounding, relays ? links : 1, 0});
  const Seconds start = message.over(topology.shared_medium() ? 0 : 1);
  for (Bound::Part part : priced.parts) {
    if (!holds(part, machine, topology, network)) continue;
    if (part.name == "combining") {  // a rank combines one thing after the other, whatever the network does
      part.time *= rounding;
      bound.parts.push_back(std::move(part));
      continue;
    }
    const auto wire = [&](double bytes) { return wire_time(bytes, machine, topology, network); };
    part.time = rounding * (turns_between(machine, message, network)
                                ? by_turns(part, spec, machine, message, start, wire)
                                : start + wire(static_cast<double>(std::max<Bytes>(0, part.bytes - 1))));
    part.rounds = 1;
    bound.parts.push_back(std::move(part));
  }
  std::stable_sort(bound.parts.begin(), bound.parts.end(),
                   [](const auto& a, const auto& b) { return a.time > b.time; });
  bound.time = bound.parts.front().time;
  bound.binding = bound.parts.front().name;
  return bound;
}

}  // namespace quadrille
