#include "algorithm/kit/round_pricer.hpp"

#include <algorithm>

#include "base/integer.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr Link few_links = Link{1} << 22;

}  // namespace

RoundPricer::RoundPricer(const Spec& spec, const Machine& machine)
    : spec_(spec),
      machine_(machine),
      topology_(*spec.topology),
      dense_(topology_.links() <= few_links),
      table_(dense_ ? static_cast<std::size_t>(topology_.links()) : 0),
      ports_(static_cast<std::size_t>(spec.ranks())) {
  if (const auto* grid = topology_.structure().grid; grid && dense_) grid_.emplace(*grid);
}

Bytes& RoundPricer::load(Link link) { return dense_ ? table_[static_cast<std::size_t>(link)] : map_[link]; }

Bytes RoundPricer::load_of(Link link) const {
  if (dense_) return table_[static_cast<std::size_t>(link)];
  const auto found = map_.find(link);
  return found == map_.end() ? 0 : found->second;
}

void RoundPricer::cross(std::span<const Link> path, Bytes bytes) {
  for (const Link link : path) {
    Bytes& sum = load(link);
    if (sum == 0) crossed_.push_back(link);
    sum += bytes;
  }
}

void RoundPricer::send(Rank from, std::span<const Rank> peers, Bytes bytes, bool one_run) {
  const bool together = machine_.multicast || topology_.shared_medium();
  path_.clear();
  for (const Rank peer : peers) {
    const std::int64_t distance = topology_.distance(from, peer);
    hops_ = std::max(hops_, distance);
    if (together && peers.size() > 1) {
      topology_.route(from, peer, path_);
    } else {
      waiting_.push_back({from, peer, bytes});
      crossings_ += distance;
    }
    Port& port = ports_[static_cast<std::size_t>(peer)];
    port.in += bytes;
    ++port.receives;
    port.packed += one_run ? 0 : bytes;
    busy_.push_back(peer);
  }
  std::sort(path_.begin(), path_.end());
  path_.erase(std::unique(path_.begin(), path_.end()), path_.end());
  cross(path_, bytes);
  const auto copies = static_cast<Bytes>(peers.size());
  Port& port = ports_[static_cast<std::size_t>(from)];
  transactions_ += port.sends == 0 ? 1 : 0;  // all that a rank puts on a medium is one
  port.out += together ? bytes : copies * bytes;
  port.sends += together ? 1 : copies;
  port.packed += one_run ? 0 : copies * bytes;
  busy_.push_back(from);
  any_ = true;
  heard_by_many_ |= peers.size() > 1;
  largest_ = std::max(largest_, bytes);
  medium_ += bytes;
}

void RoundPricer::message(Rank from, Rank to, Bytes bytes, Bytes packed) {
  const std::int64_t distance = topology_.distance(from, to);
  hops_ = std::max(hops_, distance);
  waiting_.push_back({from, to, bytes});
  crossings_ += distance;
  Port &out = ports_[static_cast<std::size_t>(from)], &in = ports_[static_cast<std::size_t>(to)];
  transactions_ += out.sends == 0 ? 1 : 0;
  out.out += bytes;
  ++out.sends;
  out.packed += packed;
  in.in += bytes;
  ++in.receives;
  busy_.push_back(from);
  busy_.push_back(to);
  any_ = true;
  largest_ = std::max(largest_, bytes);
  medium_ += bytes;
}

void RoundPricer::received(Rank to, Bytes packed, Bytes combined) {
  Port& port = ports_[static_cast<std::size_t>(to)];
  port.packed += packed;
  port.combined += combined;
  busy_.push_back(to);
}

Bytes RoundPricer::busiest_link() {
  if (topology_.shared_medium())
    return heard_by_many_ ? medium_ : std::max(largest_, base::ceil_div(medium_, machine_.shared));
  if (grid_ && crossed_.empty() && crossings_ > topology_.links()) {
    for (const Message& m : waiting_) grid_->add(m.from, m.to, m.bytes);
    return grid_->busiest(machine_.duplex != Duplex::full);
  }
  for (const Message& m : waiting_) {
    path_.clear();
    topology_.route(m.from, m.to, path_);
    cross(path_, m.bytes);
  }
  Bytes most = 0;
  for (const Link link : crossed_) {
    const Link back = machine_.duplex == Duplex::full ? link : topology_.reverse(link);
    most = std::max(most, load_of(link) + (back == link ? 0 : load_of(back)));
  }
  return most;
}

Bytes RoundPricer::busiest_port() const {
  if (machine_.ports != Ports::one) return 0;
  Bytes most = 0;
  for (const Rank r : busy_) {
    const Port& port = ports_[static_cast<std::size_t>(r)];
    most = std::max(most, machine_.duplex == Duplex::full ? std::max(port.out, port.in) : port.out + port.in);
  }
  return most;
}

std::int64_t RoundPricer::busiest_rank() const {
  std::int64_t most = 0;
  for (const Rank r : busy_) {
    const Port& port = ports_[static_cast<std::size_t>(r)];
    most = std::max({most, port.sends, port.receives});
  }
  return most;
}

void RoundPricer::end_round() {
  if (!any_) return;
  const std::int64_t messages = busiest_rank();
  cost_.startups += traffic::start_ups(messages, transactions_, spec_, machine_);
  cost_.further += messages - 1;
  cost_.hops += hops_;
  cost_.bytes = base::checked_add(cost_.bytes, std::max(busiest_link(), busiest_port()), "bytes on the critical path");
  Bytes packed = 0, combined = 0;
  for (const Rank r : busy_) {
    packed = std::max(packed, ports_[static_cast<std::size_t>(r)].packed);
    combined = std::max(combined, ports_[static_cast<std::size_t>(r)].combined);
  }
  cost_.packed = base::checked_add(cost_.packed, packed, "bytes packed");
  cost_.combined = base::checked_add(cost_.combined, combined, "bytes combined");
  for (const Link link : crossed_) load(link) = 0;
  for (const Rank r : busy_) ports_[static_cast<std::size_t>(r)] = {};
  crossed_.clear();
  busy_.clear();
  waiting_.clear();
  crossings_ = 0;
  hops_ = largest_ = medium_ = transactions_ = 0;
  any_ = heard_by_many_ = false;
}

}  // namespace quadrille::algorithm::kit
