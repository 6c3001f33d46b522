#include "traffic/traffic.hpp"

#include <algorithm>

#include "base/integer.hpp"

namespace quadrille {

LinkLoad LinkTable::get(Link link) const {
  if (dense_) return table_[static_cast<std::size_t>(link)];
  const auto found = map_.find(link);
  return found == map_.end() ? LinkLoad{} : found->second;
}

void LinkTable::clear() {
  if (dense_)
    for (const Link link : touched_) table_[static_cast<std::size_t>(link)] = {};
  else
    map_.clear();
  touched_.clear();
}

TrafficCounter::TrafficCounter(const Spec& spec, const Machine& machine, const Schedule& schedule, bool use_symmetry)
    : spec_(spec),
      machine_(machine),
      schedule_(schedule),
      topology_(*spec.topology),
      group_(use_symmetry && topology_.invariant(schedule.symmetry().group) ? schedule.symmetry().group : Group::none),
      representatives_(quadrille::representatives(group_, spec.ranks())),
      now_(topology_.links()),
      total_(topology_.links()),
      ports_(static_cast<std::size_t>(representatives_)) {}

RoundLoads TrafficCounter::round(Round t, const Look& look) {
  RoundLoads loads;
  for (Rank r = 0; r < representatives_; ++r) {
    const std::vector<Summary::Message>& messages = summary_.of(schedule_, t, r);
    if (look && !look(r, messages)) break;
    add_rank(r, messages, loads);
  }
  const std::int64_t stands_for = spec_.ranks() / representatives_;
  loads.messages *= stands_for;
  loads.message_hops *= stands_for;
  loads.byte_hops = checked_multiply(loads.byte_hops, stands_for, "byte-hops");
  take_maxima(loads);
  return loads;
}

void TrafficCounter::add_rank(Rank r, const std::vector<Summary::Message>& messages, RoundLoads& loads) {
  Bytes sent = 0, received = 0, permuted = 0, packed = 0, copies = 0;
  for (const Summary::Message& m : messages) {
    if (m.peer != r && m.runs > 1) packed += m.bytes;
    if (m.peer == r) {
      if (m.kind == Kind::recv) permuted += m.bytes;
    } else if (m.kind == Kind::recv) {
      received += m.bytes;
    } else {
      sent += m.bytes;
      copies = std::max(copies, m.bytes);
      add_message(r, m.peer, m.bytes, loads);
    }
  }
  Port& port = ports_[static_cast<std::size_t>(r)];
  port.out = checked_add(port.out, sent, "bytes sent");
  port.in = checked_add(port.in, received, "bytes received");
  if (machine_.multicast) sent = copies;
  loads.port_out = std::max(loads.port_out, sent);
  loads.port_in = std::max(loads.port_in, received);
  loads.port_both = std::max(loads.port_both, sent + received);
  loads.permuted = std::max(loads.permuted, permuted);
  loads.packed = std::max(loads.packed, packed);
}

void TrafficCounter::add_message(Rank r, Rank peer, Bytes bytes, RoundLoads& loads) {
  path_.clear();
  topology_.route(r, peer, path_);
  const auto hops = static_cast<std::int64_t>(path_.size());
  ++loads.messages;
  loads.largest = std::max(loads.largest, bytes);
  loads.hops = std::max(loads.hops, hops);
  loads.message_hops += hops;
  loads.byte_hops += bytes * hops;
  for (const Link link : path_) {
    LinkLoad& load = now_.at(canonical(link));
    ++load.messages;
    load.bytes += bytes;
  }
}

void TrafficCounter::take_maxima(RoundLoads& loads) {
  for (const Link link : now_.touched()) {
    const LinkLoad load = now_.get(link);
    const LinkLoad back = now_.get(canonical(topology_.reverse(link)));
    if (load.messages > loads.link_messages) loads.link_messages = load.messages, loads.link = link;
    if (load.messages + back.messages > loads.wire_messages)
      loads.wire_messages = load.messages + back.messages, loads.wire = link;
    loads.link_bytes = std::max(loads.link_bytes, load.bytes);
    loads.wire_bytes = std::max(loads.wire_bytes, load.bytes + back.bytes);
    LinkLoad& sum = total_.at(link);
    ++sum.messages;
    sum.bytes += load.bytes;
  }
  now_.clear();
}

Bytes TrafficCounter::busiest_link() const {
  Bytes most = 0;
  for (const Link link : total_.touched()) most = std::max(most, total_.get(link).bytes);
  return most;
}

Bytes TrafficCounter::busiest_wire() const {
  Bytes most = 0;
  for (const Link link : total_.touched())
    most = std::max(most, total_.get(link).bytes + total_.get(canonical(topology_.reverse(link))).bytes);
  return most;
}

Bytes TrafficCounter::busiest_out() const {
  return std::max_element(ports_.begin(), ports_.end(), [](const Port& a, const Port& b) { return a.out < b.out; })
      ->out;
}

Bytes TrafficCounter::busiest_in() const {
  return std::max_element(ports_.begin(), ports_.end(), [](const Port& a, const Port& b) { return a.in < b.in; })->in;
}

}  // namespace quadrille
