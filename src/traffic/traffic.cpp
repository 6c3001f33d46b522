#include "traffic/traffic.hpp"

#include <algorithm>

#include "base/integer.hpp"
#include "topology/division.hpp"

namespace quadrille::traffic {

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

namespace {

/// Bytes of a rank's messages that are not one run of memory.
Bytes packed_bytes(Rank r, const std::vector<Summary::Message>& messages) {
  Bytes packed = 0;
  for (const Summary::Message& m : messages)
    if (m.peer != r && m.runs > 1) packed += m.bytes;
  return packed;
}

}  // namespace

TrafficCounter::TrafficCounter(const Spec& spec, const Machine& machine, const Schedule& schedule, bool use_symmetry,
                               schedule::Meter* meter, bool totals)
    : spec_(spec),
      machine_(machine),
      schedule_(schedule),
      bundler_(spec, machine, schedule),
      topology_(*spec.topology),
      costs_(machine, topology_),
      meter_(meter),
      totals_(totals),
      group_(use_symmetry ? counted_group(topology_, schedule.symmetry().group) : Group::none),
      stride_(std::max<Rank>(1, topology_.alike_by(group_))),
      representatives_(counted_ranks(topology_, group_)),
      now_(topology_.links()),
      total_(topology_.links()),
      ports_(static_cast<std::size_t>(representatives_)) {
  constexpr Link most_known = Link{1} << 20;
  if (group_ != Group::none && topology_.links() <= most_known)
    roles_.resize(static_cast<std::size_t>(topology_.links()));
}

RoundLoads TrafficCounter::round(Round t, const Look& look) {
  RoundLoads loads;
  const bool some_stand = !totals_ && some_stand_for_others(topology_, schedule_);
  for (Rank r = 0; r < representatives_; ++r) {
    if (some_stand) by_own_ = schedule_.stands_for(t, r);
    if (by_own_ == 0) continue;
    const std::vector<Summary::Message>& messages = summary_.of(schedule_, t, r);
    if (look && !look(r, messages)) break;
    add_rank(t, r, messages, loads);
    if (group_ != Group::none && !look) add_witnesses(r, messages);
  }
  by_own_ = 1;
  add_packing(t, loads);
  const std::int64_t stands_for = topology_.nodes() / representatives_;
  loads.messages *= stands_for;
  loads.message_hops *= stands_for;
  loads.all_combined = base::checked_multiply(loads.all_combined, stands_for, "bytes combined");
  loads.byte_hops = base::checked_multiply(loads.byte_hops, stands_for, "byte-hops");
  take_maxima(loads);
  return loads;
}

void TrafficCounter::add_witnesses(Rank r, const std::vector<Summary::Message>& messages) {
  const Rank ranks = spec_.ranks();
  for (const Summary::Message& m : messages) {
    if (m.peer == r || m.slots < 2) continue;
    if (group_ != Group::rotate) return witnesses_.push_back(r ^ ((ranks - 1) & ~(stride_ - 1)));
    const Slot blocks = schedule_.shape().blocks(m.last.buffer);
    if (blocks == ranks)
      witnesses_.push_back((r + base::ceil_div(blocks - m.last.slots.last() % blocks, stride_) * stride_) % ranks);
  }
}

void TrafficCounter::add_packing(Round t, RoundLoads& loads) {
  for (const Rank r : witnesses_) loads.packed = std::max(loads.packed, packed_bytes(r, summary_.of(schedule_, t, r)));
  witnesses_.clear();
}

void TrafficCounter::add_rank(Round t, Rank r, const std::vector<Summary::Message>& messages, RoundLoads& loads) {
  Bytes sent = 0, received = 0, permuted = 0, combined = 0;
  Bytes out = 0, in = 0;  // on the rank's links
  std::int64_t sends = 0, receives = 0;
  const auto send = [&](std::span<const Rank> peers, Bytes bytes) {
    ++sends;
    sent = base::checked_add(sent, bytes, "bytes sent");
    out = base::checked_add(out, at_port(r, peers.front(), bytes, false), "bytes sent");
    add_bundle(r, peers, bytes, loads);
  };
  for (const Summary::Message& m : messages) {
    if (m.kind == Kind::recv) {
      const Bytes copied = m.combined == 0 ? m.bytes : 0;  // a rank that combines within itself copies nothing
      (m.peer == r ? permuted : received) += m.peer == r ? copied : m.bytes;
      combined += m.combined;
      if (m.peer != r) in = base::checked_add(in, at_port(m.peer, r, m.bytes, true), "bytes received");
    }
    receives += m.kind == Kind::recv && m.peer != r;
  }
  bundler_.each(t, r, messages, send);
  loads.permuted = std::max(loads.permuted, permuted);
  loads.combined = std::max(loads.combined, combined);
  loads.all_combined = base::checked_add(loads.all_combined,
                                         base::checked_multiply(combined, by_own_, "bytes combined"), "bytes combined");
  if (r >= spec_.ranks()) return;  // what a shared memory takes and gives is up to the medium
  loads.packed = std::max(loads.packed, packed_bytes(r, messages));
  Port& port = ports_[static_cast<std::size_t>(r)];
  port.out = base::checked_add(port.out, sent, "bytes sent");
  port.in = base::checked_add(port.in, received, "bytes received");
  loads.port_out = std::max(loads.port_out, out);
  loads.port_in = std::max(loads.port_in, in);
  loads.port_both = std::max(loads.port_both, out + in);
  loads.sends = std::max(loads.sends, sends);
  loads.receives = std::max(loads.receives, receives);
}

void TrafficCounter::pay(std::size_t links) {
  if (!meter_) return;
  const std::int64_t visits = static_cast<std::int64_t>(links) * (group_ == Group::none ? now_.visits() : 1);
  meter_->spend(visits);
  link_visits_ += visits;
}

/// Every way has its share of the bytes. A link of several is crossed once.
void TrafficCounter::add_divided(std::span<const Topology::Way> ways, Bytes bytes, RoundLoads& loads) {
  topology::divide(ways, bytes, shares_);
  crossed_.clear();
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const std::vector<Link>& links = ways[i].links;
    pay(links.size());
    loads.hops = std::max<std::int64_t>(loads.hops, std::ssize(links));
    const Seconds delay = costs_.alike() ? 0 : costs_.delay(links);
    loads.delay = loads.messages == 0 && i == 0 ? delay : std::max(loads.delay, delay);
    for (const Link link : links) crossed_.emplace_back(link, shares_[i]);
  }
  std::sort(crossed_.begin(), crossed_.end());
  ++loads.messages;
  loads.largest = std::max(loads.largest, bytes);
  for (std::size_t i = 0; i < crossed_.size(); ++i) {
    LinkLoad& load = now_.at(crossed_[i].first);
    const bool first = i == 0 || crossed_[i - 1].first != crossed_[i].first;
    load.messages += first ? 1 : 0;
    load.bytes += crossed_[i].second;
    loads.message_hops += first ? 1 : 0;
    loads.byte_hops = base::checked_add(loads.byte_hops, crossed_[i].second, "byte-hops");
  }
}

void TrafficCounter::add_bundle(Rank r, std::span<const Rank> peers, Bytes bytes, RoundLoads& loads) {
  if (peers.size() == 1 && bytes > 0)
    if (const auto ways = topology_.divided(r, peers.front()); !ways.empty()) return add_divided(ways, bytes, loads);
  path_.clear();
  for (const Rank peer : peers) {
    const std::size_t before = path_.size();
    topology_.route(r, peer, path_);
    pay(path_.size() - before);
    loads.hops = std::max(loads.hops, static_cast<std::int64_t>(path_.size() - before));
    if (costs_.alike()) continue;
    const Seconds delay = costs_.delay(std::span<const Link>(path_).subspan(before));
    loads.delay = loads.messages == 0 && peer == peers.front() ? delay : std::max(loads.delay, delay);
  }
  if (peers.size() > 1) {
    std::sort(path_.begin(), path_.end());
    path_.erase(std::unique(path_.begin(), path_.end()), path_.end());
  }
  const auto hops = static_cast<std::int64_t>(path_.size());
  if (topology_.shared_medium()) {
    ++loads.messages;
    ++loads.transactions;
    loads.heard_by_many |= peers.size() > 1;
    loads.medium_bytes = base::checked_add(loads.medium_bytes, bytes, "bytes on the medium");
  } else {
    loads.messages += by_own_ * static_cast<std::int64_t>(peers.size());
  }
  loads.largest = std::max(loads.largest, bytes);
  loads.message_hops += hops * by_own_;
  loads.byte_hops =
      base::checked_add(loads.byte_hops, base::checked_multiply(bytes, hops * by_own_, "byte-hops"), "byte-hops");
  for (const Link link : path_) {
    const Role as = role(link);
    LinkLoad& load = now_.at(as.link);
    load.messages += as.ranks;
    load.bytes += bytes * as.ranks;
  }
}

Bytes TrafficCounter::at_port(Rank from, Rank to, Bytes bytes, bool of_receiver) {
  if (costs_.alike() || machine_.ports == Ports::all) return bytes;
  return costs_.as_plain(bytes, of_receiver ? last_link(from, to) : topology_.next(-1, from, to));
}

Link TrafficCounter::last_link(Rank from, Rank to) {
  if (topology_.degree() == 1) {  // it has one wire, and all comes in by that
    const Link out = topology_.next(-1, to, from), in = topology_.reverse(out);
    if (in != out) return in;
  }
  path_.clear();
  topology_.route(from, to, path_);
  return path_.back();
}

TrafficCounter::Role TrafficCounter::role(Link link) {
  if (group_ == Group::none) {
    const bool own = by_own_ == 1 || std::min(topology_.tail(link), topology_.head(link)) < spec_.ranks();
    return {link, own ? 1 : by_own_};
  }
  if (roles_.empty()) return {topology_.representative(link, group_), topology_.sharing(link, group_)};
  Role& known = roles_[static_cast<std::size_t>(link)];
  if (known.link < 0) known = {topology_.representative(link, group_), topology_.sharing(link, group_)};
  return known;
}

LinkLoad TrafficCounter::opposite(const LinkTable& table, Link link) {
  const Link back = topology_.reverse(link);
  return back == link ? LinkLoad{} : table.get(canonical(back));
}

void TrafficCounter::take_maxima(RoundLoads& loads) {
  for (const Link link : now_.touched()) {
    const LinkLoad load = now_.get(link);
    const LinkLoad back = opposite(now_, link);
    if (load.messages > loads.link_messages) loads.link_messages = load.messages, loads.link = link;
    if (load.messages + back.messages > loads.wire_messages)
      loads.wire_messages = load.messages + back.messages, loads.wire = link;
    loads.link_bytes = std::max(loads.link_bytes, costs_.as_plain(load.bytes, link));
    loads.wire_bytes = std::max(loads.wire_bytes, costs_.as_plain(load.bytes + back.bytes, link));
    if (!totals_) continue;
    LinkLoad& sum = total_.at(link);
    ++sum.messages;
    sum.bytes += load.bytes;
  }
  medium_bytes_ += loads.medium_bytes;
  now_.clear();
}

Bytes TrafficCounter::busiest_link() const {
  if (topology_.shared_medium()) return medium_bytes_;
  Bytes most = 0;
  for (const Link link : total_.touched()) most = std::max(most, total_.get(link).bytes);
  return most;
}

Bytes TrafficCounter::busiest_wire() {
  if (topology_.shared_medium()) return medium_bytes_;
  Bytes most = 0;
  for (const Link link : total_.touched()) most = std::max(most, total_.get(link).bytes + opposite(total_, link).bytes);
  return most;
}

Bytes TrafficCounter::busiest_out() const {
  return std::max_element(ports_.begin(), ports_.end(), [](const Port& a, const Port& b) { return a.out < b.out; })
      ->out;
}

Bytes TrafficCounter::busiest_in() const {
  return std::max_element(ports_.begin(), ports_.end(), [](const Port& a, const Port& b) { return a.in < b.in; })->in;
}

}  // namespace quadrille::traffic
