#include "quadrille/contention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/integer.hpp"
#include "topology/division.hpp"
#include "traffic/traffic.hpp"

namespace quadrille {

namespace {

/// Adds up a round, rank by rank: all messages of a rank in one call. Under a symmetry a representative's messages
/// stand for those of all ranks; two of its links that become the same one belong to different senders there.
class RoundCounter {
 public:
  RoundCounter(const Topology& topology, const Counting& counting, Group group)
      : topology_(topology),
        counting_(counting),
        group_(group),
        one_of_two_(counting.half_bus && topology.shared_medium() && !topology.direct()) {}

  /// What rank r sends, and what it receives where only one partner of an exchange counts.
  void add(Rank r, const std::vector<Envelope>& sent, const std::vector<Envelope>& received) {
    crossings_.clear();
    for (const Envelope& m : sent) {
      if (m.to == m.from) continue;
      Bytes bytes = m.bytes;
      if (one_of_two_) {
        const auto back =
            std::find_if(received.begin(), received.end(), [&](const Envelope& x) { return x.from == m.to; });
        if (back != received.end() && r > m.to) continue;
        if (back != received.end()) bytes = std::max(bytes, back->bytes);
      }
      ++round_.messages;
      round_.largest = std::max(round_.largest, bytes);
      cross(m.from, m.to, bytes);
    }
    std::sort(crossings_.begin(), crossings_.end());
    for (std::size_t i = 0; i < crossings_.size();) add_link(i);
  }

  RoundContention take(Round t, std::int64_t stands_for, std::size_t most_links) {
    round_.round = t;
    round_.messages *= stands_for;
    for (const auto& [link, load] : loads_) add_up(load);
    round_.used *= stands_for, round_.shared *= stands_for;
    round_.worst.reserve(loads_.size());
    for (const auto& [link, load] : loads_) round_.worst.push_back(load);
    const auto more = [who = counting_.who](const LinkContention& a, const LinkContention& b) {
      return std::tuple(a.count(who), a.volume(who), b.link) > std::tuple(b.count(who), b.volume(who), a.link);
    };
    const std::size_t kept = std::min(most_links, round_.worst.size());
    std::partial_sort(round_.worst.begin(), round_.worst.begin() + static_cast<std::ptrdiff_t>(kept),
                      round_.worst.end(), more);
    round_.worst.resize(kept);
    loads_.clear();
    return std::exchange(round_, {});
  }

 private:
  struct Crossing {
    Link link;
    Bytes bytes;
    auto operator<=>(const Crossing&) const = default;
  };

  void cross(Rank from, Rank to, Bytes bytes) {
    const auto ways = bytes > 0 ? topology_.divided(from, to) : std::span<const Topology::Way>();
    if (!ways.empty()) return cross_divided(ways, bytes);
    path_.clear();
    topology_.route(from, to, path_);
    for (const Link link : path_) crossings_.push_back({link, bytes});
  }
  /// Every way has its share of the bytes. A link of several is crossed once.
  void cross_divided(std::span<const Topology::Way> ways, Bytes bytes) {
    topology::divide(ways, bytes, shares_);
    std::vector<Crossing> all;
    for (std::size_t i = 0; i < ways.size(); ++i)
      for (const Link link : ways[i].links) all.push_back({link, shares_[i]});
    std::sort(all.begin(), all.end());
    const std::size_t before = crossings_.size();
    for (const Crossing& crossing : all)
      if (crossings_.size() > before && crossings_.back().link == crossing.link)
        crossings_.back().bytes += crossing.bytes;
      else
        crossings_.push_back(crossing);
  }

  /// The crossings of one link from `i` on, which leaves `i` behind them.
  void add_link(std::size_t& i) {
    const Link link = crossings_[i].link;
    LinkContention& load = loads_[group_ == Group::none ? link : topology_.representative(link, group_)];
    if (load.messages == 0) load.link = link;
    ++load.senders;
    for (; i < crossings_.size() && crossings_[i].link == link; ++i) {
      ++load.messages;
      load.bytes = base::checked_add(load.bytes, crossings_[i].bytes, "bytes on a wire");
    }
    load.sender_bytes = base::checked_add(load.sender_bytes, crossings_[i - 1].bytes, "bytes on a wire");
  }

  void add_up(const LinkContention& load) {
    round_.by_messages = std::max(round_.by_messages, load.messages);
    round_.by_senders = std::max(round_.by_senders, load.senders);
    round_.bytes = std::max(round_.bytes, load.bytes);
    round_.sender_bytes = std::max(round_.sender_bytes, load.sender_bytes);
    ++round_.used;
    round_.shared += load.count(counting_.who) > 1;
  }

  const Topology& topology_;
  Counting counting_;
  Group group_;
  bool one_of_two_;
  RoundContention round_;
  std::unordered_map<Link, LinkContention> loads_;
  std::vector<Crossing> crossings_;
  std::vector<Link> path_;
  std::vector<Bytes> shares_;  ///< of the ways of a message
};

/// A rank's messages of a round as envelopes.
struct Mail {
  std::vector<Envelope> sent, received;
  void read(Rank r, const std::vector<Summary::Message>& messages) {
    sent.clear(), received.clear();
    for (const Summary::Message& m : messages) {
      if (m.peer == r) continue;
      if (m.kind == Kind::send)
        sent.push_back({r, m.peer, m.bytes});
      else
        received.push_back({m.peer, r, m.bytes});
    }
  }
};

}  // namespace

RoundContention contention(const Topology& topology, const std::vector<Envelope>& messages, const Counting& counting,
                           std::size_t most_links) {
  std::vector<Envelope> out = messages, in = messages;
  const auto by_sender = [](const Envelope& a, const Envelope& b) { return a.from < b.from; };
  const auto by_receiver = [](const Envelope& a, const Envelope& b) { return a.to < b.to; };
  std::stable_sort(out.begin(), out.end(), by_sender);
  std::stable_sort(in.begin(), in.end(), by_receiver);
  RoundCounter counter(topology, counting, Group::none);
  for (auto first = out.begin(); first != out.end();) {
    const Rank r = first->from;
    const auto last = std::upper_bound(first, out.end(), *first, by_sender);
    const auto [here, there] = std::equal_range(in.begin(), in.end(), Envelope{r, r, 0}, by_receiver);
    counter.add(r, {first, last}, {here, there});
    first = last;
  }
  return counter.take(0, 1, most_links);
}

std::int64_t Contention::s(Who who) const {
  std::int64_t most = 1;
  for (const RoundContention& r : rounds) most = std::max(most, r.s(who));
  return most;
}

Contention contention(const Topology& topology, const Machine& machine, const Schedule& schedule,
                      const Counting& counting, std::size_t most_links, std::int64_t work) {
  const Shape& shape = schedule.shape();
  if (topology.ranks() != shape.ranks)
    throw Error(Error::Kind::argument, fmt::format("{} has {} ranks; expected the schedule's {}", topology.text(),
                                                   topology.ranks(), shape.ranks));
  Contention all;
  const Group claimed = schedule.symmetry().group, group = topology.invariant(claimed) ? claimed : Group::none;
  const Rank visited = traffic::representatives(group, topology.nodes());
  if (base::checked_multiply(shape.rounds, visited, "rank-rounds") > work)
    throw Error(Error::Kind::budget, fmt::format("looking for competition in {} rounds x {} ranks exceeds {} visits",
                                                 shape.rounds, visited, work));
  all.by_symmetry = group != Group::none;
  RoundCounter counter(topology, counting, group);
  Summary summary;
  Mail mail;
  std::vector<Seconds> busy(static_cast<std::size_t>(visited));
  std::vector<Rank> taking_part;
  for (Round t = 0; t < shape.rounds; ++t) {
    taking_part.clear();
    for (Rank r = 0; r < visited; ++r) {
      mail.read(r, summary.of(schedule, t, r));
      if (!mail.sent.empty() || !mail.received.empty()) taking_part.push_back(r);
      counter.add(r, mail.sent, mail.received);
    }
    RoundContention round = counter.take(t, topology.nodes() / visited, most_links);
    if (round.messages == 0) continue;
    const Seconds time = round.time(machine, counting.who);
    all.time += time;
    all.alone += machine.alpha + machine.beta * static_cast<double>(round.largest);
    for (const Rank r : taking_part) busy[static_cast<std::size_t>(r)] += time;
    all.rounds.push_back(std::move(round));
  }
  const auto [least, most] = std::minmax_element(busy.begin(), busy.end());
  all.least_rank = *least, all.most_rank = *most;
  return all;
}

}  // namespace quadrille
