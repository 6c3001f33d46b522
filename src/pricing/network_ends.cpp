#include "pricing/network_ends.hpp"

#include <algorithm>

namespace quadrille::pricing {

using flow::Ratio, flow::Vertex, flow::Wide;

namespace {

/// What the links of a rank, or its port, pass at once.
class LinksOfRanks {
 public:
  LinksOfRanks(const NetworkGraph& graph, const Machine& machine)
      : network_(graph.network), turned_(graph.network.reversed()), one_port_(machine.ports == Ports::one) {}

  std::int64_t out(Rank r) const { return network_.out(network_.host(r)); }
  std::int64_t in(Rank r) const { return turned_.out(network_.host(r)); }
  /// Where wires pass one way at a time: a port, or all wires.
  std::int64_t one_way_at_a_time(Rank r) const {
    if (one_port_) return std::max(out(r), in(r));
    const Vertex host = network_.host(r);
    std::int64_t all = in(r);
    for (const flow::Arc& arc : network_.leaving(host)) {
      const std::int64_t back = network_.find(arc.to, host);
      const std::int64_t other = back < 0 ? 0 : network_.arcs()[static_cast<std::size_t>(back)].capacity;
      all += std::max(arc.capacity, other) - other;
    }
    return all;
  }

 private:
  const flow::Network& network_;
  flow::Network turned_;
  bool one_port_;
};

/// Whether what a rank sends waits for what it receives: at its port, or on every wire.
bool pass_in_turn(const Spec& spec, const Machine& machine) {
  if (machine.duplex == Duplex::full || machine.ports == Ports::one) return machine.duplex != Duplex::full;
  const Topology& t = *spec.topology;
  for (Link link = 0; link < t.links(); ++link)
    if (exists(t, link) && t.reverse(link) == link) return false;
  return true;
}

}  // namespace

RankThatBinds rank_that_binds(const Spec& spec, const Machine& machine, const NetworkGraph& graph) {
  using Whose = collective::PortNeed::Whose;
  const collective::PortNeed need = collective::traits(spec).port(spec);
  const LinksOfRanks links(graph, machine);
  const bool in_turn = pass_in_turn(spec, machine);
  const auto through = [](Bytes bytes, std::int64_t capacity) {
    return bytes == 0 || capacity == 0 ? Ratio(0) : Ratio(bytes, capacity);
  };
  const auto need_at = [&](Rank r) -> collective::PortNeed {
    if (spec.demands) return {.in = buffer_bytes(spec, Buffer::out, r), .out = buffer_bytes(spec, Buffer::in, r)};
    if (!spec.sources) return need;
    const Slot source = spec.sources->find(r);  // a source lacks less than others do
    const Bytes own = source < 0 ? 0 : spec.sources->bytes(source);
    return {.in = spec.sources->offset.back() - own, .out = own};
  };
  const auto time_at = [&](Rank r) {
    const collective::PortNeed here = need_at(r);
    return in_turn ? through(here.both(), links.one_way_at_a_time(r))
                   : std::max(through(here.out, links.out(r)), through(here.in, links.in(r)));
  };
  Ratio time = time_at(spec.root);
  Rank who = spec.root;
  if (need.whose == Whose::ends) {
    const Bytes moved = std::max(need.in, need.out);
    const Ratio there = through(moved, links.in(spec.target));
    time = through(moved, links.out(spec.root));
    if (time < there) time = there, who = spec.target;
  }
  const bool longest = need.whose == Whose::any || spec.demands;
  for (Rank r = 0; r < spec.ranks() && (longest || need.whose == Whose::best); ++r) {
    const Ratio here = time_at(r);
    if (longest ? time < here : here < time) time = here, who = r;
  }
  const collective::PortNeed moved = need_at(who);
  const bool both_ways = in_turn && need.whose != Whose::ends;
  return {who, both_ways ? moved.both() : std::max(moved.in, moved.out), time, both_ways};
}

std::optional<TransfersThatBind> transfers_that_bind(const Spec& spec, const Machine& machine,
                                                     const NetworkGraph& graph) {
  if (machine.multicast || !counts_transfers(spec) || !pass_in_turn(spec, machine)) return {};
  const collective::Crossings transfers = collective::traits(spec).crossings(spec);
  const LinksOfRanks links(graph, machine);
  Wide all = 0;
  for (Rank r = 0; r < spec.ranks(); ++r) all += links.one_way_at_a_time(r);
  return TransfersThatBind{transfers.count, transfers.bytes,
                           Ratio(flow::multiply(2, transfers.count), all) * Ratio(transfers.bytes)};
}

}  // namespace quadrille::pricing
