#include "algorithm/kit/earliest_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "algorithm/kit/reservations.hpp"
#include "base/recent.hpp"
#include "collective/traits.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr std::int64_t most_crossed =
    256;  ///< links on the ways to receivers that a sender looks at, the nearest first
constexpr Rank most_tree_ranks = 1 << 11;
constexpr Round lacking = -2, from_start = -1;
std::size_t nth(std::int64_t i) { return static_cast<std::size_t>(i); }
bool leads_to_root(const Spec& spec) { return collective::facts(spec).flow == collective::Flow::all_to_one; }

/// Where a rank is: it goes on to a round when all its messages of earlier ones are there.
struct Progress {
  Round round = -1;               ///< the last one it has a message in
  Seconds before = 0, ended = 0;  ///< when it has ended the rounds before that one, and that one
  Seconds free = 0;               ///< its processor
  std::vector<Rank> peers;        ///< that it sends to in that round
  int sends = 0, receives = 0;    ///< in that round

  Seconds begins(Round t) const { return t > round ? ended : before; }
  void enter(Round t) {
    if (t == round) return;
    round = t, before = ended, sends = receives = 0;
    peers.clear();
  }
};

class Planner {
 public:
  Planner(const Spec& spec, const Machine& machine, std::int64_t parts, Bytes part_bytes)
      : spec_(spec),
        machine_(machine),
        topology_(*spec.topology),
        back_(leads_to_root(spec)),
        parts_(parts),
        wire_(static_cast<double>(part_bytes) * machine.beta),
        buffered_(machine.has_overhead() && part_bytes < machine.eager_limit),
        reserved_(spec, machine),
        ranks_(nth(spec.ranks())),
        others_(nth(spec.ranks())),
        near_(nth(spec.ranks() * parts)),
        got_(nth(spec.ranks() * parts), lacking),
        holders_(nth(parts), 1) {
    const bool average = machine.circuit == CircuitCost::average;
    latency_ = machine.alpha + (average ? machine.per_hop * topology_.diameter() / 2.0 : 0);
    hop_ = average ? 0 : machine.per_hop;
    neighbours_only_ = machine.switching == Switching::store_and_forward && topology_.direct();
    alone_ = machine.switching == Switching::circuit || (machine.duplex != Duplex::full && neighbours_only_);
  }

  EarliestTrees run() {
    for (std::int64_t part = 0; part < parts_; ++part) {
      got(spec_.root, part) = from_start;
      queue_.push({0, 1, spec_.root, part});
    }
    while (!queue_.empty()) {
      const Entry entry = queue_.top();
      queue_.pop();
      const Option best = best_of(entry.holder, entry.part);
      if (best.to < 0) continue;
      if (best.weight <= entry.weight) send(entry.holder, entry.part, best);
      queue_.push({best.weight, holders_[nth(entry.part)], entry.holder, entry.part});
    }
    std::stable_sort(plan_.messages.begin(), plan_.messages.end(), [](const auto& a, const auto& b) {
      return std::pair(a.round, a.from) < std::pair(b.round, b.from);
    });
    plan_.meet = reserved_.meet();
    return std::move(plan_);
  }

 private:
  /// A part that a rank may send on, and when it was queued last: what the best message weighed, and who had the part.
  /// Weights mostly grow. An entry that comes first is weighed again, and waits anew if it has become heavier; of equal
  /// ones the part goes first that fewest ranks have.
  struct Entry {
    Seconds weight;
    Rank holders, holder;
    std::int64_t part;
    auto key() const { return std::tuple(weight, holders, holder, part); }
    bool operator>(const Entry& other) const { return key() > other.key(); }
  };
  struct Option {
    Rank to = -1;
    Round round = 0;
    Seconds handed = 0, begins = 0, arrives = 0, done = 0;
    Seconds weight = std::numeric_limits<Seconds>::infinity();
  };

  struct Near {
    std::uint16_t rank, links;
  };

  const std::vector<Link>& needs(Rank from, Rank to) {
    return back_ ? reserved_.needs(to, from) : reserved_.needs(from, to);
  }
  Round& got(Rank r, std::int64_t part) { return got_[nth(part * spec_.ranks() + r)]; }

  /// The ranks that may still lack the part, the nearest first.
  std::vector<Near>& near(Rank r, std::int64_t part) {
    std::optional<std::vector<Near>>& own = near_[nth(part * spec_.ranks() + r)];
    if (!own) own = others(r);
    return *own;
  }
  const std::vector<Near>& others(Rank r) {
    std::vector<Near>& sorted = others_[nth(r)];
    if (!sorted.empty()) return sorted;
    std::vector<std::vector<Near>> by_distance(nth(topology_.diameter() + 1));
    for (Rank other = 0; other < spec_.ranks(); ++other) {
      const int links = other == r ? 0 : back_ ? topology_.distance(other, r) : topology_.distance(r, other);
      if (links > 0 && (links == 1 || !neighbours_only_))
        by_distance[nth(links)].push_back({static_cast<std::uint16_t>(other), static_cast<std::uint16_t>(links)});
    }
    for (const auto& ring : by_distance) sorted.insert(sorted.end(), ring.begin(), ring.end());
    return sorted;
  }

  /// The first round in which both can: on circuits none in which another message wants one of the links, and between
  /// neighbours none in which another is on the wire, if that is half duplex.
  Round round_of(Rank from, Rank to, std::int64_t part, const std::vector<Link>& needed) {
    const Progress &sender = ranks_[nth(from)], &receiver = ranks_[nth(to)];
    Round t = std::max({got(from, part) + 1, sender.round, receiver.round, Round{0}});
    const bool one_port = machine_.ports == Ports::one;
    const bool either = machine_.duplex == Duplex::node_half || (one_port && machine_.duplex == Duplex::half);
    const auto taken = [&](const Progress& p, int same, int other) {
      return t == p.round && ((one_port && same > 0) || (either && other > 0));
    };
    const bool again = t == sender.round && std::count(sender.peers.begin(), sender.peers.end(), to) > 0;
    if (again || taken(sender, sender.sends, sender.receives) || taken(receiver, receiver.receives, receiver.sends))
      ++t;
    while (alone_ && reserved_.used(needed, t)) ++t;
    return t;
  }

  Option option(Rank from, Near near, std::int64_t part) {
    const Rank to = near.rank;
    const std::vector<Link>& needed = needs(from, to);
    const Progress &sender = ranks_[nth(from)], &receiver = ranks_[nth(to)];
    Option o{.to = to, .round = round_of(from, to, part, needed)};
    o.handed = std::max(sender.begins(o.round), sender.free) + machine_.overhead_send;
    const Seconds asked = receiver.begins(o.round), free = reserved_.free_from(needed);
    const Seconds latency = latency_ + hop_ * static_cast<double>(near.links);
    o.begins = buffered_ ? o.handed : std::max(o.handed, asked);
    if (machine_.has_overhead())
      o.arrives = std::max(o.begins + latency, free) + wire_;
    else  // a start-up keeps links and ports busy
      o.arrives = std::max(o.begins, free) + latency + wire_;
    o.done = buffered_ ? std::max({o.arrives, asked, receiver.free}) + machine_.overhead_receive : o.arrives;
    // Links share rather than queue: a message that would wait so long keeps the others there as long.
    o.weight = o.done + std::max(0.0, free - o.begins - (machine_.has_overhead() ? latency : 0));
    return o;
  }

  /// What the part takes if nothing is in its way.
  Seconds at_least(Rank from, Near to, std::int64_t part) {
    const Progress& sender = ranks_[nth(from)];
    return std::max(sender.begins(std::max(got(from, part) + 1, sender.round)), sender.free) + machine_.overhead_send +
           latency_ + hop_ * static_cast<double>(to.links) + wire_ + (buffered_ ? machine_.overhead_receive : 0);
  }

  Option best_of(Rank from, std::int64_t part) {
    std::vector<Near>& others = near(from, part);
    std::int64_t crossed = 0;
    std::size_t kept = 0, i = 0;
    Option best;
    for (; i < others.size() && crossed < most_crossed; ++i) {
      const Near to = others[i];
      if (got(to.rank, part) != lacking) continue;
      if (best.to >= 0 && best.weight <= at_least(from, to, part)) break;
      others[kept++] = to;
      crossed += to.links;
      const Option o = option(from, to, part);
      if (o.weight < best.weight) best = o;
    }
    others.erase(others.begin() + std::ptrdiff_t(kept), others.begin() + std::ptrdiff_t(i));
    return best;
  }

  void send(Rank from, std::int64_t part, const Option& o) {
    Progress &sender = ranks_[nth(from)], &receiver = ranks_[nth(o.to)];
    sender.enter(o.round), receiver.enter(o.round);
    sender.peers.push_back(o.to);
    sender.free = o.handed;
    sender.ended = std::max({sender.ended, sender.before, buffered_ ? o.handed : o.arrives});
    receiver.ended = std::max({receiver.ended, receiver.before, o.done});
    if (buffered_) receiver.free = o.done;
    plan_.most_at_rank = std::max({plan_.most_at_rank, ++sender.sends, ++receiver.receives});
    reserved_.take(needs(from, o.to), o.round, o.arrives);
    got(o.to, part) = o.round;
    ++holders_[nth(part)];
    queue_.push({o.done, holders_[nth(part)], o.to, part});
    plan_.messages.push_back({from, o.to, part, o.round});
    plan_.rounds = std::max(plan_.rounds, o.round + 1);
  }

  const Spec& spec_;
  const Machine& machine_;
  const Topology& topology_;
  bool back_;  ///< all goes to the root
  std::int64_t parts_;
  Seconds wire_;  ///< of a part
  bool buffered_;
  Seconds latency_, hop_;
  bool neighbours_only_;
  bool alone_;  ///< a link, or a wire, takes one message in a round
  Reservations reserved_;
  std::vector<Progress> ranks_;
  std::vector<std::vector<Near>> others_;
  std::vector<std::optional<std::vector<Near>>> near_;
  std::vector<Round> got_;  ///< the round in which a rank gets a part
  std::vector<Rank> holders_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  EarliestTrees plan_;
};

}  // namespace

std::shared_ptr<const EarliestTrees> earliest_trees(const Spec& spec, const Machine& machine, std::int64_t parts,
                                                    Bytes part_bytes) {
  static base::Recent<std::string, EarliestTrees> recent(64);
  Machine forwards = machine;
  if (leads_to_root(spec)) std::swap(forwards.overhead_send, forwards.overhead_receive);
  const std::string key = fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", spec.topology->text(),
                                      spec.root, part_bytes, parts, leads_to_root(spec), machine.alpha,
                                      machine.overhead_send, machine.overhead_receive, machine.per_hop, machine.beta,
                                      machine.eager_limit, to_string(machine.ports), to_string(machine.duplex),
                                      to_string(machine.switching), to_string(machine.circuit), machine.multicast);
  return recent.get(key, [&] { return Planner(spec, forwards, parts, part_bytes).run(); });
}

std::string earliest_trees_illegal(const Spec& spec, std::string_view instead) {
  const Topology& t = *spec.topology;
  if (t.shared_medium() || t.nodes() != spec.ranks())
    return fmt::format("a rank's messages to several ranks share the medium of {}; nearest: crossbar:{}", t.text(),
                       spec.ranks());
  if (spec.ranks() <= most_tree_ranks) return {};
  return fmt::format("is planned message by message, for at most {} ranks; try {}", most_tree_ranks, instead);
}

}  // namespace quadrille::algorithm::kit
